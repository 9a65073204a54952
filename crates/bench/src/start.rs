//! Starting: from spawning a process to its first answer, on an empty folder and on a full one; and idle memory.

use std::path::Path;
use std::time::Duration;

use crate::contestant::Contestant;
use crate::load::send_all;
use crate::workload::{filling, first_item, preparation};
use crate::{Error, output};

/// What was found about one server.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Starts {
    pub(crate) cold_ms: f64,
    pub(crate) idle_mb: Option<f64>,
    pub(crate) reopen: Option<Reopen>,
}

/// Opening a folder with many items.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reopen {
    pub(crate) items: usize,
    pub(crate) clean_ms: f64,
    pub(crate) killed_ms: f64,
    pub(crate) idle_mb: Option<f64>,
}

const TIMES: usize = 5;

/// Starts the server on empty folders, and measures its memory once it has settled.
pub(crate) fn cold(contestant: &Contestant, work: &Path) -> Result<Starts, Error> {
    let mut times = Vec::new();
    let mut idle_mb = None;
    for number in 0..TIMES {
        let folder = work.join(format!("cold-{number}"));
        let running = contestant.start(&folder, first_item, &work.join("cold.log"))?;
        times.push(running.first_answer);
        if number + 1 == TIMES {
            std::thread::sleep(Duration::from_millis(500));
            idle_mb = running.memory_mb();
        }
        running.stop()?;
    }
    Ok(Starts { cold_ms: median_ms(&mut times), idle_mb, reopen: None })
}

/// Fills a folder, and opens it again after a clean stop and after a kill.
pub(crate) fn reopen(contestant: &Contestant, work: &Path, items: usize) -> Result<Reopen, Error> {
    let folder = work.join("reopen");
    let log = work.join("reopen.log");
    let name = contestant.who.name();
    let mut running = contestant.start(&folder, first_item, &log)?;
    output::progress(format!("loading {items} items into {name}"));
    send_all(name, running.address, preparation(running.address))?;
    send_all(name, running.address, filling(running.address, items as u64))?;
    let (mut clean, mut killed) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        running.stop()?;
        running = contestant.start(&folder, first_item, &log)?;
        clean.push(running.first_answer);
        // Something has to be in the log when the process is killed.
        send_all(name, running.address, filling(running.address, 50_000))?;
        running.kill()?;
        running = contestant.start(&folder, first_item, &log)?;
        killed.push(running.first_answer);
    }
    std::thread::sleep(Duration::from_secs(1));
    let idle_mb = running.memory_mb();
    running.stop()?;
    Ok(Reopen { items, clean_ms: median_ms(&mut clean), killed_ms: median_ms(&mut killed), idle_mb })
}

fn median_ms(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}
