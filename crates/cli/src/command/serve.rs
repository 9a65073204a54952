//! `espalier serve`.

use clap::Args;

use super::database::{self, Place};
use super::listen::{DEFAULT_PORT, Listen};
use crate::failure::Failure;
use crate::output;

/// Serves DynamoDB's API.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    listen: Listen,
}

impl Serve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        // An unsafe address is refused before anything is made on disk.
        self.listen.address()?;
        let folder = self.place.folder();
        let engine = database::open(folder, &self.listen.region)?;
        let ready = self.listen.bind(self.listen.port.unwrap_or(DEFAULT_PORT), engine)?;
        let url = ready.url();
        let place = folder.map_or_else(
            || "memory, to be forgotten at the end".to_owned(),
            |folder| std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).display().to_string(),
        );
        output::line(format!(
            "espalier serves DynamoDB at {url} from {place}; for AWS SDKs and the AWS CLI: \
             export AWS_ENDPOINT_URL_DYNAMODB={url} (any credentials and region)"
        ));
        ready.serve()
    }
}
