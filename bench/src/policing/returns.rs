//! Budgets that come back: how long it takes for 1 to 50 threads at one instant, and for one of them alone; and how long it takes
//! to deal with one that is used up. Each policy has its own system for each number.
//!
//! Each thread goes round for nearly two periods, and uses up its budget in both; then it sleeps. Of the last ones up to three have
//! shorter periods, so that they come back alone in between. All are above a thread that never sleeps.

use anyhow::{Context, Result, ensure};
use beryl_builder::Project;
use beryl_builder::load;
use beryl_builder::workshop::Workshop;

use super::amounts::{instant, instructions, time};
use super::entries::{Begin, Entry, entries};
use crate::generated::{band, head, project, thread};
use crate::row::Row;
use crate::step::Kernel;

/// How many threads have budgets.
pub const NUMBERS: [u64; 7] = [1, 2, 5, 10, 20, 30, 50];
/// Policies by which budgets come back.
pub const POLICIES: [&str; 3] = ["deferrable", "sporadic", "polling"];
/// The policy by which nothing comes back: deadlines are put off.
pub const BANDWIDTH: &str = "constant-bandwidth";

/// A budget, in instructions: more than its place pays for being given a part of it back.
pub const BUDGET: u64 = 12_000;
/// A tenth of the period in which most come back, for each of them and for twelve more. All threads together use theirs in
/// eight tenths.
const TENTH: u64 = 1650;
/// Into how many periods some divide that one.
const PARTS: [u64; 3] = [2, 3, 5];
/// How often a budget is used up for each of its parts.
const ENDS: u64 = 2;
/// Priorities in a fixed band; more threads than that share them.
const PRIORITIES: u64 = 29;

/// What is looked for in an entry: that a budget is dealt with, which was used up or returns to a place; and that one comes back.
pub const FUNCTIONS: [&str; 2] = ["::deal_with_budgets", "::bring_budget_back"];

/// The benches.
pub const NAMES: &[&str] = &[RETURN, END, CHARGED];
pub const RETURN: &str = "policing/return";
pub const END: &str = "policing/end";
pub const CHARGED: &str = "policing/charged";

/// The case of so many budgets that come back at one instant.
pub fn at_once(policy: &str, what: &str, number: u64) -> String {
    format!("{policy}, {what}, {number} at once")
}

/// The case of one among so many.
pub fn one_of(policy: &str, what: &str, number: u64) -> String {
    format!("{policy}, {what}, one of {number}")
}

/// What a thread does when its budget comes back.
pub const USED_UP: &str = "used up";
pub const ASLEEP: &str = "asleep";

/// Measures each policy with each number of threads; briefly one with a few.
///
/// # Errors
/// Those of building and running the systems, or if something else came back than has to.
pub fn rows(workshop: &Workshop, is_brief: bool) -> Result<Vec<Row>> {
    if is_brief {
        return of(workshop, POLICIES[0], NUMBERS[2]);
    }
    let mut rows = Vec::new();
    for policy in POLICIES.into_iter().chain([BANDWIDTH]) {
        for number in NUMBERS {
            rows.extend(of(workshop, policy, number).with_context(|| format!("{policy}, {number}"))?);
        }
    }
    Ok(rows)
}

fn of(workshop: &Workshop, policy: &str, number: u64) -> Result<Vec<Row>> {
    let name = format!("bench_returns_{}_{number}", policy.replace('-', "_"));
    let kernel = Kernel::of(project(workshop, &name, &description(&name, policy, number))?, workshop)?;
    let found = entries(&kernel, workshop, &FUNCTIONS, instant(period(number) * 31 / 10))?;
    let found = Found::of(&found);
    let ends: u64 = (0..number).map(|place| ENDS * parts(policy, place, number)).sum();
    let seen = found.ends.len() as u64 + found.beside;
    // A deadline that is put off keeps nobody from going on.
    ensure!(
        seen == ends || policy == BANDWIDTH && seen >= ends,
        "{seen} budgets were used up instead of {ends}"
    );
    let mut rows = vec![Row::instructions(END, &format!("{policy}, among {number}"), &found.ends)?];
    if policy != BANDWIDTH {
        rows.extend(returns(policy, number, &found)?);
    }
    rows.extend(charged(&kernel.project, policy, number)?);
    Ok(rows)
}

/// Entries in which budgets come back or are used up.
struct Found {
    /// How many came back, whether all of them were used up or none, and the instructions.
    returns: Vec<(u64, bool, u64)>,
    ends: Vec<u64>,
    /// How many were used up in an entry in which another one came back.
    beside: u64,
}

impl Found {
    fn of(entries: &[Entry]) -> Found {
        let mut found = Found { returns: Vec::new(), ends: Vec::new(), beside: 0 };
        for Entry { instructions, came_to, .. } in
            entries.iter().filter(|entry| entry.begin == Begin::Interrupt)
        {
            match came_to[..] {
                [0, 0] => {}
                [_, 0] => found.ends.push(*instructions),
                [dealt, count] if dealt == 0 || dealt == count => {
                    found.returns.push((count, dealt > 0, *instructions));
                }
                [dealt, count] => found.beside += dealt.saturating_sub(count),
                [..] => {}
            }
        }
        found
    }
}

fn returns(policy: &str, number: u64, found: &Found) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (what, is_used_up) in [(USED_UP, true), (ASLEEP, false)] {
        // Nobody wakes for a sporadic budget that nobody asks for.
        if policy == "sporadic" && !is_used_up {
            continue;
        }
        let of = |count: u64| {
            let returns = found.returns.iter().filter(|row| row.0 == count && row.1 == is_used_up);
            returns.map(|row| row.2).collect::<Vec<_>>()
        };
        let all = of(number);
        ensure!(!all.is_empty(), "{number} budgets never came back together: {:?}", found.returns);
        rows.push(Row::instructions(RETURN, &at_once(policy, what, number), &all)?);
        if number > 1 {
            rows.push(Row::instructions(RETURN, &one_of(policy, what, number), &of(1))?);
        }
    }
    Ok(rows)
}

/// What the proof charges for one return, and for one end.
fn charged(project: &Project, policy: &str, number: u64) -> Result<Vec<Row>> {
    let thread =
        project.assembly.threads.iter().find(|thread| thread.name == "server_0").context("a thread")?;
    let end = project.ends(thread).saturating_sub(project.behind_job(thread));
    let mut rows =
        vec![Row::instructions(CHARGED, &format!("end, {policy}, among {number}"), &[instructions(end)])?];
    if policy != BANDWIDTH {
        let returns = thread.budget.map_or(0, |budget| budget.returns()).max(1);
        let of_all = load::system(project).interference.into_iter();
        let row = of_all.into_iter().find(|row| row.name == "budget of server_0").context("a return")?;
        let each = instructions(row.worst.get().div_ceil(returns));
        rows.push(Row::instructions(CHARGED, &format!("return, {policy}, among {number}"), &[each])?);
    }
    Ok(rows)
}

/// The period in which most come back.
fn period(number: u64) -> u64 {
    10 * TENTH * (number + 12)
}

/// How many periods of a thread are one of most others'.
fn parts(policy: &str, place: u64, number: u64) -> u64 {
    let last = number.saturating_sub(1).saturating_sub(place);
    let parts = usize::try_from(last).ok().and_then(|last| PARTS.get(last));
    match parts {
        Some(parts) if place > 0 && policy != BANDWIDTH => *parts,
        _ => 1,
    }
}

fn description(name: &str, policy: &str, number: u64) -> String {
    let is_dynamic = policy == BANDWIDTH;
    let servers = if is_dynamic { "dynamic" } else { "fixed" };
    let mut text = head(name, "256k") + &band("servers", servers) + &band("rest", "fixed");
    let entry = format!("spin_among_{number}");
    for place in 0..number {
        let priority = match is_dynamic {
            true => String::new(),
            false => format!("priority = {}\n", place * PRIORITIES / number.max(PRIORITIES)),
        };
        let more = format!(
            "{priority}budget = {:?}\nevery = {:?}\npolicy = {policy:?}\nuses = [\"never_{place}.wait\", \"never_{place}.notify\"]\n",
            time(BUDGET),
            time(period(number) / parts(policy, place, number))
        );
        text += &format!("\n[notification.never_{place}]\n");
        text += &thread(&format!("server_{place}"), "servers", &entry, "256", &more);
    }
    text + &thread("rest", "rest", "spin", "256", "priority = 0\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_three_threads_come_back_alone_and_the_first_one_never_does() {
        let parts = |number| (0..number).map(|place| parts("sporadic", place, number)).collect::<Vec<_>>();
        assert_eq!([parts(1), parts(2), parts(5)], [vec![1], vec![1, 2], vec![1, 1, 5, 3, 2]]);
        assert_eq!(super::parts(BANDWIDTH, 4, 5), 1);
    }

    #[test]
    fn all_use_up_what_they_have_in_eight_tenths_of_a_period() {
        for number in NUMBERS {
            let used: u64 = (0..number).map(|place| parts("sporadic", place, number)).sum();
            // An end, and what comes between, takes a thousand instructions.
            assert!(used * (BUDGET + 1000) < 8 * TENTH * (number + 12), "{number}");
            assert!([1, 2, 3, 5].iter().all(|parts| period(number).is_multiple_of(parts * 5)), "{number}");
        }
    }

    #[test]
    fn entries_are_told_apart_by_what_they_came_to() {
        let entry = |begin, instructions, came_to: [u64; 2]| Entry {
            begin,
            before: 0,
            instructions,
            came_to: came_to.into(),
        };
        let entries = [
            entry(Begin::Interrupt, 300, [2, 2]),
            entry(Begin::Interrupt, 400, [1, 3]),
            entry(Begin::Interrupt, 500, [2, 1]),
            entry(Begin::Interrupt, 200, [0, 1]),
            entry(Begin::Interrupt, 100, [1, 0]),
            entry(Begin::Interrupt, 10, [0, 0]),
            entry(Begin::Call, 50, [1, 0]),
        ];
        let found = Found::of(&entries);
        assert_eq!(found.returns, [(2, true, 300), (1, false, 200)]);
        assert_eq!((found.ends, found.beside), (vec![100], 1));
    }
}
