use std::fmt::Display;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tabiya_api::Invalid;
use tabiya_play::Refusal;
use tabiya_store::StoreError;

/// Why a request was not done: a status for programs, a sentence for people. It never tells of paths or
/// of how games are kept.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    sentence: String,
    /// When it can be asked again.
    wait: Option<Duration>,
}

impl ApiError {
    /// The reason is made a sentence if it is none.
    pub(crate) fn new(status: StatusCode, reason: impl Display) -> ApiError {
        ApiError { status, sentence: Refusal::new(reason).0, wait: None }
    }

    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }

    /// What was asked for makes no sense.
    pub(crate) fn invalid(reason: impl Display) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, reason)
    }

    /// It cannot be done as things are now.
    pub(crate) fn conflict(reason: impl Display) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, reason)
    }

    /// It is not for whoever asks.
    pub(crate) fn forbidden(reason: impl Display) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, reason)
    }

    pub(crate) fn not_found(reason: impl Display) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, reason)
    }

    pub(crate) fn too_many(reason: impl Display) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, reason)
    }

    /// Too much for now, but not for ever.
    pub(crate) fn wait(time: Duration, reason: impl Display) -> ApiError {
        ApiError { wait: Some(time), ..ApiError::too_many(reason) }
    }

    pub(crate) fn no_game() -> ApiError {
        ApiError::not_found("There is no such game.")
    }

    pub(crate) fn no_study() -> ApiError {
        ApiError::not_found("There is no such study.")
    }

    /// Something in the server is broken: the reason is for whoever runs it.
    pub(crate) fn internal(reason: impl Display) -> ApiError {
        tracing::error!("{reason}");
        let sentence = "Something went wrong in the server; nothing has changed.";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    }
}

/// What an answer says that is an error: for those who are shown a page instead.
#[derive(Clone)]
pub(crate) struct Sentence(pub(crate) String);

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        ApiError::conflict(refusal)
    }
}

impl From<Invalid> for ApiError {
    fn from(Invalid(sentence): Invalid) -> ApiError {
        ApiError::invalid(sentence)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        match error {
            StoreError::NoGame(_) => ApiError::no_game(),
            StoreError::NoStudy(_) => ApiError::no_study(),
            StoreError::NoCard(_) => ApiError::not_found("There is no such card."),
            StoreError::Taken(_) => {
                ApiError::conflict("Somebody has taken that seat; you can watch.")
            }
            StoreError::TooManyChapters(most) => {
                ApiError::conflict(format!("A study has {most} chapters at most."))
            }
            StoreError::LastChapter => {
                ApiError::conflict("A study keeps one chapter: delete the study instead.")
            }
            StoreError::Import(reason) => ApiError::invalid(reason),
            error @ (StoreError::NoSort(_) | StoreError::NoPlace(_)) => ApiError::invalid(error),
            StoreError::BadGame { reason, .. } => {
                tracing::warn!("a game cannot be opened: {reason}");
                ApiError::conflict(format!("That game cannot be opened: {reason}"))
            }
            error => ApiError::internal(error),
        }
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        let sentence = match &rejection {
            JsonRejection::MissingJsonContentType(_) => {
                "The request must be JSON, and say so: content-type: application/json.".to_owned()
            }
            JsonRejection::JsonSyntaxError(_) => "The request is not valid JSON.".to_owned(),
            JsonRejection::JsonDataError(error) => {
                use std::error::Error as _;
                let reason = error.source().map_or_else(String::new, ToString::to_string);
                format!("The request does not fit: {reason}.")
            }
            _ => "The request could not be read; perhaps it is too long.".to_owned(),
        };
        ApiError::new(rejection.status(), sentence)
    }
}

impl From<PathRejection> for ApiError {
    fn from(_: PathRejection) -> ApiError {
        ApiError::no_game()
    }
}

impl From<QueryRejection> for ApiError {
    fn from(_: QueryRejection) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "The address has a question that makes no sense.")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response =
            (self.status, Json(serde_json::json!({ "error": self.sentence }))).into_response();
        response.extensions_mut().insert(Sentence(self.sentence));
        if let Some(wait) = self.wait {
            let seconds = HeaderValue::from(wait.as_secs() + 1);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}
