//! Who may use which route. Routes are declared in groups, each with its audience; what was not declared is closed.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::extract::{FromRequestParts as _, MatchedPath, Request, State};
use axum::handler::Handler;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, on};

use crate::client::Client;
use crate::connections::Connection;
use crate::error::ApiError;
use crate::extract::{GameOwner, Id, SeatOwner, StudyOwner};
use crate::{AppState, assets, body};

/// Those who may use a group of routes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Audience {
    /// Everybody who can reach the server.
    Public,
    /// Members, and whoever was invited to the game.
    Invited,
    /// Of these, whoever has a seat in the game.
    Player,
    /// Of these, whoever has a seat in the game, and the owner of the server.
    GameOwner,
    /// Whoever knows the password, and the owner who has shown the secret; everybody if there is no password.
    Member,
    /// Of these, whoever has made the study.
    StudyOwner,
    /// Of these, the owner of the server.
    Admin,
}

/// One method of one path.
pub(crate) struct Route {
    method: Method,
    path: String,
    handler: MethodRouter<AppState>,
    longest_body: Option<usize>,
}

impl Route {
    fn new<T: 'static>(
        method: Method,
        path: impl Into<String>,
        handler: impl Handler<T, AppState>,
    ) -> Route {
        // Only methods that a filter knows are declared here.
        let handler = method
            .clone()
            .try_into()
            .map_or_else(|_| MethodRouter::new(), |filter| on(filter, handler));
        Route { method, path: path.into(), handler, longest_body: None }
    }

    /// With a longest body of its own.
    pub(crate) fn with_body_limit(self, bytes: usize) -> Route {
        Route { longest_body: Some(bytes), ..self }
    }
}

pub(crate) fn get<T: 'static>(
    path: impl Into<String>,
    handler: impl Handler<T, AppState>,
) -> Route {
    Route::new(Method::GET, path, handler)
}

pub(crate) fn post<T: 'static>(
    path: impl Into<String>,
    handler: impl Handler<T, AppState>,
) -> Route {
    Route::new(Method::POST, path, handler)
}

pub(crate) fn delete<T: 'static>(
    path: impl Into<String>,
    handler: impl Handler<T, AppState>,
) -> Route {
    Route::new(Method::DELETE, path, handler)
}

/// What is asked of a request before its handler sees it.
#[derive(Clone, Copy)]
struct Rule {
    audience: Audience,
    longest_body: Option<usize>,
}

/// All routes, each with its rule.
#[derive(Default)]
pub(crate) struct Routes {
    router: Router<AppState>,
    rules: HashMap<String, HashMap<Method, Rule>>,
}

impl Routes {
    /// Opens routes to an audience.
    pub(crate) fn group(
        mut self,
        audience: Audience,
        routes: impl IntoIterator<Item = Route>,
    ) -> Routes {
        for Route { method, path, handler, longest_body } in routes {
            self.router = self.router.route(&path, handler);
            let rule = Rule { audience, longest_body };
            self.rules.entry(path).or_default().insert(method, rule);
        }
        self
    }

    /// The routes behind a check of who asks, made before anything of a body is read. What has no route is for members,
    /// who are told that it does not exist.
    pub(crate) fn into_router<T: 'static>(
        self,
        state: &AppState,
        fallback: impl Handler<T, AppState>,
    ) -> Router<AppState> {
        let gate = Gate { state: state.clone(), rules: Arc::new(self.rules) };
        self.router.fallback(fallback).layer(from_fn_with_state(gate, check))
    }
}

#[derive(Clone)]
struct Gate {
    state: AppState,
    rules: Arc<HashMap<String, HashMap<Method, Rule>>>,
}

async fn check(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let admitted = match gate.admit(&mut parts).await {
        Ok(rule) => gate.read(&parts, rule, body).await,
        Err(refused) => Err(refused),
    };
    match admitted {
        Ok(body) => next.run(Request::from_parts(parts, body)).await,
        Err(Refused::Error(error)) => error.into_response(),
        Err(Refused::Password)
            if parts.uri.path().starts_with("/api") && !assets::wants_page(&parts.headers) =>
        {
            let sentence = "This server asks for a password first.";
            ApiError::new(StatusCode::UNAUTHORIZED, sentence).into_response()
        }
        Err(Refused::Password) => assets::password_page(),
    }
}

/// Why a request goes no further.
enum Refused {
    /// The password is needed first.
    Password,
    Error(ApiError),
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Refused {
        Refused::Error(error)
    }
}

impl Gate {
    /// Whether a request goes further, and by which rule.
    async fn admit(&self, parts: &mut Parts) -> Result<Option<Rule>, Refused> {
        let Some(path) = parts.extensions.get::<MatchedPath>() else {
            self.member(parts)?;
            return Ok(None);
        };
        let Some(methods) = self.rules.get(path.as_str()) else {
            tracing::error!("{} is in no group of routes, and closed", path.as_str());
            return Err(ApiError::forbidden("Nobody may do that.").into());
        };
        let method = if parts.method == Method::HEAD { &Method::GET } else { &parts.method };
        let Some(&rule) = methods.get(method) else {
            self.member(parts)?;
            let sentence = "That cannot be done here.";
            return Err(ApiError::new(StatusCode::METHOD_NOT_ALLOWED, sentence).into());
        };
        self.belongs(rule.audience, parts).await?;
        Ok(Some(rule))
    }

    /// Reads the body for a handler; where there is none, nothing is read. From then on the server works.
    async fn read(&self, parts: &Parts, rule: Option<Rule>, body: Body) -> Result<Body, Refused> {
        let connection = parts.extensions.get::<Arc<Connection>>();
        let limits = &self.state.0.limits;
        let body = match rule {
            Some(rule) if !body.is_end_stream() => {
                let most = rule.longest_body.unwrap_or(limits.body);
                let connection = connection.map(AsRef::as_ref);
                body::read(body, most, limits.patience, connection).await?.into()
            }
            _ => Body::empty(),
        };
        if let Some(connection) = connection {
            connection.work();
        }
        Ok(body)
    }

    /// Whether whoever asks belongs to an audience.
    async fn belongs(&self, audience: Audience, parts: &mut Parts) -> Result<(), Refused> {
        let state = &self.state;
        match audience {
            Audience::Public => {}
            Audience::Member => self.member(parts)?,
            Audience::Invited => self.invited(parts).await?,
            Audience::Player => {
                self.invited(parts).await?;
                SeatOwner::from_request_parts(parts, state).await?;
            }
            Audience::GameOwner => {
                self.invited(parts).await?;
                GameOwner::from_request_parts(parts, state).await?;
            }
            Audience::StudyOwner => {
                self.member(parts)?;
                StudyOwner::from_request_parts(parts, state).await?;
            }
            Audience::Admin => {
                self.member(parts)?;
                if !Client::of(parts, state).is_owner {
                    return Err(state.only_the_owner().into());
                }
            }
        }
        Ok(())
    }

    fn member(&self, parts: &Parts) -> Result<(), Refused> {
        match self.state.is_member(&parts.headers) {
            true => Ok(()),
            false => Err(Refused::Password),
        }
    }

    /// The game is that of the path, or, for a page, that of the query.
    async fn invited(&self, parts: &mut Parts) -> Result<(), Refused> {
        if self.state.is_member(&parts.headers) {
            return Ok(());
        }
        let of_path = Id::from_request_parts(parts, &self.state).await.ok().map(|Id(id)| id);
        let of_query = || {
            let pairs = parts.uri.query().unwrap_or_default().split('&');
            pairs.filter_map(|pair| pair.strip_prefix("game=")).next()?.parse().ok()
        };
        let game: Option<u64> = of_path.or_else(of_query);
        match game.is_some_and(|game| self.state.is_invited(&parts.headers, game)) {
            true => Ok(()),
            false => Err(Refused::Password),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::net::SocketAddr;

    use axum::body::Body;
    use axum::extract::ConnectInfo;
    use axum::http::{HeaderValue, Version, header};
    use tabiya_play::Side;
    use tabiya_store::Store;
    use tokio_stream::StreamExt as _;
    use tower::ServiceExt as _;

    use super::*;
    use crate::{Access, Key, Pool, ServerLimits, ServerOptions, assets, routes};

    /// Who may do what: every route but the parts of pages.
    const EXPECTED: &str = "
        Public      GET     /api/levels
        Public      GET     /owner/{secret}
        Public      GET     /api/phrases
        Public      GET     /api/password
        Public      POST    /api/password
        Public      POST    /api/games/{id}/enter
        Invited     GET     /
        Invited     GET     /bishops
        Invited     GET     /api/games/{id}
        Invited     GET     /api/games/{id}/record
        Invited     GET     /api/games/{id}/position
        Invited     GET     /api/games/{id}/positions
        Invited     GET     /api/games/{id}/attackers/{square}
        Invited     GET     /api/games/{id}/events
        Invited     GET     /api/games/{id}/verdict
        Invited     POST    /api/games/{id}/join
        Invited     POST    /api/games/{id}/next
        Player      POST    /api/games/{id}/moves
        Player      POST    /api/games/{id}/requests
        Player      GET     /api/games/{id}/invitation
        Player      POST    /api/games/{id}/phrases
        Player      POST    /api/games/{id}/pong
        GameOwner   DELETE  /api/games/{id}
        GameOwner   POST    /api/games/{id}/restore
        Member      GET     /games
        Member      GET     /study
        Member      GET     /password
        Member      GET     /api/games
        Member      GET     /api/games/count
        Member      POST    /api/games/bin
        Member      POST    /api/games/export
        Member      POST    /api/games
        Member      POST    /api/bishops
        Member      GET     /puzzles
        Member      GET     /learn
        Member      GET     /explorer
        Member      GET     /endings
        Member      GET     /openings
        Member      GET     /api/endings
        Member      GET     /api/endings/tables
        Member      GET     /api/endings/{ending}
        Member      POST    /api/endings/{ending}/moves
        Member      POST    /api/endings/{ending}/hint
        Member      POST    /api/endings/{ending}/way
        Member      GET     /api/puzzles
        Member      GET     /api/puzzles/daily
        Member      GET     /api/puzzles/next
        Member      GET     /api/puzzles/history
        Member      GET     /api/puzzles/{puzzle}
        Member      POST    /api/puzzles/{puzzle}/tries
        Member      POST    /api/puzzles/{puzzle}/hint
        Member      POST    /api/puzzles/{puzzle}/solution
        Member      GET     /api/studies
        Member      POST    /api/studies
        Member      GET     /api/studies/{id}
        Member      GET     /api/studies/{id}/record
        Member      GET     /api/studies/{id}/positions
        Member      GET     /api/studies/{id}/boards/{node}
        Member      GET     /api/studies/{id}/boards/{node}/attacks
        Member      GET     /api/studies/{id}/lines
        Member      GET     /api/engines
        Member      GET     /api/explorer
        Member      GET     /api/explorer/{database}
        Member      GET     /api/explorer/{database}/players
        Member      GET     /api/explorer/{database}/games/{number}
        Member      POST    /api/positions/check
        Member      POST    /api/positions/line
        Member      GET     /api/reviews
        Member      POST    /api/reviews
        Member      GET     /api/reviews/{key}
        Member      GET     /api/reviews/{key}/events
        Member      GET     /api/reviews/{key}/record
        Member      POST    /api/reviews/{key}/deeper
        Member      DELETE  /api/reviews/{key}/deeper
        StudyOwner  DELETE  /api/studies/{id}
        StudyOwner  POST    /api/studies/{id}/restore
        StudyOwner  POST    /api/studies/{id}/steps
        StudyOwner  POST    /api/studies/{id}/chapters
        Admin       POST    /api/import
        Admin       GET     /api/learn
        Admin       POST    /api/learn
        Admin       GET     /api/learn/queue
        Admin       POST    /api/learn/answers
        Admin       POST    /api/learn/cards/{card}/aside
        Admin       GET     /api/learn/progress
        Admin       GET     /api/learn/games.csv
        Admin       GET     /api/learn/exercises.pgn
        Admin       POST    /api/endings/tables
        Admin       POST    /api/endings/{ending}/done
        Admin       GET     /api/openings
        Admin       POST    /api/openings
        Admin       DELETE  /api/openings/{study}/{color}
        Admin       GET     /api/openings/next
        Admin       POST    /api/openings/tries
        Admin       GET     /api/openings/holes
        Admin       GET     /api/openings/composed
        Admin       GET     /api/openings/games
        Admin       GET     /api/openings/games/{game}
    ";

    fn expected() -> Vec<(&'static str, Method, &'static str)> {
        let words = EXPECTED.split_whitespace().collect::<Vec<_>>();
        words.chunks_exact(3).map(|row| (row[0], row[1].parse().unwrap(), row[2])).collect()
    }

    /// Those who ask: each with the audiences it belongs to.
    const EVERYBODY: [(&str, &[&str]); 9] = [
        ("guest", &["Public"]),
        ("invited to another game", &["Public"]),
        ("invited", &["Public", "Invited"]),
        ("invited player", &["Public", "Invited", "Player", "GameOwner"]),
        ("member", &["Public", "Invited", "Member"]),
        ("author", &["Public", "Invited", "Member", "StudyOwner"]),
        ("owner", &["Public", "Invited", "Member", "GameOwner", "Admin"]),
        // Where others can reach the server, nobody owns it by sitting somewhere, or with a secret of somewhere else.
        ("member at this machine", &["Public", "Invited", "Member"]),
        ("owner of another server", &["Public"]),
    ];

    fn state(folder: &std::path::Path) -> AppState {
        let access = Access::at("0.0.0.0:8064".parse().unwrap()).with_password("sesame").unwrap();
        let options = ServerOptions { access, ..ServerOptions::default() };
        let store = Store::open(folder).unwrap();
        AppState::new(store, Key::new([7; 32]), Pool::new(1), options)
    }

    /// A request to game, study or review 1, as somebody makes it.
    fn request(state: &AppState, who: &str, method: &Method, path: &str) -> Request {
        let none = axum::http::HeaderMap::new();
        let text = |cookie: axum::http::HeaderValue| {
            cookie.to_str().unwrap().split(';').next().unwrap().to_owned()
        };
        let game = |id| text(state.game_cookie(&none, id).unwrap());
        let password = || state.password_cookie(&none, "sesame").map_or_else(String::new, text);
        let owner = |key: &Key| text(key.owner_cookie(&none).unwrap());
        let (cookie, token, local) = match who {
            "guest" => (String::new(), String::new(), false),
            "invited to another game" => (game(2), String::new(), false),
            "invited" => (game(1), String::new(), false),
            "invited player" => (game(1), state.0.key.token(1, Side::White), false),
            "member" => (password(), String::new(), false),
            "author" => (password(), state.0.key.study_token(1), false),
            "owner" => (owner(&state.0.key), String::new(), false),
            "member at this machine" => (password(), String::new(), true),
            "owner of another server" => (owner(&Key::new([8; 32])), String::new(), false),
            _ => panic!("{who}"),
        };
        let part =
            |part: &str| if part.starts_with('{') { "1".to_owned() } else { part.to_owned() };
        let path = path.split('/').map(part).collect::<Vec<_>>().join("/");
        let page = if path.starts_with("/api") { "" } else { "?game=1" };
        let (host, peer) = match local {
            true => ("localhost:8064", "127.0.0.1:5000"),
            false => ("192.168.1.7:8064", "192.168.1.20:5000"),
        };
        let mut request = Request::builder().method(method).uri(format!("{path}{page}"));
        request = request.header(header::HOST, host).header(header::COOKIE, cookie);
        if !token.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let peer: SocketAddr = peer.parse().unwrap();
        request.extension(ConnectInfo(peer)).body(Body::empty()).unwrap()
    }

    /// The declared routes behind the declared checks, with nothing behind them.
    fn bare(state: &AppState, more: Router<AppState>) -> Router {
        let reached = async || StatusCode::IM_A_TEAPOT;
        let declared = routes::routes(&ServerLimits::default()).rules;
        let mut routes = Routes::default();
        for (path, methods) in &declared {
            for (method, rule) in methods {
                routes = routes.group(rule.audience, [Route::new(method.clone(), path, reached)]);
            }
        }
        routes.router = routes.router.merge(more);
        routes.into_router(state, reached).with_state(state.clone())
    }

    #[tokio::test]
    async fn every_route_is_for_those_whom_the_table_names() {
        let declared: BTreeSet<(String, String, String)> = routes::routes(&ServerLimits::default())
            .rules
            .iter()
            .flat_map(|(path, methods)| {
                methods.iter().map(move |(method, rule)| (path, method, rule.audience))
            })
            .filter(|(path, ..)| !assets::parts().any(|part| part.path == **path))
            .map(|(path, method, audience)| {
                (format!("{audience:?}"), method.to_string(), path.clone())
            })
            .collect();
        let table = expected().into_iter();
        let table = table.map(|(who, method, path)| (who.into(), method.to_string(), path.into()));
        assert_eq!(declared, table.collect());

        let folder = tempfile::tempdir().unwrap();
        let state = state(folder.path());
        let app = bare(&state, Router::new());
        for (who, audiences) in EVERYBODY {
            for (audience, method, path) in expected() {
                let answer =
                    app.clone().oneshot(request(&state, who, &method, path)).await.unwrap();
                let reached = answer.status() == StatusCode::IM_A_TEAPOT;
                assert_eq!(reached, audiences.contains(&audience), "{who}: {method} {path}");
                if !reached {
                    assert!(
                        matches!(answer.status().as_u16(), 401 | 403),
                        "{who}: {method} {path}"
                    );
                }
            }
        }
    }

    #[tokio::test]
    async fn who_sits_at_a_server_that_nobody_else_reaches_owns_it_and_a_proxy_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let options = ServerOptions::default();
        let state = AppState::new(store, Key::new([7; 32]), Pool::new(1), options);
        let app = bare(&state, Router::new());
        let guest: &[&str] = &["Public", "Invited", "Member"];
        let owner: &[&str] = &["Public", "Invited", "Member", "GameOwner", "Admin"];
        for (version, header, audiences) in [
            (Version::HTTP_11, ("accept", "*/*"), owner),
            (Version::HTTP_10, ("accept", "*/*"), guest),
            (Version::HTTP_11, ("x-forwarded-for", "192.0.2.1"), guest),
            (Version::HTTP_11, ("via", "1.1 proxy"), guest),
        ] {
            for (audience, method, path) in expected() {
                let mut request = request(&state, "member at this machine", &method, path);
                *request.version_mut() = version;
                request.headers_mut().insert(header.0, HeaderValue::from_static(header.1));
                let answer = app.clone().oneshot(request).await.unwrap();
                let reached = answer.status() == StatusCode::IM_A_TEAPOT;
                let who = format!("{version:?} {header:?}: {method} {path}");
                assert_eq!(reached, audiences.contains(&audience), "{who}");
            }
        }
    }

    #[tokio::test]
    async fn what_is_in_no_group_is_closed_to_everybody() {
        let folder = tempfile::tempdir().unwrap();
        let state = state(folder.path());
        let open = async || StatusCode::IM_A_TEAPOT;
        let forgotten = Router::new()
            .route("/api/forgotten", axum::routing::get(open))
            .route("/api/games/{id}/forgotten", axum::routing::any(open))
            // Another method of a path that is open.
            .route("/api/phrases", axum::routing::put(open));
        let app = bare(&state, forgotten);
        for (who, _) in EVERYBODY {
            for (method, path) in [
                (Method::GET, "/api/forgotten"),
                (Method::GET, "/api/games/{id}/forgotten"),
                (Method::POST, "/api/games/{id}/forgotten"),
                (Method::PUT, "/api/phrases"),
            ] {
                let answer =
                    app.clone().oneshot(request(&state, who, &method, path)).await.unwrap();
                assert!(
                    matches!(answer.status().as_u16(), 401 | 403 | 405),
                    "{who}: {method} {path}"
                );
            }
        }
    }

    #[tokio::test]
    async fn nothing_of_a_body_is_read_before_it_is_known_who_asks() {
        let folder = tempfile::tempdir().unwrap();
        let state = state(folder.path());
        for (audience, method, path) in expected() {
            if audience == "Public" {
                continue;
            }
            let unread = tokio_stream::once(())
                .map(|()| -> Result<&[u8], std::io::Error> { panic!("the body was read") });
            let (parts, _) = request(&state, "guest", &method, path).into_parts();
            let request = Request::from_parts(parts, Body::from_stream(unread));
            let answer = crate::app(state.clone()).oneshot(request).await.unwrap();
            assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{method} {path}");
        }
    }
}
