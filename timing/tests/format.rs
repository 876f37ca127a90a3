//! Formatting: the recorded layout, and that it is a fixed point that loses no word and no comment.
//!
//! `BERYL_BLESS=1 cargo test -p beryl-timing --test format` records what comes out now: read it before you keep it.
//! proptest prints the input that fails, shrunk, and stores its seed beside this file.

use beryl_timing::{Source, compile, format};
use proptest::prelude::*;
use std::path::Path;
use std::{env, fs};

const PROGRAMS: [&str; 11] = [
    include_str!("format/untidy.tdl"),
    include_str!("right/helicopter.tdl"),
    include_str!("right/modes.tdl"),
    include_str!("right/slots.tdl"),
    include_str!("right/records.tdl"),
    include_str!("right/giotto.tdl"),
    include_str!("right/asynchronous.tdl"),
    include_str!("right/values.tdl"),
    include_str!("right/arithmetic.tdl"),
    include_str!("right/conditions.tdl"),
    include_str!("right/imported_names.tdl"),
];

fn source(text: &str) -> Source {
    Source { name: "program.tdl".to_owned(), text: text.to_owned() }
}

fn formatted(text: &str) -> String {
    format(&source(text)).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"))
}

/// Where the first comment of a text begins: a single `/` divides.
fn comment(text: &str) -> Option<usize> {
    ["//", "/*"].iter().filter_map(|begins| text.find(begins)).min()
}

/// The words and the comments of a text, each in order and without blanks at their ends.
fn contents(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut words, mut comments) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(start) = comment(rest) {
        words.push(rest[..start].to_owned());
        let comment = &rest[start..];
        let length = match comment.starts_with("//") {
            true => comment.find('\n').unwrap_or(comment.len()),
            false => comment.find("*/").expect("an end") + 2,
        };
        let lines = comment[..length].lines().map(str::trim_end).collect::<Vec<_>>();
        comments.push(lines.join("\n"));
        rest = &comment[length..];
    }
    words.push(rest.to_owned());
    let characters =
        words.concat().chars().filter(|character| !character.is_whitespace()).collect::<String>();
    (vec![characters], comments)
}

fn holds(text: &str) {
    let once = formatted(text);
    assert_eq!(contents(&once), contents(text), "a word or a comment is lost:\n{text}\n--\n{once}");
    let twice = formatted(&once);
    assert_eq!(twice, once, "the layout isn't a fixed point for\n{text}");
    assert!(once.lines().all(|line| line == line.trim_end()), "{once}");
    assert!(once.ends_with('\n') && !once.ends_with("\n\n") || once.is_empty(), "{once:?}");
}

#[test]
fn an_untidy_program_becomes_tidy() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format");
    let found = formatted(PROGRAMS[0]);
    if env::var_os("BERYL_BLESS").is_some() {
        fs::write(folder.join("tidy.tdl"), &found).expect("the record can be written");
    }
    let expected = fs::read_to_string(folder.join("tidy.tdl")).unwrap_or_default();
    assert_eq!(found, expected);
}

#[test]
fn formatting_changes_no_meaning() {
    for program in PROGRAMS {
        holds(program);
        let meaning = |text: &str| compile(&[source(text)]).map(|model| model.to_string()).ok();
        assert_eq!(meaning(program), meaning(&formatted(program)));
    }
}

#[test]
fn a_text_that_is_no_program_is_left_alone() {
    for wrong in ["module", "module M { task }", "module M { /* }", "? module M { }"] {
        assert!(format(&source(wrong)).is_err(), "{wrong}");
    }
    let unchecked = "module M {\n  import N;\n}\n";
    assert_eq!(
        formatted(unchecked),
        unchecked,
        "what breaks other rules than those of syntax can be formatted"
    );
}

#[test]
fn comments_stay_where_they_belong() {
    let cases = [
        ("// a\nmodule M{}", "// a\nmodule M { }\n"),
        ("module M { // a\n}// b", "module M {  // a\n}  // b\n"),
        ("module M {\n\n\n// a\n\n\n// b\n\n}", "module M {\n  // a\n\n  // b\n}\n"),
        (
            "module /* a */ M{\nimport N; /* b */ import O; /* c */\n}",
            "module /* a */ M {\n  import N;\n  /* b */ import O;  /* c */\n}\n",
        ),
        ("module M {\nimport // a\nN;\n}", "module M {\n  import  // a\n      N;\n}\n"),
        ("module M {\n/* a\n   b  \n c */ import N;\n}", "module M {\n  /* a\n   b\n c */\n  import N;\n}\n"),
        (
            "module M {\nconst a=1;// a\nconst abc=1;   // b\n\nconst d=1; // c\n}",
            "module M {\n  const a = 1;    // a\n  const abc = 1;  // b\n\n  const d = 1;  // c\n}\n",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(formatted(text), expected);
        holds(text);
    }
}

/// What may stand between two words without a change of their meaning.
const GAPS: [&str; 10] =
    [" ", "  ", "\n", "\n\n\n", "\t", " // c\n", "\n// d\n", " /* e */ ", "\n/* f\n  g */\n", "/**/"];

/// The words of a program, comments taken out.
fn words(program: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut rest = program;
    while let Some(start) = comment(rest) {
        plain += &rest[..start];
        let comment = &rest[start..];
        let end = if comment.starts_with("//") {
            comment.find('\n')
        } else {
            comment.find("*/").map(|end| end + 2)
        };
        rest = &comment[end.unwrap_or(comment.len())..];
        plain.push(' ');
    }
    plain += rest;
    let mut words: Vec<String> = Vec::new();
    let joins = |last: &str, next: char| {
        let word =
            |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '\'');
        let number = last.starts_with(|first: char| first.is_ascii_digit());
        let last_one = last.chars().last().unwrap_or(' ');
        last.starts_with('\'') && (last.len() < 3 || !last.ends_with('\''))
            || (word(last_one)
                && word(next)
                && (next != '.' || number)
                && (last_one != '.' || number)
                && next != '\'')
            || number && matches!(next, '-' | '+') && last.ends_with(['e', 'E'])
            || number && last.ends_with("e-") && next.is_ascii_digit()
            || (matches!(last, ":" | "=" | "<" | ">" | "!") && next == '=')
    };
    let mut apart = true;
    for character in plain.chars() {
        let quoted = words
            .last()
            .is_some_and(|last| last.starts_with('\'') && (last.len() < 3 || !last.ends_with('\'')));
        if character.is_whitespace() && !quoted {
            apart = true;
            continue;
        }
        match words.last_mut() {
            Some(last) if !apart && joins(last, character) => last.push(character),
            _ => words.push(character.to_string()),
        }
        apart = false;
    }
    words
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_layout_has_a_fixed_point(
        program in 0..PROGRAMS.len(),
        gaps in proptest::collection::vec((0..10_usize, 0..GAPS.len()), 1..400),
    ) {
        let mut text = String::new();
        for (index, word) in words(PROGRAMS[program]).iter().enumerate() {
            let (rare, gap) = gaps[index % gaps.len()];
            // A comment right behind a `/` would make it part of the comment.
            text += if rare < 6 || text.ends_with('/') { " " } else { "" };
            text += if rare < 6 { "" } else { GAPS[gap] };
            text += word;
        }
        holds(&text);
    }
}
