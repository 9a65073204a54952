//! Rules about capacity: reserved, on demand, warm; of tables and of indexes.

use std::fmt;

use espalier_dynamo::operation::table::{BillingMode, OptionalThroughput, Throughput, ThroughputDescription};

/// The most capacity that a request may name at all.
const UNITS_MAX: i64 = 1_000_000_000_000;
/// What an on-demand table can take from the start.
pub const ON_DEMAND_WARM: Throughput = Throughput { read: 12_000, write: 4_000 };
/// In UpdateTable: takes a ceiling away.
const NO_CEILING: i64 = -1;
/// Milliseconds of a UTC day.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// What is wrong with capacity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThroughputError {
    /// Reserved capacity for a table on demand.
    #[error(
        "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
    )]
    ReservedOnDemand,
    /// CreateTable without reserved capacity.
    #[error(
        "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
    )]
    NotReserved,
    /// UpdateTable to reserved capacity, without it.
    #[error(
        "One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode is PROVISIONED"
    )]
    SwitchNotReserved,
    /// UpdateTable to reserved capacity, without that of indexes.
    #[error("One or more parameter values were invalid: ProvisionedThroughput must be specified for index: {0}")]
    SwitchIndexNotReserved(String),
    /// A number beyond all bounds.
    #[error("Given value {value} for {member} is out of bounds{of}")]
    OutOfBounds {
        /// The number.
        value: i64,
        /// Its member.
        member: &'static str,
        /// Of an index.
        of: OfIndex,
    },
    /// UpdateTable with such a number for an index.
    #[error(
        "This operation cannot be performed with given input values. Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate"
    )]
    IndexUpdateBlocked,
    /// CreateTable with reserved capacity for an index of a table on demand.
    #[error(
        "One or more parameter values were invalid: ProvisionedThroughput should not be specified for index: {0} when BillingMode is PAY_PER_REQUEST"
    )]
    IndexReservedOnDemand(String),
    /// CreateTable without reserved capacity for an index.
    #[error("One or more parameter values were invalid: ProvisionedThroughput is not specified for index: {0}")]
    IndexNotReserved(String),
    /// UpdateTable with reserved capacity for a new index of a table on demand.
    #[error(
        "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: {0} when BillingMode is PAY_PER_REQUEST"
    )]
    NewIndexReservedOnDemand(String),
    /// UpdateTable without reserved capacity for an index.
    #[error(
        "One or more parameter values were invalid: Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {0}"
    )]
    NewIndexNotReserved(String),
    /// UpdateTable with reserved capacity for an index of a table on demand.
    #[error(
        "One or more parameter values were invalid: The only Updates for index: {0} when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput"
    )]
    IndexUpdateOnDemand(String),
    /// UpdateTable with the capacity that the table has.
    #[error(
        "The provisioned throughput for the {target} will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the {noun}: {read}. Requested ReadCapacityUnits: {read}. Current WriteCapacityUnits provisioned for the {noun}: {write}. Requested WriteCapacityUnits: {write}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
        noun = .target.noun(), read = .current.read, write = .current.write
    )]
    Unchanged {
        /// Of what.
        target: Target,
        /// What it has.
        current: Throughput,
    },
    /// CreateTable with ceilings for a table of reserved capacity.
    #[error(
        "One or more parameter values were invalid: {member} for OnDemandThroughput{} cannot be specified when table BillingMode is PROVISIONED.",
        .target.of_index()
    )]
    CeilingReserved {
        /// The first ceiling.
        member: &'static str,
        /// Of what.
        target: Target,
    },
    /// UpdateTable with ceilings for a table of reserved capacity.
    #[error(
        "One or more parameter values were invalid: {member} for OnDemandThroughput{} cannot be specified when the table BillingMode is PROVISIONED",
        .target.of_index()
    )]
    UpdateCeilingReserved {
        /// The first ceiling.
        member: &'static str,
        /// Of what.
        target: Target,
    },
    /// A ceiling below one.
    #[error(
        "One or more parameter values were invalid: Requested {member} for OnDemandThroughput for {} is outside of valid range",
        .target.with_colon()
    )]
    CeilingRange {
        /// The ceiling.
        member: &'static str,
        /// Of what.
        target: Target,
    },
    /// Less warm throughput than every table on demand has.
    #[error(
        "One or more parameter values were invalid: Requested {member} for WarmThroughput for {target} is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
    )]
    WarmBelowInitial {
        /// The number.
        member: &'static str,
        /// Of what.
        target: Target,
    },
    /// Less warm throughput than reserved capacity.
    #[error(
        "One or more parameter values were invalid: Requested {member} for WarmThroughput for {target} is lower than {reserved} of ProvisionedThroughput"
    )]
    WarmBelowReserved {
        /// The number.
        member: &'static str,
        /// Of what.
        target: Target,
        /// The reserved number.
        reserved: &'static str,
    },
    /// Warm throughput never goes down.
    #[error(
        "One or more parameter values were invalid: Requested {member} for WarmThroughput for {target} is lower than current WarmThroughput, decreasing WarmThroughput is not supported"
    )]
    WarmDecrease {
        /// The number.
        member: &'static str,
        /// Of what.
        target: Target,
    },
}

impl From<ThroughputError> for espalier_dynamo::Error {
    fn from(cause: ThroughputError) -> Self {
        Self::invalid(cause)
    }
}

/// What a rule speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The table.
    Table,
    /// An index.
    Index(String),
}

impl Target {
    fn noun(&self) -> &'static str {
        match self {
            Target::Table => "table",
            Target::Index(_) => "index",
        }
    }

    fn of_index(&self) -> String {
        match self {
            Target::Table => String::new(),
            Target::Index(name) => format!(" for index: {name}"),
        }
    }

    /// Amazon writes a space before this colon.
    fn with_colon(&self) -> String {
        match self {
            Target::Table => "table".to_owned(),
            Target::Index(name) => format!("index : {name}"),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Table => out.write_str("table"),
            Target::Index(name) => write!(out, "index {name}"),
        }
    }
}

/// The end of a sentence that may speak of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfIndex(Option<String>);

impl fmt::Display for OfIndex {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |name| write!(out, " for index {name}"))
    }
}

/// How a table is paid for when nothing is said.
#[must_use]
pub fn mode(billing_mode: Option<BillingMode>) -> BillingMode {
    billing_mode.unwrap_or(BillingMode::Provisioned)
}

/// Ceilings or warm throughput, unless both numbers are absent: Amazon takes that as not given.
#[must_use]
pub fn given(throughput: Option<OptionalThroughput>) -> Option<OptionalThroughput> {
    throughput.filter(|throughput| throughput.read.is_some() || throughput.write.is_some())
}

/// Checks numbers that no table could have.
pub fn check_bounds(throughput: Throughput, target: &Target) -> Result<(), ThroughputError> {
    let of = OfIndex(match target {
        Target::Table => None,
        Target::Index(name) => Some(name.clone()),
    });
    for (value, member) in [(throughput.read, "ReadCapacityUnits"), (throughput.write, "WriteCapacityUnits")] {
        if value > UNITS_MAX {
            return Err(ThroughputError::OutOfBounds { value, member, of });
        }
    }
    Ok(())
}

/// Whether the numbers are such that no table could have them.
#[must_use]
pub fn is_out_of_bounds(throughput: Throughput) -> bool {
    throughput.read > UNITS_MAX || throughput.write > UNITS_MAX
}

/// Checks the reserved capacity of a new table.
pub fn check_table(mode: BillingMode, throughput: Option<Throughput>) -> Result<Throughput, ThroughputError> {
    match (mode, throughput) {
        (BillingMode::PayPerRequest, Some(_)) => Err(ThroughputError::ReservedOnDemand),
        (BillingMode::PayPerRequest, None) => Ok(Throughput::default()),
        (BillingMode::Provisioned, None) => Err(ThroughputError::NotReserved),
        (BillingMode::Provisioned, Some(throughput)) => {
            check_bounds(throughput, &Target::Table)?;
            Ok(throughput)
        }
    }
}

/// Checks the ceilings of a new table or index.
pub fn check_ceilings(
    mode: BillingMode,
    ceilings: Option<OptionalThroughput>,
    target: &Target,
) -> Result<Option<OptionalThroughput>, ThroughputError> {
    let Some(ceilings) = given(ceilings) else { return Ok(None) };
    if mode == BillingMode::Provisioned {
        let member = first_member(ceilings);
        return Err(ThroughputError::CeilingReserved { member, target: target.clone() });
    }
    check_range(ceilings, target, |value| value >= 1)?;
    Ok(Some(ceilings))
}

/// Merges ceilings into those of a table or index; −1 takes one away.
pub fn merge_ceilings(
    mode: BillingMode,
    current: Option<OptionalThroughput>,
    ceilings: OptionalThroughput,
    target: &Target,
) -> Result<Option<OptionalThroughput>, ThroughputError> {
    if mode == BillingMode::Provisioned {
        let member = first_member(ceilings);
        return Err(ThroughputError::UpdateCeilingReserved { member, target: target.clone() });
    }
    check_range(ceilings, target, |value| value >= 1 || value == NO_CEILING)?;
    let current = current.unwrap_or_default();
    let merge = |new: Option<i64>, old: Option<i64>| new.or(old).filter(|value| *value != NO_CEILING);
    let merged =
        OptionalThroughput { read: merge(ceilings.read, current.read), write: merge(ceilings.write, current.write) };
    Ok(given(Some(merged)))
}

/// The warm throughput of a new table or index: what is asked for, and at least what it starts with.
pub fn check_warm(
    mode: BillingMode,
    reserved: Throughput,
    warm: Option<OptionalThroughput>,
    target: &Target,
) -> Result<OptionalThroughput, ThroughputError> {
    let least = match mode {
        BillingMode::PayPerRequest => ON_DEMAND_WARM,
        BillingMode::Provisioned => reserved,
    };
    let warm = warm.unwrap_or_default();
    for (value, least, member, reserved) in members(warm, least) {
        if value.is_some_and(|value| value < least) {
            let target = target.clone();
            return Err(match mode {
                BillingMode::PayPerRequest => ThroughputError::WarmBelowInitial { member, target },
                BillingMode::Provisioned => ThroughputError::WarmBelowReserved { member, target, reserved },
            });
        }
    }
    Ok(OptionalThroughput {
        read: Some(warm.read.unwrap_or(least.read)),
        write: Some(warm.write.unwrap_or(least.write)),
    })
}

/// Raises warm throughput, as a request asks.
pub fn raise_warm(
    current: Option<OptionalThroughput>,
    warm: OptionalThroughput,
    target: &Target,
) -> Result<OptionalThroughput, ThroughputError> {
    let current = current.unwrap_or_default();
    let least = Throughput { read: current.read.unwrap_or(0), write: current.write.unwrap_or(0) };
    for (value, least, member, _) in members(warm, least) {
        if value.is_some_and(|value| value < least) {
            return Err(ThroughputError::WarmDecrease { member, target: target.clone() });
        }
    }
    Ok(OptionalThroughput { read: warm.read.or(current.read), write: warm.write.or(current.write) })
}

/// Warm throughput follows capacity up, and never down.
#[must_use]
pub fn follow(current: Option<OptionalThroughput>, capacity: Throughput) -> OptionalThroughput {
    let current = current.unwrap_or_default();
    OptionalThroughput {
        read: Some(current.read.unwrap_or(0).max(capacity.read)),
        write: Some(current.write.unwrap_or(0).max(capacity.write)),
    }
}

/// Changes reserved capacity, with its history. Amazon's answer tells when the change began, and DescribeTable
/// later tells when it was done; here that is a millisecond later.
pub fn change(
    current: ThroughputDescription,
    requested: Throughput,
    now_ms: i64,
    target: &Target,
) -> Result<ThroughputDescription, ThroughputError> {
    let old = current.throughput;
    if old == requested {
        return Err(ThroughputError::Unchanged { target: target.clone(), current: old });
    }
    let done_ms = now_ms + 1;
    let mut changed = ThroughputDescription { throughput: requested, ..current };
    changed.decreases_today = decreases_today(&current, now_ms);
    if requested.read > old.read || requested.write > old.write {
        changed.last_increase_ms = Some(done_ms);
    }
    if requested.read < old.read || requested.write < old.write {
        changed.last_decrease_ms = Some(done_ms);
        changed.decreases_today += 1;
    }
    Ok(changed)
}

/// How often capacity was lowered in the UTC day of a moment.
#[must_use]
pub fn decreases_today(throughput: &ThroughputDescription, now_ms: i64) -> i64 {
    let same_day = |then: i64| then.div_euclid(DAY_MS) == now_ms.div_euclid(DAY_MS);
    if throughput.last_decrease_ms.is_some_and(same_day) { throughput.decreases_today } else { 0 }
}

fn first_member(ceilings: OptionalThroughput) -> &'static str {
    if ceilings.read.is_some() { "MaxReadRequestUnits" } else { "MaxWriteRequestUnits" }
}

fn check_range(
    ceilings: OptionalThroughput,
    target: &Target,
    is_valid: impl Fn(i64) -> bool,
) -> Result<(), ThroughputError> {
    for (value, member) in [(ceilings.read, "MaxReadRequestUnits"), (ceilings.write, "MaxWriteRequestUnits")] {
        if value.is_some_and(|value| !is_valid(value)) {
            return Err(ThroughputError::CeilingRange { member, target: target.clone() });
        }
    }
    Ok(())
}

fn members(warm: OptionalThroughput, least: Throughput) -> [(Option<i64>, i64, &'static str, &'static str); 2] {
    [
        (warm.read, least.read, "ReadUnitsPerSecond", "ReadCapacityUnits"),
        (warm.write, least.write, "WriteUnitsPerSecond", "WriteCapacityUnits"),
    ]
}
