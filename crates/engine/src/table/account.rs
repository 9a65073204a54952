//! What is told about the account as a whole.

use espalier_dynamo::operation::table::{ContinuousBackupsDescription, EndpointsOutput, LimitsOutput, Throughput};

/// For how long an address holds: a day.
const ENDPOINT_CACHE_MINUTES: i64 = 24 * 60;

/// What DescribeLimits tells: the capacity that Amazon gives an account at first. Nothing is limited here.
#[must_use]
pub fn limits() -> LimitsOutput {
    LimitsOutput {
        account: Throughput { read: 80_000, write: 80_000 },
        table: Throughput { read: 40_000, write: 40_000 },
    }
}

/// What DescribeEndpoints tells when nobody listens: Amazon's address of the region. A server puts its own there.
#[must_use]
pub fn endpoints(region: &str) -> EndpointsOutput {
    EndpointsOutput { address: format!("dynamodb.{region}.amazonaws.com"), cache_minutes: ENDPOINT_CACHE_MINUTES }
}

/// What DescribeContinuousBackups tells: there are no backups yet.
#[must_use]
pub fn continuous_backups() -> ContinuousBackupsDescription {
    ContinuousBackupsDescription { point_in_time_recovery: false }
}
