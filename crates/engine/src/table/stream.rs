//! Rules about switching a table's stream on and off.

use espalier_dynamo::operation::table::StreamSpecification;

use super::definition::Stream;

/// What is wrong with a wish about a stream.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StreamError {
    /// CreateTable with a stream that shows nothing.
    #[error(
        "One or more parameter values were invalid: Table is being created with a stream enabled, UpdateViewType is required"
    )]
    CreateWithoutView,
    /// CreateTable without a stream, but with what it shows.
    #[error(
        "One or more parameter values were invalid: Table is being created with a stream disabled, UpdateViewType should not be specified"
    )]
    CreateDisabledWithView,
    /// UpdateTable with a stream that shows nothing.
    #[error("One or more parameter values were invalid: If stream is being enabled then UpdateViewType is required")]
    UpdateWithoutView,
    /// UpdateTable switches the stream off, but says what it shows.
    #[error(
        "One or more parameter values were invalid: If stream is being disabled, then UpdateViewType must not be specified"
    )]
    UpdateDisabledWithView,
    /// UpdateTable switches on what is on.
    #[error("Table already has an enabled stream: TableName: {0}")]
    AlreadyEnabled(String),
    /// UpdateTable switches off what is off.
    #[error("Table has no stream to disable: TableName: {0}")]
    AlreadyDisabled(String),
}

impl From<StreamError> for espalier_dynamo::Error {
    fn from(cause: StreamError) -> Self {
        Self::invalid(cause)
    }
}

/// The streams of a new table.
pub fn create(wish: Option<&StreamSpecification>, now_ms: i64) -> Result<Vec<Stream>, StreamError> {
    match wish.map(|wish| (wish.enabled, wish.view_type)) {
        None | Some((false, None)) => Ok(Vec::new()),
        Some((true, None)) => Err(StreamError::CreateWithoutView),
        Some((false, Some(_))) => Err(StreamError::CreateDisabledWithView),
        Some((true, Some(view_type))) => Ok(vec![Stream { created_ms: now_ms, disabled_ms: None, view_type }]),
    }
}

/// Checks a wish of UpdateTable by itself.
pub fn check(wish: &StreamSpecification) -> Result<(), StreamError> {
    match (wish.enabled, wish.view_type) {
        (true, None) => Err(StreamError::UpdateWithoutView),
        (false, Some(_)) => Err(StreamError::UpdateDisabledWithView),
        _ => Ok(()),
    }
}

/// Switches a table's stream on or off. Each stream of a table has its own label, so no two begin in one
/// millisecond.
pub fn switch(
    table: &str,
    streams: &mut Vec<Stream>,
    wish: &StreamSpecification,
    now_ms: i64,
) -> Result<(), StreamError> {
    let open = streams.last_mut().filter(|stream| stream.disabled_ms.is_none());
    match (wish.view_type.filter(|_| wish.enabled), open) {
        (Some(_), Some(_)) => Err(StreamError::AlreadyEnabled(table.to_owned())),
        (None, None) => Err(StreamError::AlreadyDisabled(table.to_owned())),
        (None, Some(open)) => {
            open.disabled_ms = Some(now_ms);
            Ok(())
        }
        (Some(view_type), None) => {
            let after = streams.last().map_or(now_ms, |last| last.created_ms + 1);
            streams.push(Stream { created_ms: now_ms.max(after), disabled_ms: None, view_type });
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_dynamo::operation::table::StreamViewType::{KeysOnly, NewImage};

    fn wish(
        enabled: bool,
        view_type: Option<espalier_dynamo::operation::table::StreamViewType>,
    ) -> StreamSpecification {
        StreamSpecification { enabled, view_type }
    }

    #[test]
    fn a_stream_says_what_it_shows() {
        assert_eq!(create(Some(&wish(true, None)), 1), Err(StreamError::CreateWithoutView));
        assert_eq!(create(Some(&wish(false, Some(KeysOnly))), 1), Err(StreamError::CreateDisabledWithView));
        assert_eq!(create(Some(&wish(false, None)), 1), Ok(vec![]));
        assert_eq!(check(&wish(true, None)), Err(StreamError::UpdateWithoutView));
        assert_eq!(check(&wish(false, Some(KeysOnly))), Err(StreamError::UpdateDisabledWithView));
    }

    #[test]
    fn streams_follow_one_another() {
        let mut streams = create(Some(&wish(true, Some(KeysOnly))), 5).unwrap();
        let again = switch("T", &mut streams, &wish(true, Some(NewImage)), 5);
        assert_eq!(again.unwrap_err().to_string(), "Table already has an enabled stream: TableName: T");
        switch("T", &mut streams, &wish(false, None), 5).unwrap();
        let again = switch("T", &mut streams, &wish(false, None), 5);
        assert_eq!(again.unwrap_err().to_string(), "Table has no stream to disable: TableName: T");
        switch("T", &mut streams, &wish(true, Some(NewImage)), 5).unwrap();
        assert_eq!(
            streams,
            [
                Stream { created_ms: 5, disabled_ms: Some(5), view_type: KeysOnly },
                Stream { created_ms: 6, disabled_ms: None, view_type: NewImage },
            ]
        );
    }
}
