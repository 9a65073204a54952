//! TagResource, UntagResource, ListTagsOfResource.

use espalier_dynamo::Operation;
use espalier_dynamo::operation::table;

use super::table_parts::{self as parts, Tag};
use crate::fault::Fault;
use crate::fields::{List, Nested, Required, Text, members};
use crate::request::{Build, invalid};

/// No resource is named. Everything else about resources and their labels is the engine's to say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Invalid TableArn")]
pub struct NoArn;

members! {
    TagResource as "TagResourceInput" {
        "ResourceArn" arn: Text<1, 1_283>,
        "Tags" tags: Required<List<Nested<Tag>>>,
    }
}

impl Build for TagResource {
    fn prepare(&self) -> Result<(), Fault> {
        check_named(&self.arn.0)
    }

    fn build(self) -> Result<Operation, Fault> {
        let tags = self.tags.get().map_or_empty(parts::tag);
        Ok(Operation::TagResource(table::TagResource { arn: self.arn.text(), tags }))
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
        check_named(&self.arn.0)
    }

    fn build(self) -> Result<Operation, Fault> {
        let keys = self.keys.get().map_or_empty(Text::text);
        Ok(Operation::UntagResource(table::UntagResource { arn: self.arn.text(), keys }))
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
        check_named(&self.arn.0)
    }

    fn build(self) -> Result<Operation, Fault> {
        let (arn, next_token) = (self.arn.text(), self.next_token.0);
        Ok(Operation::ListTagsOfResource(table::ListTagsOfResource { arn, next_token }))
    }
}

/// A request about nothing is refused before anything else in it is looked at.
fn check_named(arn: &Option<String>) -> Result<(), Fault> {
    if arn.is_some() { Ok(()) } else { Err(invalid(NoArn)) }
}
