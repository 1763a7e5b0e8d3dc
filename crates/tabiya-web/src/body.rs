//! Bodies of requests, read in one place: not too long, not too slowly, and only while there is room for them.

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::StatusCode;
use tokio::time::{Instant, timeout_at};
use tokio_stream::StreamExt as _;

use crate::connections::Connection;
use crate::error::ApiError;

/// Bytes a second, after the time that everybody has.
const SLOWEST: f64 = 8192.0;
/// What is made room for at first.
const FIRST: usize = 1024;

/// Reads a body to its end. Without a network, as in tests, there is no connection.
pub(crate) async fn read(
    body: Body,
    most: usize,
    patience: Duration,
    connection: Option<&Connection>,
) -> Result<Bytes, ApiError> {
    let too_long = || {
        let sentence = format!("The request is too long: {most} bytes are the most.");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
    };
    let announced = body.size_hint().lower();
    if announced > most as u64 {
        return Err(too_long());
    }
    let begun = Instant::now();
    let mut frames = body.into_data_stream();
    let mut bytes = Vec::new();
    loop {
        let deadline = begun + patience + Duration::from_secs_f64(bytes.len() as f64 / SLOWEST);
        let frame = timeout_at(deadline, frames.next()).await.map_err(|_| {
            ApiError::new(StatusCode::REQUEST_TIMEOUT, "The request came too slowly.")
        })?;
        let Some(frame) = frame else { return Ok(bytes.into()) };
        let frame = frame.map_err(|_| {
            ApiError::new(StatusCode::BAD_REQUEST, "The request could not be read to its end.")
        })?;
        let length = bytes.len() + frame.len();
        if length > most {
            return Err(too_long());
        }
        if length > bytes.capacity() {
            let room = length.max(2 * bytes.capacity()).max(FIRST).min(most);
            let more = room - bytes.capacity();
            if connection.is_some_and(|connection| !connection.hold(more)) {
                let sentence =
                    "Too much is being sent to the server at once; try again in a moment.";
                return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence));
            }
            bytes.reserve_exact(room - bytes.len());
        }
        bytes.extend_from_slice(&frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(pieces: usize, pause: Duration) -> Body {
        let (sender, receiver) = tokio::sync::mpsc::channel::<std::io::Result<_>>(1);
        tokio::spawn(async move {
            for _ in 0..pieces {
                tokio::time::sleep(pause).await;
                let _ = sender.send(Ok([b'x'; 1024].as_slice())).await;
            }
        });
        Body::from_stream(tokio_stream::wrappers::ReceiverStream::new(receiver))
    }

    const PATIENCE: Duration = Duration::from_millis(300);

    async fn status(body: Body, most: usize) -> Result<usize, StatusCode> {
        let read = read(body, most, PATIENCE, None).await;
        read.map(|bytes| bytes.len()).map_err(|error| error.status())
    }

    #[tokio::test]
    async fn bodies_keep_to_length_and_time() {
        assert_eq!(status(Body::from(vec![0; 4096]), 4096).await, Ok(4096));
        assert_eq!(status(Body::empty(), 0).await, Ok(0));
        let too_long = Err(StatusCode::PAYLOAD_TOO_LARGE);
        assert_eq!(status(Body::from(vec![0; 4097]), 4096).await, too_long);
        assert_eq!(status(slow(5, Duration::ZERO), 4096).await, too_long);
        // A kilobyte earns an eighth of a second.
        let too_slow = Err(StatusCode::REQUEST_TIMEOUT);
        assert_eq!(status(slow(1, 4 * PATIENCE), 1 << 20).await, too_slow);
        assert_eq!(status(slow(9, PATIENCE * 2 / 3), 1 << 20).await, too_slow);
        assert_eq!(status(slow(50, PATIENCE / 30), 1 << 20).await, Ok(50 << 10));
    }
}
