use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tabiya_play::Refusal;

/// Why a request was not done: a status for programs, a sentence for people. It never tells of paths or
/// of how games are kept.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    sentence: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, sentence: impl Into<String>) -> ApiError {
        ApiError { status, sentence: sentence.into() }
    }

    /// What was asked for makes no sense.
    pub(crate) fn unclear(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }

    pub(crate) fn no_game() -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "There is no such game.")
    }

    pub(crate) fn no_study() -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "There is no such study.")
    }

    /// Something in the server is broken: the reason is for whoever runs it.
    pub(crate) fn internal(reason: &str) -> ApiError {
        eprintln!("tabiya: {reason}");
        let sentence = "Something went wrong in the server; nothing has changed.";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, refusal.0)
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
        (self.status, Json(serde_json::json!({ "error": self.sentence }))).into_response()
    }
}
