//! The rules for limits of clients: each is of a process that sends or calls, and lets it ask at least once.

use super::super::diagnostic::{Problem, Reporter};
use super::super::readable::Parts;
use super::super::{Limit, Limited, Use, code};
use beryl_timing::Help;

/// As many as the kernel can count for one client.
const MOST_REQUESTS: u32 = 255;

/// Checks all limits. `most` is how many there may be, `uses` whether anything in a process uses an object so.
pub(super) fn check(parts: &Parts, most: usize, uses: impl Fn(usize, Use) -> bool, reporter: &mut Reporter) {
    for limit in &parts.objects.limits {
        client(limit, parts, &uses, reporter);
        bytes(limit, parts, reporter);
    }
    if let Some(limit) = parts.objects.limits.get(most) {
        reporter.report(Problem {
            code: code::TOO_MANY,
            place: limit.client.place,
            message: format!("a system has at most {most} limits"),
            label: "one too many".to_owned(),
            help: "let clients that belong together be one process".into(),
        });
    }
}

/// Whom a limit is for, and what its object is called.
fn client(limit: &Limit, parts: &Parts, uses: impl Fn(usize, Use) -> bool, reporter: &mut Reporter) {
    let Some(process) = parts.processes.iter().position(|row| row.name.value == limit.client.value) else {
        let names: Vec<_> = parts.processes.iter().map(|row| row.name.value.as_str()).collect();
        return reporter.unknown("process", &limit.client, &names);
    };
    let (used, name, word) = match limit.of {
        Limited::Mailbox(index) => {
            (Use::Send(index), parts.objects.mailboxes.get(index).map(|row| &row.name), "send")
        }
        Limited::Endpoint(index) => {
            (Use::Call(index), parts.objects.endpoints.get(index).map(|row| &row.name), "call")
        }
    };
    let Some(name) = name else { return };
    if !uses(process, used) {
        let problem = Problem {
            code: code::USERS,
            place: limit.client.place,
            message: format!("nothing in process `{}` uses \"{}.{word}\"", limit.client.value, name.value),
            label: "no client".to_owned(),
            help: format!(
                "leave its limit out, or add \"{}.{word}\" to the `uses` of one of its threads",
                name.value
            )
            .into(),
        };
        reporter.report_with(problem, name.place, "of this");
    }
}

/// The limit in bytes has room for one message, and for no more than can be counted.
fn bytes(limit: &Limit, parts: &Parts, reporter: &mut Reporter) {
    let (Some(bytes), Some(size)) = (limit.bytes, limit.size(&parts.objects)) else { return };
    let (least, most) = (size, size.saturating_mul(MOST_REQUESTS));
    let (message, instead) = if bytes.get() < least {
        (format!("{} isn't enough for one message, which has {size} bytes", bytes.value), least)
    } else if limit.requests.is_none() && bytes.get() > size.saturating_mul(MOST_REQUESTS + 1) - 1 {
        (
            format!(
                "{} are more than {MOST_REQUESTS} messages of {size} bytes, which is what the kernel counts",
                bytes.value
            ),
            most,
        )
    } else {
        return;
    };
    reporter.report(Problem {
        code: code::RANGE,
        place: bytes.place,
        message,
        label: "out of range".to_owned(),
        help: Help::from(format!("write \"{least}\" to \"{most}\""))
            .or(bytes.place, format!("\"{instead}\"")),
    });
}
