//! What a campaign came to, for people.

use beryl_trace::table;
use serde_json::json;

use super::campaign::{Campaign, Tally};
use crate::console::Console;
use crate::files::Place;

/// Shows it; returns whether something that is guaranteed wasn't so.
pub fn show(campaign: &Campaign, console: &Console) -> bool {
    let process = |index: usize| {
        let row = campaign.project.assembly.processes.get(index);
        row.map_or(String::new(), |row| row.name.clone())
    };
    let row = |(index, tally): (&usize, &Tally)| {
        let (sure, all) = campaign.guaranteed(*index);
        let Tally { runs, misdeeds, faults, quiet, believed, broken } = tally;
        let [runs, misdeeds, faults] = [runs, misdeeds, faults].map(u64::to_string);
        let [quiet, believed, broken] = [quiet, believed, broken].map(u64::to_string);
        [process(*index), format!("{sure} of {all}"), runs, misdeeds, faults, quiet, believed, broken]
    };
    let rows: Vec<_> = campaign.tallies.iter().map(row).collect();
    console.title("Attack");
    let head = ["hostile", "guaranteed", "runs", "misdeeds", "faults", "nobody", "believed", "broken"];
    table::table(head, &rows).lines().for_each(|line| console.say(format_args!("  {line}")));
    let counts = campaign.counts.iter().filter(|(_, count)| **count > 0);
    let counts: Vec<_> = counts.map(|(name, count)| format!("{name} {count}")).collect();
    console.say(format_args!("  {} misdeeds: {}", campaign.misdeeds(), counts.join(", ")));
    show_believed(campaign, console, &process);
    show_broken(campaign, console, &process);
    console.object(&json!({
        "attacked": campaign.project.assembly.name, "misdeeds": campaign.misdeeds(), "counts": campaign.counts,
        "guaranteed": sure_of_all(campaign), "runs": campaign.tallies.values().map(|tally| tally.runs).sum::<u64>(), "broken": campaign.broken.len(),
    }));
    !campaign.broken.is_empty()
}

/// Of how many threads all is enforced, summed over the hostile processes.
fn sure_of_all(campaign: &Campaign) -> String {
    let sums = campaign.tallies.keys().map(|process| campaign.guaranteed(*process));
    let (sure, all) = sums.fold((0, 0), |sums, (sure, all)| (sums.0 + sure, sums.1 + all));
    format!("{sure} of {all}")
}

/// Who was late, and what was believed.
fn show_believed(campaign: &Campaign, console: &Console, process: &dyn Fn(usize) -> String) {
    if campaign.believed.is_empty() {
        return;
    }
    console.say("  late because of what is only believed:");
    for ((hostile, thread), runs) in &campaign.believed {
        let name = campaign.project.assembly.threads.get(*thread).map_or("", |row| row.name.as_str());
        let reasons: Vec<_> = campaign.reasons(*hostile, *thread).collect();
        console.object(
            &json!({ "hostile": process(*hostile), "late": name, "runs": runs, "believed": reasons }),
        );
        let often = if *runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
        let first = reasons.first().copied().unwrap_or_default();
        let more = match reasons.len() {
            0 | 1 => String::new(),
            count => format!(", and {} more", count - 1),
        };
        console.say(format_args!("  - {name}, by {} in {often}: {first}{more}", process(*hostile)));
    }
}

/// What was guaranteed and isn't so.
fn show_broken(campaign: &Campaign, console: &Console, process: &dyn Fn(usize) -> String) {
    const TOLD: usize = 10;
    if campaign.broken.is_empty() {
        return;
    }
    console.say("  guaranteed, and not so:");
    for broken in campaign.broken.iter().take(TOLD) {
        console.say(format_args!("  - by {}: {}", process(broken.process), broken.what));
        console.say(format_args!("    again: {}", broken.again));
    }
    let trace = Place::of(campaign.project, "attack").file("trace");
    console.say(format_args!("  the first of these runs is in {}", trace.display()));
    if campaign.broken.len() > TOLD {
        console.say(format_args!("  and {} more; `--json` lists all", campaign.broken.len() - TOLD));
    }
}
