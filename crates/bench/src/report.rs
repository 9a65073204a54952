//! The report, in Markdown that also reads well in a terminal.

use std::fmt::Write;

use crate::contestant::Who;
use crate::goal::Goal;
use crate::options::Options;
use crate::run::Findings;

pub(crate) fn write(findings: &Findings, goals: &[Goal], options: &Options) -> String {
    let mut text = String::new();
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    line(
        &mut text,
        &format!(
            "Medians of {} rounds of {:.1} s, all servers and the load on one machine with {cores} cores. \
         Every cell: requests a second (p50 / p99 in ms; the server's processor time per request in µs).\n",
            options.rounds(),
            options.duration().as_secs_f64()
        ),
    );
    throughput(&mut text, findings);
    starts(&mut text, findings);
    goals_table(&mut text, goals);
    text
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn row(text: &mut String, cells: &[String]) {
    line(text, &format!("| {} |", cells.join(" | ")));
}

fn head(text: &mut String, cells: &[String]) {
    row(text, cells);
    let rule: Vec<_> = cells.iter().enumerate().map(|(place, _)| if place == 0 { "---" } else { "---:" }).collect();
    line(text, &format!("|{}|", rule.join("|")));
}

fn throughput(text: &mut String, findings: &Findings) {
    for connections in &findings.connections {
        let mut cells = vec![format!("{connections} connections")];
        cells.extend(findings.who.iter().map(|who| who.name().to_owned()));
        head(text, &cells);
        for workload in &findings.workloads {
            let mut cells = vec![workload.name().to_owned()];
            for who in &findings.who {
                cells.push(findings.samples.get(&(*workload, *connections, *who)).map_or_else(String::new, |sample| {
                    format!(
                        "{:.0} ({:.2} / {:.2}; {:.0})",
                        sample.per_second, sample.p50_ms, sample.p99_ms, sample.cpu_us
                    )
                }));
            }
            row(text, &cells);
        }
        text.push('\n');
        ratios(text, findings, *connections);
    }
}

fn ratios(text: &mut String, findings: &Findings, connections: usize) {
    let others: Vec<Who> = findings.who.iter().copied().filter(|who| *who != Who::Durable).collect();
    let mut cells = vec![format!("espalier, durable, to … ({connections})")];
    cells.extend(others.iter().map(|who| who.name().to_owned()));
    head(text, &cells);
    for workload in &findings.workloads {
        let ours = findings.per_second(*workload, connections, Who::Durable);
        let mut cells = vec![workload.name().to_owned()];
        for who in &others {
            let theirs = findings.per_second(*workload, connections, *who).filter(|theirs| *theirs > 0.0);
            let ratio = ours.zip(theirs);
            cells.push(ratio.map_or_else(String::new, |(ours, theirs)| format!("{:.2}", ours / theirs)));
        }
        row(text, &cells);
    }
    text.push('\n');
}

fn starts(text: &mut String, findings: &Findings) {
    if findings.starts.is_empty() {
        return;
    }
    let titles = ["Starting", "first answer, empty folder", "idle memory"];
    head(text, &titles.map(str::to_owned));
    for who in &findings.who {
        if let Some(starts) = findings.starts.get(who) {
            let memory = starts.idle_mb.map_or_else(String::new, |megabytes| format!("{megabytes:.1} MB"));
            row(text, &[who.name().to_owned(), format!("{:.1} ms", starts.cold_ms), memory]);
        }
    }
    text.push('\n');
    if let Some(reopen) = findings.starts.get(&Who::Durable).and_then(|starts| starts.reopen) {
        let memory = reopen.idle_mb.map_or_else(String::new, |megabytes| format!("; {megabytes:.1} MB resident"));
        let _ = writeln!(
            text,
            "Reopening {} items: {:.1} ms after a clean stop, {:.1} ms after a kill{memory}.\n",
            reopen.items, reopen.clean_ms, reopen.killed_ms
        );
    }
}

fn goals_table(text: &mut String, goals: &[Goal]) {
    head(text, &["Goal", "wanted", "found", "met"].map(str::to_owned));
    for goal in goals {
        let sign = if goal.at_most { "≤" } else { "≥" };
        let met = if goal.is_met() { "yes" } else { "NO" };
        row(
            text,
            &[goal.text.clone(), format!("{sign} {}", goal.wanted), format!("{:.2}", goal.found), met.to_owned()],
        );
    }
    let met = goals.iter().filter(|goal| goal.is_met()).count();
    line(text, &format!("\n{met} of {} goals met.", goals.len()));
}
