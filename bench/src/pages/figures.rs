//! Figures in documents that have no mark, each with the reason: in the document itself, or in `stated.txt`.
//!
//! A figure is a number with a unit. It needs no mark in these cases:
//!
//! - it is in generated text, between `<!-- table: ... -->` or `<!-- figures` and `<!-- end`;
//! - it is in a sample between fences or in code between backquotes, or repeats one in its document to
//!   explain it;
//! - it is between `<!-- by hand: why and when -->` and `<!-- end -->`: a table of figures measured once;
//! - it is in `stated.txt`.

use std::collections::BTreeSet;
use std::fs;

use anyhow::Result;
use beryl_builder::toolchain::root;

use super::prose::documents;

/// Figures that need no record: document, figure, and why.
const STATED: &str = include_str!("stated.txt");

/// The units that make a number a figure.
const UNITS: [&str; 15] = [
    "instruction",
    "instructions",
    "byte",
    "bytes",
    "kB",
    "MB",
    "%",
    "ns",
    "us",
    "ms",
    "s",
    "second",
    "seconds",
    "minutes",
    "ticks",
];

/// The beginning of a hand-written table. The reason follows, with a day or a command.
const BY_HAND: &str = "<!-- by hand: ";

/// The text of a document outside of generated regions.
#[derive(Default)]
struct Document {
    /// Words of prose.
    prose: Vec<String>,
    /// Words of samples and of generated text.
    shown: Vec<String>,
    /// The reasons for hand-written tables.
    reasons: Vec<String>,
}

impl Document {
    fn of(text: &str) -> Document {
        let mut document = Document::default();
        let (mut is_made, mut is_by_hand, mut is_sample) = (false, false, false);
        for line in text.lines() {
            let is_fence = line.trim_start().starts_with("```");
            is_sample ^= is_fence;
            is_made |= line.starts_with("<!-- table: ") || line.starts_with("<!-- figures");
            is_by_hand |= line.starts_with(BY_HAND);
            let ends = line.starts_with("<!-- end");
            is_made &= !ends;
            is_by_hand &= !ends;
            document.reasons.extend(line.strip_prefix(BY_HAND).map(str::to_owned));
            // Separate cells, so that a number never takes its unit from the next cell.
            let line = line.replace('|', " | ");
            for (number, part) in line.split('`').enumerate() {
                let words = part.split_whitespace().map(str::to_owned);
                match (is_sample || is_made || number % 2 == 1, is_by_hand) {
                    (true, _) => document.shown.extend(words),
                    (false, false) if !is_fence => document.prose.extend(words),
                    _ => {}
                }
            }
        }
        document
    }

    /// Numbers with units in prose that aren't in any sample.
    fn figures(&self) -> Vec<String> {
        let shown: BTreeSet<_> = figures(&self.shown).into_iter().collect();
        figures(&self.prose).into_iter().filter(|figure| !shown.contains(figure)).collect()
    }
}

/// Numbers with units, as `10 ms` or as `10ms`.
fn figures(words: &[String]) -> Vec<String> {
    let plain: Vec<_> =
        words.iter().map(|word| word.trim_matches(|letter: char| "()*[]`;:,.\"'".contains(letter))).collect();
    let next = plain.iter().skip(1).map(|word| Some(*word)).chain([None]);
    plain.iter().zip(next).filter_map(|(word, next)| figure(word, next)).collect()
}

fn figure(word: &str, next: Option<&str>) -> Option<String> {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || ".,".contains(letter));
    let number = word
        .strip_suffix(digits)
        .filter(|number| number.starts_with(|first: char| first.is_ascii_digit()))?;
    let unit = if digits.is_empty() { next? } else { digits };
    UNITS.contains(&unit).then(|| format!("{number} {unit}"))
}

#[test]
fn a_figure_without_a_mark_is_seen() {
    let text = "It takes 12 instructions, 3.5 kB and\n7 bytes; **9**<!-- = max a, b --> instructions, 4 of 5.\n\
                Within 2.5 ms or `40us` of 40 us, after\n30 s | 5 | ms, and 6 ms.\n```\n8 bytes\nperiod = \"6ms\"\n```\n\
                <!-- by hand: measured 2026-11-22 -->\n| 3 ms |\n<!-- end -->\n| 4 ms |\n";
    let expected = ["12 instructions", "3.5 kB", "7 bytes", "2.5 ms", "30 s", "4 ms"];
    assert_eq!(Document::of(text).figures(), expected);
}

#[test]
fn every_figure_in_prose_is_recorded_or_stated() -> Result<()> {
    let rows = STATED.lines().filter(|line| !line.starts_with('#')).flat_map(|line| {
        let row: Vec<_> = line.split(" | ").collect();
        assert!(
            row.len() == 3 && row[2].len() > 5,
            "`{line}` isn't document, figures, and why they need no record"
        );
        row[1].split("; ").map(|figure| (row[0].to_owned(), figure.to_owned())).collect::<Vec<_>>()
    });
    let mut unused: BTreeSet<_> = rows.collect();
    let stated = unused.clone();
    let mut missing = Vec::new();
    for path in documents()? {
        let document = Document::of(&fs::read_to_string(&path)?);
        let name = path.strip_prefix(root())?.display().to_string();
        for reason in &document.reasons {
            assert!(
                reason.contains("20") || reason.contains('`'),
                "{name}: `{reason}` names no day and no command"
            );
        }
        for figure in document.figures() {
            let row = (name.clone(), figure);
            if !stated.contains(&row) {
                missing.push(format!("{} | {}", row.0, row.1));
            }
            unused.remove(&row);
        }
    }
    assert!(
        missing.is_empty(),
        "mark where these are recorded, or say in bench/src/pages/stated.txt why they need no record:\n{}",
        missing.join("\n")
    );
    assert!(unused.is_empty(), "no document says {unused:?}");
    Ok(())
}
