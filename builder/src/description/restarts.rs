//! `restarts` of a process: how often it begins anew after a fault.

use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::value::Between;
use super::{OnFault, Placed, Restarts, code};
use beryl_kernel::Restart;
use beryl_timing::Help;

/// The key, and what can stand in its table.
const KEY: &str = "restarts";
const KEYS: &[&str] = &["most", "within"];
const EXAMPLE: &str = "restarts = { most = 3, within = \"1s\" }";

/// What a process's section says. Without a limit nothing could be proved about the others, so there has to
/// be one.
pub(super) fn restarts(
    section: &Section<'_>,
    on_fault: Option<Placed<OnFault>>,
    reporter: &mut Reporter,
) -> Option<Restarts> {
    let begins_anew = on_fault.is_some_and(|on_fault| on_fault.value == OnFault::Restart);
    if begins_anew && !section.has(KEY) {
        let help = section.with_line(Help::from(format!("add `{EXAMPLE}`")), EXAMPLE, reporter);
        section.missing("`restarts`", help, reporter);
    }
    let table = section.inner(KEY, KEYS, reporter)?;
    let most = table.required::<Between<1, { Restart::MOST as u16 }>>("most", reporter);
    let within = table.required("within", reporter);
    let (most, within) = (most?, within?);
    if !begins_anew {
        let place = on_fault.map_or(most.place, |on_fault| on_fault.place);
        let line = "on_fault = \"restart\"";
        let help = Help::from(format!("write `{line}`, or leave `restarts` out"));
        let help = match on_fault {
            Some(_) => help.or(place, "\"restart\""),
            None => section.with_line(help, line, reporter),
        };
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: "the process doesn't begin anew after a fault, and `restarts` says how often".to_owned(),
            label: if on_fault.is_some() { "not with this" } else { "how often" }.to_owned(),
            help,
        });
    }
    Some(Restarts { most: u8::try_from(most.value.0).unwrap_or(Restart::MOST), within })
}
