//! One function per operation: parses and binds everything in a request once, and applies the rules about
//! expressions and legacy parameters that need nothing but the request, in DynamoDB's order.

use std::collections::{BTreeMap, HashSet};

use super::bind::Bindings;
use super::error::Clause;
use super::{Condition, KeyCondition, KeyConditionError, Projection, Update, legacy};
use crate::error::{Error, Result};
use crate::operation::batch::{BatchGetItem, KeysAndAttributes};
use crate::operation::item::{DeleteItem, GetItem, PutItem, UpdateItem};
use crate::operation::option::{ConditionalOperator, LegacyCondition, LegacyExpectations, Names, Values};
use crate::operation::page::{Query, Scan};
use crate::operation::transaction::{TransactAction, TransactGet, TransactWrite};
use crate::path::Path;

/// What is wrong with the parameters of a request, before any of them is looked into.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// Expressions and legacy parameters together.
    #[error(
        "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {{{}}} Expression parameters: {{{}}}", legacy.join(", "), expressions.join(", ")
    )]
    Mixed {
        /// The legacy parameters.
        legacy: Vec<&'static str>,
        /// The expressions.
        expressions: Vec<&'static str>,
    },
    /// Stand-ins for names, but no expression.
    #[error("ExpressionAttributeNames can only be specified when using expressions")]
    NamesAlone,
    /// Stand-ins for values, but no expression that could use them.
    #[error("ExpressionAttributeValues can only be specified when using expressions: {} {} null", .0.join(" and "), if .0.len() > 1 { "are" } else { "is" })]
    ValuesAlone(Vec<&'static str>),
    /// A Query without a key condition.
    #[error("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")]
    NoKeyCondition,
    /// `AttributesToGet` with an attribute twice.
    #[error("One or more parameter values were invalid: Duplicate value in attribute name: {0}")]
    DuplicateAttribute(String),
    /// `ConditionalOperator` with nothing to join.
    #[error("ConditionalOperator cannot be used without Filter or Expected")]
    NothingToJoin,
    /// `ConditionalOperator` with one condition.
    #[error("ConditionalOperator can only be used when Filter or Expected has two or more elements")]
    OneToJoin,
}

/// What a Query asks for.
#[derive(Debug, Clone)]
pub struct BoundQuery {
    /// Which partition, and which part of it.
    pub key: KeyCondition,
    /// Which of the items read to return.
    pub filter: Option<Condition>,
    /// What to return of each item.
    pub projection: Option<Projection>,
}

/// What a Scan asks for.
#[derive(Debug, Clone)]
pub struct BoundScan {
    /// Which of the items read to return.
    pub filter: Option<Condition>,
    /// What to return of each item.
    pub projection: Option<Projection>,
}

/// PutItem's condition.
pub fn put(request: &PutItem) -> Result<Option<Condition>> {
    write_condition(
        request.condition_expression.as_deref(),
        &request.names,
        &request.values,
        &request.expected,
        request.conditional_operator,
    )
}

/// DeleteItem's condition.
pub fn delete(request: &DeleteItem) -> Result<Option<Condition>> {
    write_condition(
        request.condition_expression.as_deref(),
        &request.names,
        &request.values,
        &request.expected,
        request.conditional_operator,
    )
}

/// UpdateItem's change and condition.
pub fn update(request: &UpdateItem) -> Result<(Option<Update>, Option<Condition>)> {
    check_parameters(
        &[
            (UPDATE_EXPRESSION, request.update_expression.is_some()),
            (CONDITION_EXPRESSION, request.condition_expression.is_some()),
        ],
        &[
            ("AttributeUpdates", request.attribute_updates.is_some()),
            (EXPECTED, request.expected.is_some()),
            (CONDITIONAL_OPERATOR, request.conditional_operator.is_some()),
        ],
        &request.names,
        &request.values,
    )?;
    request.attribute_updates.iter().try_for_each(legacy::check_updates)?;
    let expected = expectations(&request.expected, request.conditional_operator)?;
    let mut bindings = Bindings::new(request.names.as_ref(), request.values.as_ref())?;
    let update = request.update_expression.as_deref().map(|text| bindings.update(text)).transpose()?;
    let condition = bind_condition(&mut bindings, request.condition_expression.as_deref())?;
    bindings.finish()?;
    let update = update.or_else(|| request.attribute_updates.as_ref().and_then(legacy::updates));
    Ok((update, condition.or(expected)))
}

/// GetItem's projection.
pub fn get(request: &GetItem) -> Result<Option<Projection>> {
    projection(request.projection_expression.as_deref(), &request.names, request.attributes_to_get.as_deref())
}

/// Refuses a BatchGetItem in which some tables use expressions and others legacy parameters.
pub fn batch_get(request: &BatchGetItem) -> Result<()> {
    let any = |given: fn(&KeysAndAttributes) -> bool| request.requests.iter().any(|(_, reads)| given(reads));
    check_parameters(
        &[(PROJECTION_EXPRESSION, any(|reads| reads.projection_expression.is_some()))],
        &[(ATTRIBUTES_TO_GET, any(|reads| reads.attributes_to_get.is_some()))],
        &None,
        &None,
    )
}

/// The projection of one table of a BatchGetItem.
pub fn keys_and_attributes(request: &KeysAndAttributes) -> Result<Option<Projection>> {
    projection(request.projection_expression.as_deref(), &request.names, request.attributes_to_get.as_deref())
}

/// The rules of a Query that come before its start key is looked at; what `AttributesToGet` wants.
pub fn query_parameters(request: &Query) -> Result<Option<Projection>> {
    check_parameters(
        &[
            (PROJECTION_EXPRESSION, request.projection_expression.is_some()),
            (FILTER_EXPRESSION, request.filter_expression.is_some()),
            (KEY_CONDITION_EXPRESSION, request.key_condition_expression.is_some()),
        ],
        &[
            (ATTRIBUTES_TO_GET, request.attributes_to_get.is_some()),
            ("QueryFilter", request.query_filter.is_some()),
            (CONDITIONAL_OPERATOR, request.conditional_operator.is_some()),
            // Other expressions may go with a legacy key condition.
            ("KeyConditions", request.key_conditions.is_some() && request.key_condition_expression.is_some()),
        ],
        &request.names,
        &request.values,
    )?;
    request.query_filter.iter().try_for_each(legacy::check_conditions)?;
    check_conditional_operator(request.conditional_operator, request.query_filter.as_ref().map(|map| map.len()))?;
    attributes_to_get(request.attributes_to_get.as_deref())
}

/// Query's key condition, filter and projection.
pub fn query(request: &Query) -> Result<BoundQuery> {
    let legacy_projection = query_parameters(request)?;
    if request.key_conditions.is_none() && request.key_condition_expression.is_none() {
        return Err(Error::invalid(ParameterError::NoKeyCondition));
    }

    let mut bindings = Bindings::new(request.names.as_ref(), request.values.as_ref())?;
    let key = request.key_condition_expression.as_deref();
    let key = key.map(|text| bindings.condition(text, Clause::KeyCondition)).transpose()?;
    let filter = bind_filter(&mut bindings, request.filter_expression.as_deref())?;
    let projection = bind_projection(&mut bindings, request.projection_expression.as_deref())?;
    bindings.finish()?;

    let key = match (key, &request.key_conditions) {
        (Some(condition), _) => KeyCondition::from_condition(condition)?,
        (None, Some(conditions)) => legacy_key(conditions)?,
        (None, None) => return Err(Error::invalid(ParameterError::NoKeyCondition)),
    };
    let filter = filter.or_else(|| {
        request.query_filter.as_ref().and_then(|map| legacy::conditions(map, request.conditional_operator))
    });
    Ok(BoundQuery { key, filter, projection: projection.or(legacy_projection) })
}

/// The rules of a Scan that come before its start key and segment are looked at; what `AttributesToGet` wants.
pub fn scan_parameters(request: &Scan) -> Result<Option<Projection>> {
    check_parameters(
        &[
            (PROJECTION_EXPRESSION, request.projection_expression.is_some()),
            (FILTER_EXPRESSION, request.filter_expression.is_some()),
        ],
        &[
            (ATTRIBUTES_TO_GET, request.attributes_to_get.is_some()),
            ("ScanFilter", request.scan_filter.is_some()),
            (CONDITIONAL_OPERATOR, request.conditional_operator.is_some()),
        ],
        &request.names,
        &request.values,
    )?;
    let legacy_projection = attributes_to_get(request.attributes_to_get.as_deref())?;
    request.scan_filter.iter().try_for_each(legacy::check_conditions)?;
    check_conditional_operator(request.conditional_operator, request.scan_filter.as_ref().map(|map| map.len()))?;
    Ok(legacy_projection)
}

/// Scan's filter and projection.
pub fn scan(request: &Scan) -> Result<BoundScan> {
    let legacy_projection = scan_parameters(request)?;
    let mut bindings = Bindings::new(request.names.as_ref(), request.values.as_ref())?;
    let filter = bind_filter(&mut bindings, request.filter_expression.as_deref())?;
    let projection = bind_projection(&mut bindings, request.projection_expression.as_deref())?;
    bindings.finish()?;
    let filter = filter
        .or_else(|| request.scan_filter.as_ref().and_then(|map| legacy::conditions(map, request.conditional_operator)));
    Ok(BoundScan { filter, projection: projection.or(legacy_projection) })
}

/// The projection of one read of a transaction.
pub fn transact_get(request: &TransactGet) -> Result<Option<Projection>> {
    projection(request.projection_expression.as_deref(), &request.names, None)
}

/// The change and condition of one write of a transaction.
pub fn transact_write(request: &TransactWrite) -> Result<(Option<Update>, Option<Condition>)> {
    let update = match &request.action {
        TransactAction::Update { update_expression, .. } => Some(update_expression.as_str()),
        TransactAction::Put(_) | TransactAction::Delete(_) | TransactAction::ConditionCheck(_) => None,
    };
    let condition = (CONDITION_EXPRESSION, request.condition_expression.is_some());
    match update {
        Some(_) => check_parameters(&[(UPDATE_EXPRESSION, true), condition], &[], &request.names, &request.values)?,
        None => check_parameters(&[condition], &[], &request.names, &request.values)?,
    }
    let mut bindings = Bindings::new(request.names.as_ref(), request.values.as_ref())?;
    let update = update.map(|text| bindings.update(text)).transpose()?;
    let condition = bind_condition(&mut bindings, request.condition_expression.as_deref())?;
    bindings.finish()?;
    Ok((update, condition))
}

const ATTRIBUTES_TO_GET: &str = "AttributesToGet";
const CONDITIONAL_OPERATOR: &str = "ConditionalOperator";
const EXPECTED: &str = "Expected";
const CONDITION_EXPRESSION: &str = Clause::Condition.name();
const FILTER_EXPRESSION: &str = Clause::Filter.name();
const KEY_CONDITION_EXPRESSION: &str = Clause::KeyCondition.name();
const PROJECTION_EXPRESSION: &str = Clause::Projection.name();
const UPDATE_EXPRESSION: &str = Clause::Update.name();

/// Parameters by name, and whether the request has them. An empty map counts.
type Given<'p> = &'p [(&'static str, bool)];

fn check_parameters(expressions: Given<'_>, legacy: Given<'_>, names: &Names, values: &Values) -> Result<()> {
    let given = |parameters: Given<'_>| -> Vec<&'static str> {
        parameters.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect()
    };
    let has_expression = expressions.iter().any(|(_, given)| *given);
    if has_expression && legacy.iter().any(|(_, given)| *given) {
        return Err(Error::invalid(ParameterError::Mixed { legacy: given(legacy), expressions: given(expressions) }));
    }
    if names.is_some() && !has_expression {
        return Err(Error::invalid(ParameterError::NamesAlone));
    }
    // A projection has no use for values.
    let mut users = expressions.iter().filter(|(name, _)| *name != PROJECTION_EXPRESSION);
    if values.is_some() && !users.clone().any(|(_, given)| *given) {
        return Err(Error::invalid(ParameterError::ValuesAlone(users.by_ref().map(|(name, _)| *name).collect())));
    }
    Ok(())
}

fn check_conditional_operator(operator: Option<ConditionalOperator>, conditions: Option<usize>) -> Result<()> {
    match (operator, conditions) {
        (None, _) | (Some(_), Some(2..)) => Ok(()),
        (Some(_), None | Some(0)) => Err(Error::invalid(ParameterError::NothingToJoin)),
        (Some(_), Some(_)) => Err(Error::invalid(ParameterError::OneToJoin)),
    }
}

fn write_condition(
    condition: Option<&str>,
    names: &Names,
    values: &Values,
    expected: &LegacyExpectations,
    operator: Option<ConditionalOperator>,
) -> Result<Option<Condition>> {
    check_parameters(
        &[(CONDITION_EXPRESSION, condition.is_some())],
        &[(EXPECTED, expected.is_some()), (CONDITIONAL_OPERATOR, operator.is_some())],
        names,
        values,
    )?;
    let expected = expectations(expected, operator)?;
    let mut bindings = Bindings::new(names.as_ref(), values.as_ref())?;
    let condition = bind_condition(&mut bindings, condition)?;
    bindings.finish()?;
    Ok(condition.or(expected))
}

fn expectations(expected: &LegacyExpectations, operator: Option<ConditionalOperator>) -> Result<Option<Condition>> {
    expected.iter().try_for_each(legacy::check_expected)?;
    check_conditional_operator(operator, expected.as_ref().map(|map| map.len()))?;
    Ok(expected.as_ref().and_then(|map| legacy::expected(map, operator)))
}

fn bind_condition<'r>(bindings: &mut Bindings<'r>, text: Option<&'r str>) -> Result<Option<Condition>> {
    text.map(|text| bindings.condition(text, Clause::Condition)).transpose()
}

fn bind_filter<'r>(bindings: &mut Bindings<'r>, text: Option<&'r str>) -> Result<Option<Condition>> {
    text.map(|text| bindings.condition(text, Clause::Filter)).transpose()
}

fn bind_projection<'r>(bindings: &mut Bindings<'r>, text: Option<&'r str>) -> Result<Option<Projection>> {
    text.map(|text| bindings.projection(text)).transpose()
}

fn projection(text: Option<&str>, names: &Names, attributes: Option<&[String]>) -> Result<Option<Projection>> {
    check_parameters(
        &[(PROJECTION_EXPRESSION, text.is_some())],
        &[(ATTRIBUTES_TO_GET, attributes.is_some())],
        names,
        &None,
    )?;
    let legacy_projection = attributes_to_get(attributes)?;
    let mut bindings = Bindings::new(names.as_ref(), None)?;
    let projection = bind_projection(&mut bindings, text)?;
    bindings.finish()?;
    Ok(projection.or(legacy_projection))
}

fn attributes_to_get(attributes: Option<&[String]>) -> Result<Option<Projection>> {
    let Some(attributes) = attributes else {
        return Ok(None);
    };
    let mut seen = HashSet::with_capacity(attributes.len());
    if let Some(twice) = attributes.iter().find(|name| !seen.insert(name.as_str())) {
        return Err(Error::invalid(ParameterError::DuplicateAttribute(twice.clone())));
    }
    let paths: Vec<Path> = attributes.iter().map(Path::attribute).collect();
    Ok(Some(Projection::from_disjoint(paths.iter().collect())))
}

fn legacy_key(conditions: &BTreeMap<String, LegacyCondition>) -> Result<KeyCondition> {
    legacy::check_conditions(conditions)?;
    if conditions.is_empty() {
        return Err(Error::invalid(KeyConditionError::Count));
    }
    Ok(legacy::key_conditions(conditions))
}
