//! The reference page of system calls has every call and every status, with its number, and no other.

use beryl_abi::call::{
    CallError, CallNumber, LONGEST_MESSAGE, LONGEST_WAIT, OWNER_DIED, SHORT_MESSAGE, SUCCESS,
};

const PAGE: &str = include_str!("../../docs/reference/system-calls.md");

/// The first two cells of each row of the table under a heading of columns, without marks of code.
fn rows(columns: &str) -> Vec<(String, String)> {
    let table = PAGE.lines().skip_while(|line| !line.starts_with(columns)).skip(2);
    let rows = table.take_while(|line| line.starts_with('|')).map(|line| {
        let mut cells = line.split('|').skip(1).map(|cell| cell.trim().replace('`', ""));
        (cells.next().expect("a number"), cells.next().expect("a name"))
    });
    rows.collect()
}

#[test]
fn the_page_has_every_call_with_its_number() {
    let calls = CallNumber::ALL.iter().map(|call| ((*call as u32).to_string(), format!("{call:?}")));
    assert_eq!(rows("| number | call |"), calls.collect::<Vec<_>>());
}

#[test]
fn the_page_has_every_status_with_its_number() {
    let row = |number: u32, name: &str| (format!("{number:#010X}").replace("0X", "0x"), name.to_owned());
    let successes = [row(SUCCESS, "SUCCESS"), row(OWNER_DIED, "OWNER_DIED")];
    let errors = CallError::ALL.iter().map(|error| row(*error as u32, &format!("{error:?}")));
    assert_eq!(rows("| status | name |"), successes.into_iter().chain(errors).collect::<Vec<_>>());
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
