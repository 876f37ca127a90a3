//! Descriptions that were damaged at random: whatever comes of it is a value, never a panic.

use super::{descriptions, rendered};
use beryl_builder::description::Description;
use proptest::prelude::*;

fn check(text: &str) {
    match Description::parse("beryl.toml", text) {
        Ok(read) => assert!(!read.processes.is_empty() && !read.bands.is_empty()),
        Err(diagnostics) => {
            assert!(diagnostics.iter().count() > 0, "a refusal has a reason");
            assert!(!rendered(&diagnostics).is_empty());
        }
    }
}

fn originals() -> Vec<String> {
    descriptions("right").iter().map(|path| std::fs::read_to_string(path).expect("it can be read")).collect()
}

#[test]
fn without_any_of_its_lines() {
    for text in originals() {
        let lines: Vec<&str> = text.lines().collect();
        for missing in 0..lines.len() {
            let rest = lines.iter().enumerate().filter(|(line, _)| *line != missing);
            check(&rest.map(|(_, line)| format!("{line}\n")).collect::<String>());
        }
    }
}

#[test]
fn cut_off_anywhere() {
    for text in originals() {
        text.char_indices().for_each(|(end, _)| check(&text[..end]));
    }
}

#[test]
fn with_any_value_of_another_kind() {
    for text in originals() {
        let lines: Vec<&str> = text.lines().collect();
        for (line, key) in
            lines.iter().enumerate().filter_map(|(line, text)| Some((line, text.split_once('=')?.0)))
        {
            for value in
                ["1", "-1", "1.5", "true", "1979-05-27", "\"\"", "\"½\"", "[]", "[[]]", "{}", "{ a = 1 }"]
            {
                let changed = format!("{key}= {value}");
                let mut lines = lines.clone();
                lines[line] = &changed;
                check(&lines.join("\n"));
            }
        }
    }
}

proptest! {
    #[test]
    fn of_any_text(text: String) {
        check(&text);
    }

    #[test]
    fn with_tables_of_another_kind(
        name in "system|board|process|band|task|driver|thread|kernel|lock|semaphore|condition|mailbox|endpoint|notification\
                 |interrupt|state|region",
        value in "1|\"a\"|\\[\\]|\\[1\\]|\\{\\}|\\{ a = 1 \\}|\\{ a = \\{\\} \\}|\\[\\{\\}\\]",
    ) {
        check(&format!("{name} = {value}"));
    }
}
