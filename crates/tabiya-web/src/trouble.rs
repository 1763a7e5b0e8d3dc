use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tabiya_play::Refusal;

/// Why a request was not done: a status for programs, a sentence for people. It never tells of paths or
/// of how games are kept.
#[derive(Debug)]
pub(crate) struct Trouble {
    status: StatusCode,
    sentence: String,
}

impl Trouble {
    pub(crate) fn new(status: StatusCode, sentence: impl Into<String>) -> Trouble {
        Trouble { status, sentence: sentence.into() }
    }

    /// What was asked for makes no sense.
    pub(crate) fn unclear(sentence: impl Into<String>) -> Trouble {
        Trouble::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }

    pub(crate) fn no_game() -> Trouble {
        Trouble::new(StatusCode::NOT_FOUND, "There is no such game.")
    }

    pub(crate) fn no_study() -> Trouble {
        Trouble::new(StatusCode::NOT_FOUND, "There is no such study.")
    }

    /// Something in the house is broken: the reason is for whoever runs it.
    pub(crate) fn ours(reason: &str) -> Trouble {
        eprintln!("tabiya: {reason}");
        let sentence = "Something went wrong in the house; nothing has changed.";
        Trouble::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Trouble {
        Trouble::new(StatusCode::CONFLICT, refusal.0)
    }
}

impl From<JsonRejection> for Trouble {
    fn from(rejection: JsonRejection) -> Trouble {
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
        Trouble::new(rejection.status(), sentence)
    }
}

impl From<PathRejection> for Trouble {
    fn from(_: PathRejection) -> Trouble {
        Trouble::no_game()
    }
}

impl From<QueryRejection> for Trouble {
    fn from(_: QueryRejection) -> Trouble {
        Trouble::new(StatusCode::BAD_REQUEST, "The address has a question that makes no sense.")
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        (self.status, Json(serde_json::json!({ "error": self.sentence }))).into_response()
    }
}
