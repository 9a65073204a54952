//! `espalier demo`: a small shop in one table, shown step by step, then served.

mod sample;
mod show;
mod tour;

use clap::Args;

use super::database;
use super::listen::{DEFAULT_PORT, Listen};
use crate::failure::Failure;
use crate::output;

/// Shows what it can do.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Keep the shop in this folder, instead of in memory.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<std::path::PathBuf>,
    /// End after the tour instead of serving.
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    listen: Listen,
}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.listen.address()?;
        let engine = database::open(self.data_dir.as_deref(), &self.listen.region)?;
        let ready = match self.listen.port {
            Some(port) => self.listen.bind(port, engine)?,
            // Nobody asked for a port, so any will do.
            None => match self.listen.bind(DEFAULT_PORT, engine.clone()) {
                Err(Failure::Port(_)) => self.listen.bind(0, engine)?,
                other => other?,
            },
        };
        let now = ready.engine.clone();
        ready.block_on(tour::walk(&now))?;
        drop(now);
        if self.once {
            return Ok(ready.engine.close()?);
        }
        hints(&ready.url(), &self.listen.region);
        ready.serve()
    }
}

fn hints(url: &str, region: &str) {
    output::line("\nThe shop is now served as DynamoDB. In another terminal:\n");
    output::line(format!("  export AWS_ENDPOINT_URL_DYNAMODB={url} AWS_ENDPOINT_URL_DYNAMODB_STREAMS={url}"));
    output::line(format!("  export AWS_ACCESS_KEY_ID=demo AWS_SECRET_ACCESS_KEY=demo AWS_REGION={region}"));
    output::line("  aws dynamodb scan --table-name shop");
    output::line(
        "  aws dynamodb query --table-name shop --key-condition-expression 'PK = :c' \\\n      \
         --expression-attribute-values '{\":c\": {\"S\": \"CUSTOMER#mira\"}}'",
    );
    output::line(
        "  aws dynamodb query --table-name shop --index-name by-status --key-condition-expression '#s = :s' \\\n      \
         --expression-attribute-names '{\"#s\": \"Status\"}' --expression-attribute-values '{\":s\": {\"S\": \"OPEN\"}}'",
    );
    output::line("  aws dynamodbstreams list-streams --table-name shop");
    output::line("\nCtrl-C ends it.");
}
