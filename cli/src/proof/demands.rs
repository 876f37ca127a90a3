//! What the clients of an object may ask together, in words.

use beryl_analysis::Ticks;
use beryl_builder::Project;
use beryl_builder::proof::Demand;

use super::{milliseconds, nanoseconds};
use crate::console::Console;

/// The limits of each object's clients, and what they come to for its server.
pub(super) fn tell(project: &Project, console: &Console) {
    for demand in beryl_builder::proof::demands(&project.assembly) {
        let Demand { object, clients, others, work } = &demand;
        let ticks = |duration: beryl_abi::Duration| Ticks::new(duration.ticks());
        let named: Vec<_> = clients
            .iter()
            .map(|(client, requests, within)| {
                let times = if *requests == 1 { "once".to_owned() } else { format!("{requests} times") };
                format!("by `{client}` at most {times} in {}", milliseconds(project, ticks(*within)))
            })
            .collect();
        let rest = match (work, others.is_empty()) {
            (Some((work, within)), _) => format!(
                "; in {} its server works {} for them at most",
                milliseconds(project, ticks(*within)),
                milliseconds(project, ticks(*work))
            ),
            (None, true) => String::new(),
            (None, false) => {
                let others: Vec<_> = others.iter().map(|name| format!("`{name}`")).collect();
                format!("; by {} without a limit", others.join(", "))
            }
        };
        console.say(format_args!("  enforced: `{object}` is asked {}{rest}", named.join(", ")));
        let clients: Vec<_> = clients
            .iter()
            .map(|(client, requests, within)| {
                let within = nanoseconds(project, ticks(*within));
                serde_json::json!({ "client": client, "requests": requests, "within_ns": within })
            })
            .collect();
        let work = work.map(|(work, within)| [work, within].map(|time| nanoseconds(project, ticks(time))));
        console.object(&serde_json::json!({
            "demand": object, "clients": clients, "without_limit": others,
            "work_ns": work.map(|[work, _]| work), "within_ns": work.map(|[_, within]| within),
        }));
    }
}
