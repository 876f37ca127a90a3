//! The entry code against the tables that it is written for: its ways to calls, in the order of their numbers.

use beryl_abi::CallNumber;

const ENTRY: &str = include_str!("../src/processor/entry.rs");

/// The lines of the entry code, without what makes them text of Rust.
fn lines() -> Vec<&'static str> {
    let quoted = ENTRY.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
    quoted.collect()
}

/// `SemaphoreWait` as a label has it.
fn label(call: CallNumber) -> String {
    let mut label = String::new();
    for letter in format!("{call:?}").chars() {
        if letter.is_uppercase() && !label.is_empty() {
            label.push('_');
        }
        label.extend(letter.to_lowercase());
    }
    label
}

/// Where each number leads.
fn ways() -> Vec<String> {
    let rows = lines().into_iter().filter_map(|line| line.strip_prefix(".byte "));
    let ways = rows.flat_map(|row| row.split(", "));
    ways.map(|way| {
        let way = way.strip_prefix("(.L").and_then(|way| way.strip_suffix(" - .Lways) / 2"));
        way.expect("half the way to a label").to_owned()
    })
    .collect()
}

#[test]
fn each_number_leads_to_its_own_call_or_to_where_all_go() {
    let ways = ways();
    for (call, way) in CallNumber::ALL.iter().zip(&ways) {
        assert!(way == "call" || *way == label(*call), "{call:?} leads to {way}");
    }
    assert!(ways.iter().filter(|way| *way != "call").count() > 10, "{ways:?}");
    let limit = lines().into_iter().find_map(|line| line.strip_prefix("cmp   r0, #"));
    assert_eq!(limit.and_then(|limit| limit.parse().ok()), Some(ways.len()), "beyond the table");
}

#[test]
fn each_way_of_its_own_ends_in_a_function_of_that_call() {
    let lines = lines();
    for way in ways().iter().filter(|way| *way != "call") {
        let at = lines.iter().position(|line| *line == format!(".L{way}:")).expect("a label");
        let branch = lines[at..].iter().find_map(|line| line.rsplit_once("  beryl_").map(|(_, name)| name));
        assert_eq!(branch.map(str::trim), Some(way.as_str()), "behind .L{way}");
    }
}
