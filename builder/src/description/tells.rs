//! `tells`: the thread that is told what happens to a task, a thread, the threads of a process, or at a gate; and
//! `watchdog`: how long it may stay away while it is told something.

use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::section::Section;
use super::suggestion::{Quoted, meant};
use super::value::Text;
use super::{Early, Placed, code};
use beryl_timing::Help;

/// The key.
pub(super) const KEY: &str = "tells";

/// The key of a supervisor.
pub(super) const WATCHDOG: &str = "watchdog";

/// What a section says.
pub(super) fn tells(section: &Section<'_>, reporter: &mut Reporter) -> Option<Placed<String>> {
    let Placed { value: Text(name), place } = section.optional(KEY, reporter)?;
    Some(Placed::new(name, place))
}

/// Who is told must be a thread, and another one; and a gate has something to tell only if it drops something.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    for gate in &parts.objects.gates {
        if let Some(told) = gate.tells.as_ref().filter(|_| gate.early == Early::Kept) {
            reporter.report(Problem {
                code: code::CONFLICT,
                place: told.place,
                message: "nothing is refused at this gate: what comes too early waits".to_owned(),
                label: "nothing to tell".to_owned(),
                help: "leave it out, or write `early = \"drop\"`".into(),
            });
        }
    }
    for (who, told) in told(parts) {
        if who.is_some_and(|who| who.value == told.value) {
            reporter.report(Problem {
                code: code::CONFLICT,
                place: told.place,
                message: format!("`{}` can't be told of itself: it may be what went wrong", told.value),
                label: "itself".to_owned(),
                help: "name another thread, or leave it out".into(),
            });
        } else if !parts.threads.iter().any(|thread| thread.name.value == told.value) {
            no_thread(parts, told, reporter);
        }
    }
    check_watchdogs(parts, reporter);
}

/// Who is told by nobody isn't watched.
fn check_watchdogs(parts: &Parts, reporter: &mut Reporter) {
    let told: Vec<&str> = told(parts).map(|(_, told)| told.value.as_str()).collect();
    for thread in parts.threads.iter().filter(|thread| !told.contains(&thread.name.as_str())) {
        let Some(watchdog) = thread.watchdog else { continue };
        let help =
            format!("leave it out, or write `tells = \"{}\"` where something may happen", thread.name.value);
        let help = match reporter.behind_head(thread.name.place) {
            Some(_) => Help::from(help).or(reporter.line(watchdog.place), ""),
            None => help.into(),
        };
        reporter.report(Problem {
            code: code::CONFLICT,
            place: watchdog.place,
            message: format!(
                "a watchdog looks after who is told what happens to others, and nobody tells `{}` anything",
                thread.name.value
            ),
            label: "nothing to come back for".to_owned(),
            help,
        });
    }
}

/// Who tells something, if it has a name, and whom.
fn told(parts: &Parts) -> impl Iterator<Item = (Option<&Placed<String>>, &Placed<String>)> {
    let tasks = parts.tasks.iter().map(|task| (Some(&task.name), &task.tells));
    let threads = parts.threads.iter().map(|thread| (Some(&thread.name), &thread.tells));
    let processes = parts.processes.iter().map(|process| (None, &process.tells));
    let gates = parts.objects.gates.iter().map(|gate| (None, &gate.tells));
    let all = tasks.chain(threads).chain(processes).chain(gates);
    all.filter_map(|(who, told)| Some((who, told.as_ref()?)))
}

fn no_thread(parts: &Parts, told: &Placed<String>, reporter: &mut Reporter) {
    let is_task = parts.tasks.iter().any(|task| task.name.value == told.value);
    let known: Vec<&str> = parts.threads.iter().map(|thread| thread.name.as_str()).collect();
    reporter.report(Problem {
        code: code::UNKNOWN_NAME,
        place: told.place,
        message: match is_task {
            true => format!("task `{}` can't be told of anything: it doesn't wait", told.value),
            false => format!("there is no thread `{}`", told.value),
        },
        label: if is_task { "a task" } else { "unknown" }.to_owned(),
        help: match known.is_empty() {
            true => {
                Help::from(format!("add a [thread.{}]; its first parameter is a `Supervisor`", told.value))
            }
            false => meant(told.place, told, &known, "threads", Quoted::Yes),
        },
    });
}
