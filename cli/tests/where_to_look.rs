//! Twenty-one behaviours, each with the file where names alone lead: the page that lists them is true.

mod common;

use std::fs;

use common::root;

/// A row of the page: the bold words of the behaviour, the file, and what stands in it.
struct Row<'a> {
    words: Vec<&'a str>,
    file: &'a str,
    holds: &'a str,
}

fn row(line: &str) -> Option<Row<'_>> {
    let cells: Vec<_> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
    let [behaviour, file, holds] = cells[..] else { return None };
    let words = behaviour.split("**").skip(1).step_by(2).collect();
    let code = |cell: &'_ str| cell.len() > 2 && cell.starts_with('`') && cell.ends_with('`');
    (code(file) && code(holds)).then(|| Row {
        words,
        file: file.trim_matches('`'),
        holds: holds.trim_matches('`'),
    })
}

/// Names as people write them: `fixed priority` for `fixed_priority`, `E machine` for `e_machine`.
fn plain(name: &str) -> String {
    name.to_lowercase().replace(['_', '-', '/'], " ")
}

#[test]
fn names_alone_lead_to_twenty_one_behaviours() {
    let page = fs::read_to_string(root().join("docs/where-to-look.md")).expect("the page");
    let rows: Vec<_> = page.lines().filter_map(row).collect();
    assert_eq!(rows.len(), 21, "one row each");
    for Row { words, file, holds } in rows {
        let text = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(text.contains(holds), "{file} has no `{holds}`");
        assert!(!words.is_empty(), "{file}: no word leads there");
        for word in words {
            assert!(plain(file).contains(&plain(word)), "`{word}` doesn't lead to {file}");
        }
    }
}
