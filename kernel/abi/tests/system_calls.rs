//! The reference page of system calls has every call and every status, with its number, and no other.

use beryl_abi::call::{CallError, CallNumber, LONGEST_MESSAGE, LONGEST_WAIT, OWNER_DIED, SHORT_MESSAGE};

const PAGE: &str = include_str!("../../../docs/reference/system-calls.md");

/// The cells of each row of the table under a heading of columns, without marks of code or of where figures come from.
fn rows(columns: &str) -> Vec<Vec<String>> {
    let table = PAGE.lines().skip_while(|line| !line.starts_with(columns)).skip(2);
    let rows = table.take_while(|line| line.starts_with('|')).map(|line| {
        let line =
            line.split("<!--").map(|piece| piece.split_once("-->").map_or(piece, |(_, behind)| behind));
        let line = line.collect::<String>();
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().replace('`', "")).collect()
    });
    rows.collect()
}

#[test]
fn the_page_has_every_call_with_its_registers() {
    let row = |call: &CallNumber| {
        let name = [(*call as u32).to_string(), format!("{call:?}")];
        let cells = call.registers().into_iter().chain([call.answers()]).map(|cell| cell.replace('`', ""));
        name.into_iter().chain(cells).collect::<Vec<_>>()
    };
    assert_eq!(rows("| number | call |"), CallNumber::ALL.iter().map(row).collect::<Vec<_>>());
}

/// Each has the number of its place, which the entry code's table of ways rests on.
#[test]
fn numbers_have_no_gaps() {
    let numbers = CallNumber::ALL.iter().map(|call| usize::try_from(*call as u32).expect("small"));
    assert!(numbers.eq(0..CallNumber::ALL.len()));
}

#[test]
fn the_page_has_every_status_with_its_number() {
    let row = |number: u32, name: &str| (format!("{number:#010X}").replace("0X", "0x"), name.to_owned());
    let successes = [("the call's number".to_owned(), "done".to_owned()), row(OWNER_DIED, "OWNER_DIED")];
    assert!(
        CallNumber::ALL.iter().all(|call| (*call as u32) < OWNER_DIED),
        "a number could be taken for a status"
    );
    let errors = CallError::ALL.iter().map(|error| row(*error as u32, &format!("{error:?}")));
    let rows = rows("| status | name |").into_iter().map(|row| (row[0].clone(), row[1].clone()));
    assert_eq!(rows.collect::<Vec<_>>(), successes.into_iter().chain(errors).collect::<Vec<_>>());
}

#[test]
fn the_page_has_the_limits() {
    // What a number follows from stands behind it as a comment.
    let without = |piece: &str| piece.split_once("-->").map_or(piece, |(_, behind)| behind).to_owned();
    let page: String = PAGE.split("<!--").map(without).collect();
    for sentence in [
        format!("or ticks up to {LONGEST_WAIT}, which is 2^30"),
        format!("of up to {SHORT_MESSAGE} bytes travels in registers"),
        format!("Up to {LONGEST_MESSAGE} bytes travel in memory"),
    ] {
        assert!(page.contains(&sentence), "the page doesn't say {sentence:?}");
    }
}
