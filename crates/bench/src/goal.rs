//! What the project has set out to reach, and whether this run did.

use crate::contestant::Who;
use crate::run::Findings;
use crate::workload::Workload;

/// One goal and what was found.
#[derive(Debug, Clone)]
pub(crate) struct Goal {
    pub(crate) text: String,
    pub(crate) found: f64,
    pub(crate) wanted: f64,
    /// Whether less is better.
    pub(crate) at_most: bool,
}

impl Goal {
    pub(crate) fn is_met(&self) -> bool {
        if self.at_most { self.found <= self.wanted } else { self.found >= self.wanted }
    }
}

/// Ratios to the peer that is nearest, in file mode.
const TO_DYNOXIDE: [(Workload, f64); 7] = [
    (Workload::GetItem, 3.5),
    (Workload::PutItem, 5.0),
    (Workload::UpdateSpread, 5.0),
    (Workload::TransactWrite4, 4.0),
    (Workload::QueryTable, 5.0),
    (Workload::QueryIndex, 5.0),
    (Workload::BatchWrite25, 8.0),
];

/// Judges what was found at the largest number of connections. What was not measured is not judged.
pub(crate) fn judge(findings: &Findings) -> Vec<Goal> {
    let Some(connections) = findings.connections.iter().copied().max() else { return Vec::new() };
    let ratio = |workload, who, other_workload, other| {
        let found = findings.per_second(workload, connections, who)?;
        let base = findings.per_second(other_workload, connections, other)?;
        (base > 0.0).then(|| found / base)
    };
    let mut goals = Vec::new();
    let mut at_least = |text: String, found: Option<f64>, wanted: f64| {
        goals.extend(found.map(|found| Goal { text, found, wanted, at_most: false }));
    };
    for (workload, wanted) in TO_DYNOXIDE {
        let found = ratio(workload, Who::Durable, workload, Who::DynoxideFile);
        at_least(format!("{}: times dynoxide's file mode", workload.name()), found, wanted);
    }
    let found = ratio(Workload::GetItem, Who::Durable, Workload::GetItem, Who::Bare);
    at_least("GetItem: share of bare hyper".to_owned(), found, 0.6);
    let found = ratio(Workload::UpdateHot, Who::Durable, Workload::UpdateSpread, Who::Durable);
    at_least("UpdateItem: one hot item to spread ones".to_owned(), found, 0.9);
    for workload in Workload::ALL {
        let found = ratio(workload, Who::Durable, workload, Who::LocalDisk);
        at_least(format!("{}: times DynamoDB Local on disk", workload.name()), found, 10.0);
    }
    for workload in Workload::ALL {
        let found = ratio(workload, Who::Durable, workload, Who::InMemory);
        at_least(format!("{}: durable to in memory", workload.name()), found, 0.6);
    }
    goals.extend(times(findings, connections));
    goals
}

fn times(findings: &Findings, connections: usize) -> Vec<Goal> {
    let starts = findings.starts.get(&Who::Durable);
    let reopen = starts.and_then(|starts| starts.reopen);
    let put = findings.samples.get(&(Workload::PutItem, connections, Who::Durable));
    let items = reopen.map_or(0, |reopen| reopen.items);
    let goals = [
        ("PutItem: p99 in ms, durable".to_owned(), put.map(|sample| sample.p99_ms), 10.0),
        ("Start to first answer on an empty folder, ms".to_owned(), starts.map(|starts| starts.cold_ms), 30.0),
        (format!("Reopening {items} items after a clean stop, ms"), reopen.map(|reopen| reopen.clean_ms), 100.0),
        (format!("Reopening {items} items after a kill, ms"), reopen.map(|reopen| reopen.killed_ms), 1000.0),
        ("Idle memory, MB".to_owned(), starts.and_then(|starts| starts.idle_mb), 20.0),
    ];
    let goals = goals
        .into_iter()
        .filter_map(|(text, found, wanted)| found.map(|found| Goal { text, found, wanted, at_most: true }));
    goals.collect()
}
