//! TagResource, UntagResource, ListTagsOfResource.

use espalier_dynamo::Operation;
use espalier_dynamo::operation::table;

use super::table_parts::{self as parts, Tag};
use crate::fault::Fault;
use crate::fields::{List, Nested, Required, Text, members};
use crate::request::{Build, invalid};

/// A rule about the resource or its labels.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TagFault {
    /// No resource is named.
    #[error("Invalid TableArn")]
    NoArn,
    /// The resource is no table.
    #[error("Invalid TableArn: Invalid ResourceArn provided as input {0}")]
    NoTable(String),
    /// Nothing to add.
    #[error("Atleast one Tag needs to be provided as Input.")]
    NoTags,
    /// Nothing to remove.
    #[error("Atleast one Tag Key needs to be provided as Input.")]
    NoTagKeys,
}

members! {
    TagResource as "TagResourceInput" {
        "ResourceArn" arn: Text<1, 1_283>,
        "Tags" tags: Required<List<Nested<Tag>>>,
    }
}

impl Build for TagResource {
    fn prepare(&self) -> Result<(), Fault> {
        check_shape(&self.arn.0, "TagResource")
    }

    fn build(self) -> Result<Operation, Fault> {
        let arn = table_arn(self.arn.text())?;
        let tags = self.tags.get().map_or_empty(parts::tag);
        if tags.is_empty() {
            return Err(invalid(TagFault::NoTags));
        }
        Ok(Operation::TagResource(table::TagResource { arn, tags }))
    }
}

members! {
    UntagResource as "UntagResourceInput" {
        "ResourceArn" arn: Text<1, 1_283>,
        "TagKeys" keys: Required<List<Text<1, 128>>>,
    }
}

impl Build for UntagResource {
    fn prepare(&self) -> Result<(), Fault> {
        check_shape(&self.arn.0, "UntagResource")
    }

    fn build(self) -> Result<Operation, Fault> {
        let arn = table_arn(self.arn.text())?;
        let keys = self.keys.get().map_or_empty(Text::text);
        if keys.is_empty() {
            return Err(invalid(TagFault::NoTagKeys));
        }
        Ok(Operation::UntagResource(table::UntagResource { arn, keys }))
    }
}

members! {
    ListTagsOfResource as "ListTagsOfResourceInput" {
        "ResourceArn" arn: Text<1, 1_283>,
        "NextToken" next_token: Text,
    }
}

impl Build for ListTagsOfResource {
    fn prepare(&self) -> Result<(), Fault> {
        check_shape(&self.arn.0, "ListTagsOfResource")
    }

    fn build(self) -> Result<Operation, Fault> {
        let arn = table_arn(self.arn.text())?;
        Ok(Operation::ListTagsOfResource(table::ListTagsOfResource { arn, next_token: self.next_token.0 }))
    }
}

/// Whatever is not even shaped like an ARN is nothing the caller may touch; that is told before anything else.
fn check_shape(arn: &Option<String>, operation: &str) -> Result<(), Fault> {
    let Some(arn) = arn else { return Err(invalid(TagFault::NoArn)) };
    let fields: Vec<&str> = arn.splitn(6, ':').collect();
    let resource = fields.get(5).and_then(|resource| resource.split_once('/'));
    let shaped = fields.iter().all(|field| !field.is_empty())
        && resource.is_some_and(|(kind, name)| !kind.is_empty() && !name.is_empty());
    if shaped {
        return Ok(());
    }
    let resource = if arn.is_empty() { "*" } else { arn };
    let message = format!(
        "User: arn:aws:iam::000000000000:root is not authorized to perform: dynamodb:{operation} on resource: {resource}"
    );
    Err(Fault::AccessDenied { message })
}

/// Only tables have labels.
fn table_arn(arn: String) -> Result<String, Fault> {
    let is_table = arn.starts_with("arn:aws:dynamodb:")
        && arn.split_once(":table/").is_some_and(|(_, name)| name.len() >= 3 && !name.contains('/'));
    if is_table { Ok(arn) } else { Err(invalid(TagFault::NoTable(arn))) }
}
