//! One run: start everybody, load, measure in interleaved rounds, judge, report.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::contestant::{Contestant, Running, Who};
use crate::load::{Connection, Sample, block_on, checked, measure, send_all};
use crate::options::{Options, build_folder};
use crate::start::Starts;
use crate::workload::{Workload, describe, first_item, loading, preparation};
use crate::{Error, goal, output, peer, report, start};

/// Bytes that the bare server answers: those of a GetItem.
const BARE_SIZE: &str = "330";

/// What was found: medians per workload, number of connections and contestant.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) who: Vec<Who>,
    pub(crate) workloads: Vec<Workload>,
    pub(crate) connections: Vec<usize>,
    pub(crate) samples: HashMap<(Workload, usize, Who), Sample>,
    pub(crate) starts: HashMap<Who, Starts>,
}

impl Findings {
    pub(crate) fn per_second(&self, workload: Workload, connections: usize, who: Who) -> Option<f64> {
        self.samples.get(&(workload, connections, who)).map(|sample| sample.per_second)
    }
}

pub(crate) fn run(options: &Options) -> Result<(), Error> {
    let contestants = contestants(options)?;
    let base = options.data_folder();
    let work = tempfile::Builder::new().prefix("bench-").tempdir_in(&base);
    let work = work.map_err(Error::io(format!("making a folder in {}", base.display())))?;
    let mut findings = Findings {
        who: contestants.iter().map(|contestant| contestant.who).collect(),
        workloads: options.workloads(),
        connections: options.connections(),
        ..Findings::default()
    };
    if !options.no_starts {
        measure_starts(options, &contestants, work.path(), &mut findings)?;
    }
    let servers = start_all(&contestants, work.path())?;
    measure_rounds(options, &servers, &mut findings)?;
    for server in servers {
        server.stop()?;
    }
    let goals = goal::judge(&findings);
    let text = report::write(&findings, &goals, options);
    output::line(&text);
    if let Some(file) = &options.markdown {
        std::fs::write(file, &text).map_err(Error::io(format!("writing {}", file.display())))?;
    }
    Ok(())
}

fn contestants(options: &Options) -> Result<Vec<Contestant>, Error> {
    let espalier = espalier(options)?;
    let ours = |who, program: &Path, place: &[&str], more: &[String]| {
        let mut contestant = Contestant::new(who, program, &["serve", "--port", "{port}"]);
        contestant.arguments.extend(place.iter().map(|text| (*text).to_owned()));
        contestant.arguments.extend(more.iter().filter(|text| !text.is_empty()).cloned());
        contestant
    };
    let on_disk = ["--data-dir", "{folder}/data"];
    let bare = std::env::current_exe().map_err(Error::io("looking for this program"))?;
    let mut all = vec![
        ours(Who::Durable, &espalier, &on_disk, &options.serve_args),
        ours(Who::InMemory, &espalier, &["--in-memory"], &options.serve_args),
        Contestant::new(Who::Bare, bare, &["bare", "{port}", BARE_SIZE]),
    ];
    if options.other_args.is_some() || options.other_espalier.is_some() {
        let program = options.other_espalier.as_deref().unwrap_or(&espalier);
        all.push(ours(Who::Other, program, &on_disk, options.other_args.as_deref().unwrap_or_default()));
    }
    let peers = peer::installed(&options.peer_folder());
    if peers.is_empty() && options.peers.is_empty() {
        output::progress("no peers are installed; `espalier-bench setup-peers` installs them");
    }
    all.extend(peers.into_iter().filter(|peer| options.wants_peer(peer.who.name())));
    Ok(all)
}

/// The binary under test: a named one, or this workspace's, built now if cargo runs us.
fn espalier(options: &Options) -> Result<PathBuf, Error> {
    if let Some(path) = &options.espalier {
        return std::fs::canonicalize(path).map_err(|_| Error::NoBinary(path.clone()));
    }
    if let Some(cargo) = std::env::var_os("CARGO") {
        output::progress("building espalier");
        let status = Command::new(cargo).args(["build", "--release", "--quiet", "-p", "espalier"]).status();
        if !status.map_err(Error::io("building espalier"))?.success() {
            return Err(Error::Command("cargo build --release -p espalier".to_owned()));
        }
    }
    let path = build_folder().join("espalier");
    if path.exists() { Ok(path) } else { Err(Error::NoBinary(path)) }
}

fn measure_starts(
    options: &Options,
    contestants: &[Contestant],
    work: &Path,
    findings: &mut Findings,
) -> Result<(), Error> {
    for contestant in contestants.iter().filter(|contestant| contestant.who != Who::Bare) {
        output::progress(format!("starting {}", contestant.who.name()));
        let folder = work.join(format!("starts-{:?}", contestant.who));
        let mut starts = start::cold(contestant, &folder)?;
        if contestant.who == Who::Durable && options.reopen_items() > 0 {
            starts.reopen = Some(start::reopen(contestant, &folder, options.reopen_items())?);
        }
        findings.starts.insert(contestant.who, starts);
        // What is left over would be read and written back while others are measured.
        let _ = std::fs::remove_dir_all(&folder);
    }
    Ok(())
}

fn start_all(contestants: &[Contestant], work: &Path) -> Result<Vec<Running>, Error> {
    let mut servers = Vec::new();
    for contestant in contestants {
        let name = contestant.who.name();
        let folder = work.join(format!("{:?}", contestant.who));
        let server = contestant.start(&folder, first_item, &work.join(format!("{:?}.log", contestant.who)))?;
        if contestant.who != Who::Bare {
            output::progress(format!("loading {name}"));
            send_all(name, server.address, preparation(server.address))?;
            for table in ["items", "people"] {
                wait_for_table(&server, table)?;
            }
            send_all(name, server.address, loading(server.address))?;
        }
        servers.push(server);
    }
    Ok(servers)
}

fn wait_for_table(server: &Running, table: &str) -> Result<(), Error> {
    let deadline = Instant::now() + Duration::from_secs(30);
    block_on(async {
        let mut connection = Connection::open(server.address).await.map_err(Error::io("connecting"))?;
        let question = describe(server.address, table);
        loop {
            let description = checked(server.who.name(), &mut connection, &question).await?;
            if description.contains(r#""TableStatus":"ACTIVE""#) {
                return Ok(());
            }
            if Instant::now() > deadline {
                return Err(Error::NotUp(
                    format!("the table {table} of {}", server.who.name()),
                    Duration::from_secs(30),
                ));
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
}

fn measure_rounds(options: &Options, servers: &[Running], findings: &mut Findings) -> Result<(), Error> {
    let duration = options.duration();
    for workload in options.workloads() {
        for connections in options.connections() {
            output::progress(format!("{} at {connections}", workload.name()));
            let mut rounds: HashMap<Who, Vec<Sample>> = HashMap::new();
            for _ in 0..options.rounds() {
                for server in servers.iter().filter(|server| takes_part(server.who, workload)) {
                    let request = workload.request(server.address);
                    match measure(server, &request, connections, duration) {
                        Ok(sample) => rounds.entry(server.who).or_default().push(sample),
                        Err(error) if matches!(server.who, Who::Durable | Who::InMemory | Who::Other) => {
                            return Err(error);
                        }
                        // A peer that breaks under load is left out of this line; that is a finding, too.
                        Err(error) => output::error(error),
                    }
                }
            }
            for (who, samples) in rounds {
                findings.samples.insert((workload, connections, who), median(samples));
            }
        }
    }
    Ok(())
}

fn takes_part(who: Who, workload: Workload) -> bool {
    who != Who::Bare || workload == Workload::GetItem
}

fn median(samples: Vec<Sample>) -> Sample {
    let middle = |pick: fn(&Sample) -> f64| {
        let mut values: Vec<f64> = samples.iter().map(pick).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    Sample {
        per_second: middle(|sample| sample.per_second),
        p50_ms: middle(|sample| sample.p50_ms),
        p99_ms: middle(|sample| sample.p99_ms),
        cpu_us: middle(|sample| sample.cpu_us),
    }
}
