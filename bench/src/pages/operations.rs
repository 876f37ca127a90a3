//! Tables 4 and 5, and Figure 16's mix: operations, and their total.

use anyhow::{Context, Result};

use super::{Page, markdown};
use crate::jobs;
use crate::peers::Peers;
use crate::plot::{Line, Plot};
use crate::recorded::Recorded;

/// Periodic switches per second in the mix; each tick of 4 ms releases one job.
const JOBS: u64 = 250;
/// The job among this many threads.
const MIX: &str = "job/one/15";
/// Interrupts per second.
const INTERRUPTS: [u64; 6] = [0, 200, 400, 600, 800, 1000];
/// The cheapest of the other measured kernels, without protection.
const PEER: &str = "ChibiOS";

/// Messages per second in the paper's example (section 9.3), and how many of them slow readers receive.
const MESSAGES: u64 = 5000;
const SLOW: u64 = 1000;

/// Table 4.
pub fn messages(recorded: &Recorded) -> Result<Page> {
    let row = |name: &str, benches: [&str; 2]| -> Result<Vec<String>> {
        let cell = |bench: &str| match bench {
            "" => Ok::<_, anyhow::Error>(String::new()),
            bench => Ok(recorded.only(bench)?.figures.max.to_string()),
        };
        Ok(vec![name.to_owned(), cell(benches[0])?, cell(benches[1])?])
    };
    let most = |bench: &str| Ok::<_, anyhow::Error>(recorded.only(bench)?.figures.max);
    let fast = MESSAGES * most("state-message/write-8")? + (MESSAGES - SLOW) * most("state-message/read-8")?;
    let state_messages = fast + SLOW * most("state-message/read-slow-8")?;
    let mailboxes = MESSAGES * (most("mailbox/send-8")? + most("mailbox/receive-8")?);
    let example = format!("{MESSAGES} messages, {SLOW} of them received by slow readers");
    let rows = [
        row("send, 8 bytes", ["state-message/write-8", "mailbox/send-8"])?,
        row("receive, 8 bytes", ["state-message/read-8", "mailbox/receive-8"])?,
        row("receive by a call, 8 bytes", ["state-message/read-slow-8", ""])?,
        row("receive by a call, 256 bytes in pieces", ["state-message/read-slow-256", ""])?,
        row("send until a thread that waits runs, 8 bytes", ["", "mailbox/wake-8"])?,
        vec![example, state_messages.to_string(), mailboxes.to_string()],
    ];
    let header = ["instructions", "state message", "mailbox"].map(str::to_owned);
    Ok(Page { file: "messages.md", tables: vec![("messages", markdown(&header, &rows))], plots: Vec::new() })
}

/// Table 5.
pub fn calls(recorded: &Recorded) -> Result<Page> {
    let row = |name: &str, bench: &str| -> Result<Vec<String>> {
        Ok(vec![name.to_owned(), recorded.only(bench)?.figures.max.to_string()])
    };
    let rows = [
        row("subroutine that does nothing", "null-subroutine")?,
        row("system call that does nothing", "null-call")?,
    ];
    let header = ["caller to caller", "instructions"].map(str::to_owned);
    Ok(Page { file: "calls.md", tables: vec![("calls", markdown(&header, &rows))], plots: Vec::new() })
}

/// Figure 16.
pub fn mix(recorded: &Recorded) -> Result<Page> {
    let interrupt = recorded.only("interrupt/round-trip")?.figures.max;
    let mut kernels = Vec::new();
    for policy in jobs::POLICIES {
        let job = recorded.row(MIX, &jobs::case(policy))?.figures.max;
        kernels.push((jobs::case(policy), job, interrupt));
    }
    let peers = Peers::read()?;
    let most = |operation: &str| -> Result<u64> {
        let cost = peers.operation(operation)?.cost(PEER);
        Ok(cost.with_context(|| format!("`{operation}` has no figure of {PEER}"))?.most)
    };
    kernels.push((format!("{PEER}, unprotected"), most("one-job/15")?, most("interrupt-round-trip")?));
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    for (name, job, interrupt) in kernels {
        let points: Vec<_> = INTERRUPTS.iter().map(|rate| (*rate, JOBS * job + rate * interrupt)).collect();
        rows.push([vec![name.clone()], points.iter().map(|(_, sum)| sum.to_string()).collect()].concat());
        lines.push(Line { name, points });
    }
    let mut header = vec!["instructions a second".to_owned()];
    header.extend(INTERRUPTS.iter().map(|rate| format!("{rate} interrupts/s")));
    let plot = Plot {
        title: "250 periodic jobs a second, and interrupts",
        across: "interrupts a second",
        up: "instructions a second",
        lines,
    };
    Ok(Page {
        file: "mix.md",
        tables: vec![("mix", markdown(&header, &rows))],
        plots: vec![("mix.svg", plot.svg())],
    })
}
