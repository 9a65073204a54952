//! The AWS SDK for Rust's answers to `../scenarios.txt`.

mod items;
mod protocol;
mod reads;
mod scenario;
mod several;
mod statements;
mod tables;

use std::time::Instant;

use scenario::{Shop, failure_text};

#[tokio::main]
async fn main() {
    let endpoint = std::env::var("ESPALIER_ENDPOINT").expect("ESPALIER_ENDPOINT says where the server is");
    let modules = [
        tables::scenarios(),
        items::scenarios(),
        reads::scenarios(),
        several::scenarios(),
        statements::scenarios(),
        protocol::scenarios(),
    ];
    for (name, scenario) in modules.into_iter().flatten() {
        let began = Instant::now();
        // A task of its own: a failed assertion ends the scenario alone.
        let (verdict, message) = match tokio::spawn(scenario(Shop::new(&endpoint, name))).await {
            Ok(Ok(())) => ("passed", String::new()),
            Ok(Err(failure)) => ("failed", failure_text(&*failure)),
            Err(panic) => ("failed", panic.to_string()),
        };
        let message = message.replace(['\n', '\t'], " ");
        println!("{verdict}\t{name}\t{}\t{message}", began.elapsed().as_millis());
    }
}
