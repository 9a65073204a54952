//! ARNs: of tables, indexes and streams; read from requests, and made for answers.

use std::fmt;

use espalier_dynamo::Result;

use super::error::TableError;
use super::name;

/// What is wrong with an ARN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArnError {
    /// In place of a table's name: not of the form of an ARN.
    #[error(
        "1 validation error detected: Value '{0}' at 'tableName' failed to satisfy constraint: Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', where Resource name must have length less than or equal to 255, Resource name must have length greater than or equal to 3, Resource name must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
    )]
    Format(String),
    /// In place of a table's name: of another partition.
    #[error("1 validation error detected: Invalid AWS partition in '{0}'")]
    Partition(String),
    /// In place of a table's name: of another region.
    #[error("1 validation error detected: Invalid AWS region in '{0}'")]
    Region(String),
    /// In place of a table's name: not a table's.
    #[error("1 validation error detected: Invalid resource type in '{0}'")]
    ResourceType(String),
    /// Of a resource: not an ARN at all.
    #[error("One or more parameter values were invalid: ARNs must start with 'arn:': {0}")]
    NotAnArn(String),
    /// Of a resource: of another service.
    #[error("One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: {0}")]
    NotDynamoDb(String),
    /// Of a resource: of an index, a backup or the like.
    #[error(
        "One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {0}"
    )]
    NotATable(String),
    /// Of a resource: of another region, or of no possible table.
    #[error("Invalid TableArn: Invalid ResourceArn provided as input {0}")]
    Resource(String),
    /// Of a stream: not of the form of a stream's ARN.
    #[error("Invalid StreamArn: Invalid ARN provided as input {0}")]
    Stream(String),
}

impl From<ArnError> for espalier_dynamo::Error {
    fn from(cause: ArnError) -> Self {
        Self::invalid(cause)
    }
}

/// Whose ARNs are meant: the region and the account of this engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner<'o> {
    /// The region.
    pub region: &'o str,
    /// The account, twelve digits.
    pub account: &'o str,
}

impl Owner<'_> {
    /// A table's ARN.
    #[must_use]
    pub fn table(&self, table: &str) -> String {
        format!("arn:aws:dynamodb:{}:{}:table/{table}", self.region, self.account)
    }

    /// An index's ARN.
    #[must_use]
    pub fn index(&self, table: &str, index: &str) -> String {
        format!("{}/index/{index}", self.table(table))
    }

    /// A stream's ARN.
    #[must_use]
    pub fn stream(&self, table: &str, created_ms: i64) -> String {
        format!("{}/stream/{}", self.table(table), Label(created_ms))
    }

    /// The name in a `TableName`, which may be a name or an ARN.
    pub fn table_name<'r>(&self, name_or_arn: &'r str) -> Result<&'r str> {
        if !name_or_arn.starts_with("arn:") {
            return Ok(name_or_arn);
        }
        let whole = || name_or_arn.to_owned();
        let parts = Parts::new(name_or_arn).ok_or_else(|| ArnError::Format(whole()))?;
        if parts.partition != "aws" {
            return Err(ArnError::Partition(whole()).into());
        }
        if parts.service != "dynamodb" {
            return Err(ArnError::Format(whole()).into());
        }
        let (kind, table) = parts.resource.split_once('/').ok_or_else(|| ArnError::Format(whole()))?;
        if kind != "table" {
            return Err(ArnError::ResourceType(whole()).into());
        }
        name::check(table).map_err(|_| ArnError::Format(whole()))?;
        if parts.region != self.region {
            return Err(ArnError::Region(whole()).into());
        }
        self.check_account(parts)?;
        Ok(table)
    }

    /// The table that a `ResourceArn` names, as operations on tags have it.
    pub fn resource<'r>(&self, arn: &'r str) -> Result<&'r str> {
        let whole = || arn.to_owned();
        if !arn.starts_with("arn:") {
            // What has the shape of an ARN is told as one that names nothing.
            let has_shape = arn.split(':').count() >= 6 && arn.contains('/');
            return Err(if has_shape { ArnError::Resource(whole()) } else { ArnError::NotAnArn(whole()) }.into());
        }
        let parts = Parts::new(arn)
            .filter(|parts| parts.partition == "aws" && parts.service == "dynamodb")
            .ok_or_else(|| ArnError::NotDynamoDb(whole()))?;
        let table = parts.resource.strip_prefix("table/").ok_or_else(|| ArnError::NotATable(whole()))?;
        if table.contains('/') {
            return Err(ArnError::NotATable(whole()).into());
        }
        if parts.region != self.region || name::check(table).is_err() {
            return Err(ArnError::Resource(whole()).into());
        }
        self.check_account(parts)?;
        Ok(table)
    }

    /// The table and the beginning of the stream that a `StreamArn` names.
    pub fn stream_arn<'r>(&self, arn: &'r str) -> Result<(&'r str, i64)> {
        let invalid = || ArnError::Stream(arn.to_owned());
        let parts = Parts::new(arn).ok_or_else(invalid)?;
        let resource = parts.resource.strip_prefix("table/").ok_or_else(invalid)?;
        let (table, label) = resource.split_once("/stream/").ok_or_else(invalid)?;
        let is_ours = parts.partition == "aws"
            && parts.service == "dynamodb"
            && parts.region == self.region
            && parts.account == self.account;
        let created_ms = Label::parse(label).filter(|_| is_ours);
        // Well formed, but never given out: as if the stream had been forgotten.
        let created_ms = created_ms.ok_or_else(|| TableError::StreamNotFound(arn.to_owned()))?;
        Ok((table, created_ms))
    }

    fn check_account(&self, parts: Parts<'_>) -> Result<()> {
        if parts.account == self.account { Ok(()) } else { Err(TableError::AccessDenied.into()) }
    }
}

/// The six parts of an ARN, without the first.
#[derive(Clone, Copy)]
struct Parts<'a> {
    partition: &'a str,
    service: &'a str,
    region: &'a str,
    account: &'a str,
    resource: &'a str,
}

impl<'a> Parts<'a> {
    fn new(arn: &'a str) -> Option<Self> {
        let mut parts = arn.strip_prefix("arn:")?.splitn(5, ':');
        let mut next = || parts.next();
        Some(Self { partition: next()?, service: next()?, region: next()?, account: next()?, resource: next()? })
    }
}

/// A stream's label: when it began, to the millisecond, as in `2026-11-15T22:59:37.123`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label(pub i64);

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

impl Label {
    /// The beginning of the stream of that label.
    #[must_use]
    pub fn parse(label: &str) -> Option<i64> {
        let number = |from: usize, to: usize| label.get(from..to)?.parse::<i64>().ok();
        let days = days_from_date(number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let minutes = number(11, 13)? * 60 + number(14, 16)?;
        let created_ms = days * DAY_MS + (minutes * 60 + number(17, 19)?) * 1000 + number(20, 23)?;
        // Only the one spelling that is given out names the stream.
        (Label(created_ms).to_string() == label).then_some(created_ms)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date_from_days(self.0.div_euclid(DAY_MS));
        let ms = self.0.rem_euclid(DAY_MS);
        let (seconds, ms) = (ms / 1000, ms % 1000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(out, "{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{ms:03}")
    }
}

/// The date of a day since 1970 in the Gregorian calendar, reckoned in years that begin in March, so that the leap
/// day comes last.
fn date_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

fn days_from_date(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_dynamo::Error;
    use proptest::prelude::*;

    const OURS: Owner<'_> = Owner { region: "eu-west-1", account: "000000000000" };

    #[test]
    fn a_table_is_named_by_name_or_arn() {
        assert_eq!(OURS.table_name("Music").unwrap(), "Music");
        assert_eq!(OURS.table_name(&OURS.table("Music")).unwrap(), "Music");
        let refused = |arn: &str| OURS.table_name(arn).unwrap_err();
        let region = "arn:aws:dynamodb:us-east-1:000000000000:table/Music";
        assert_eq!(
            refused(region).to_string(),
            format!("1 validation error detected: Invalid AWS region in '{region}'")
        );
        let partition = "arn:aws-cn:dynamodb:eu-west-1:000000000000:table/Music";
        assert!(refused(partition).to_string().contains("Invalid AWS partition in"));
        let kind = "arn:aws:dynamodb:eu-west-1:000000000000:backup/Music";
        assert!(refused(kind).to_string().contains("Invalid resource type in"));
        for arn in [
            "arn:aws",
            "arn:aws:s3:eu-west-1:000000000000:table/Music",
            "arn:aws:dynamodb:eu-west-1:000000000000:table",
            &OURS.index("Music", "gsi"),
        ] {
            assert!(refused(arn).to_string().contains("Valid ARN format is"), "{arn}");
        }
        let account = refused("arn:aws:dynamodb:eu-west-1:123456789012:table/Music");
        assert!(matches!(account, Error::AccessDenied(_)));
    }

    #[test]
    fn tags_belong_to_tables() {
        assert_eq!(OURS.resource(&OURS.table("Music")).unwrap(), "Music");
        let cases = [
            ("Music", "One or more parameter values were invalid: ARNs must start with 'arn:': Music"),
            (
                "arn:not/a/good/format",
                "One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: arn:not/a/good/format",
            ),
            (
                "arn:aws:dynamodb:eu-west-1:000000000000:table/Music/index/gsi",
                "One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. Provided resource arn: arn:aws:dynamodb:eu-west-1:000000000000:table/Music/index/gsi",
            ),
            (
                "arn:aws:dynamodb:us-east-1:000000000000:table/Music",
                "Invalid TableArn: Invalid ResourceArn provided as input arn:aws:dynamodb:us-east-1:000000000000:table/Music",
            ),
        ];
        for (arn, sentence) in cases {
            assert_eq!(OURS.resource(arn).unwrap_err().to_string(), sentence);
        }
        let account = OURS.resource("arn:aws:dynamodb:eu-west-1:123456789012:table/Music");
        assert!(matches!(account, Err(Error::AccessDenied(_))));
    }

    #[test]
    fn a_stream_is_named_by_its_beginning() {
        let arn = OURS.stream("Music", 1_794_783_577_123);
        assert_eq!(arn, "arn:aws:dynamodb:eu-west-1:000000000000:table/Music/stream/2026-11-15T22:59:37.123");
        assert_eq!(OURS.stream_arn(&arn).unwrap(), ("Music", 1_794_783_577_123));
        assert!(matches!(OURS.stream_arn("arn:aws:dynamodb:x"), Err(Error::Validation(_))));
        let unknown = OURS.stream_arn("arn:aws:dynamodb:eu-west-1:000000000000:table/Music/stream/yesterday");
        assert!(matches!(unknown, Err(Error::ResourceNotFound(_))));
    }

    proptest! {
        #[test]
        fn labels_survive(created_ms in 0_i64..253_402_300_800_000) {
            let label = Label(created_ms).to_string();
            prop_assert_eq!(label.len(), 23);
            prop_assert_eq!(Label::parse(&label), Some(created_ms));
        }

        #[test]
        fn no_text_is_too_strange(text in ".{0,40}") {
            let _ = Label::parse(&text);
            let _ = OURS.table_name(&text);
            let _ = OURS.resource(&text);
            let _ = OURS.stream_arn(&text);
        }
    }
}
