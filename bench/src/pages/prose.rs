//! Figures in prose: from the record behind a mark, or listed with why they need none.
//!
//! A mark follows its figure: `2516<!-- = max kernel/step, static bound, all kinds of objects --> instructions`. It names which value
//! of a row, its bench and its case.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use beryl_builder::toolchain::root;

use crate::recorded::Recorded;

/// How a mark begins and ends.
const BEGIN: &str = "<!-- = ";
const END: &str = " -->";

/// The documents that say how things are today. Decisions have the figures of their day.
///
/// # Errors
/// A folder can't be read.
pub fn documents() -> Result<Vec<PathBuf>> {
    let mut files: Vec<_> =
        ["README.md", "CAVEATS.md", "bench/README.md"].map(|file| root().join(file)).into();
    for folder in ["docs", "docs/reference", "docs/measurements"] {
        for entry in fs::read_dir(root().join(folder)).with_context(|| folder.to_owned())? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A text with the recorded figures before its marks.
///
/// # Errors
/// A mark names what isn't recorded.
pub fn with_figures(text: &str, recorded: &Recorded) -> Result<String> {
    let mut parts = text.split(BEGIN);
    let mut new = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (mark, rest) = part.split_once(END).with_context(|| format!("a mark has no end: {part:.60}"))?;
        let before = new.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        new.truncate(before);
        new += &format!("{}{BEGIN}{mark}{END}{rest}", value(mark, recorded)?);
    }
    Ok(new)
}

/// What a mark stands for.
fn value(mark: &str, recorded: &Recorded) -> Result<u64> {
    let named = mark.split_once(' ').and_then(|(which, row)| Some((which, row.split_once(", ")?)));
    let (which, (bench, case)) = named.with_context(|| format!("`{mark}` is no value, bench and case"))?;
    let figures = recorded.row(bench, case)?.figures;
    Ok(match which {
        "min" => figures.min,
        "median" => figures.median,
        "max" => figures.max,
        "mean" => (figures.tenths() + 5) / 10,
        other => bail!("`{other}` is none of min, median, max, mean"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::BTreeSet;

    /// Figures that need no record: document, figure, and why.
    const STATED: &str = include_str!("stated.txt");

    /// What makes a number a figure.
    const UNITS: [&str; 7] = ["instruction", "instructions", "byte", "bytes", "kB", "MB", "%"];

    fn is_number(word: &str) -> bool {
        word.starts_with(|letter: char| letter.is_ascii_digit())
            && word.chars().all(|letter| letter.is_ascii_digit() || letter == '.' || letter == ',')
    }

    /// Numbers with units in prose: outside of samples, and of what is made from the record as a whole.
    fn figures(text: &str) -> Vec<String> {
        let mut is_made = false;
        let mut is_sample = false;
        let mut words = Vec::new();
        for line in text.lines() {
            is_sample ^= line.trim_start().starts_with("```");
            is_made |= line.starts_with("<!-- table: ") || line.starts_with("<!-- figures");
            is_made &= !line.starts_with("<!-- end");
            if !is_made && !is_sample {
                words.extend(line.split_whitespace());
            }
        }
        let plain = |word: &str| word.trim_matches(|letter: char| "()*[]|`;:,.".contains(letter)).to_owned();
        let figure = |pair: &[&str]| {
            let [number, unit] = [plain(pair[0]), plain(pair[1])];
            (is_number(&number) && UNITS.contains(&unit.as_str())).then(|| format!("{number} {unit}"))
        };
        words.windows(2).filter_map(figure).collect()
    }

    #[test]
    fn a_figure_without_a_mark_is_seen() {
        let text = "It takes 12 instructions, 3.5 kB and\n7 bytes; **9**<!-- = max a, b --> instructions, 4 of 5.\n```\n8 bytes\n```\n";
        assert_eq!(figures(text), ["12 instructions", "3.5 kB", "7 bytes"]);
    }

    #[test]
    fn every_figure_in_prose_is_recorded_or_stated() -> Result<()> {
        let rows = STATED.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let row: Vec<_> = line.split(" | ").collect();
            assert!(
                row.len() == 3 && row[2].len() > 5,
                "`{line}` isn't document, figure, and why it needs no record"
            );
            (row[0].to_owned(), row[1].to_owned())
        });
        let mut unused: BTreeSet<_> = rows.collect();
        let stated = unused.clone();
        let mut missing = Vec::new();
        for path in documents()? {
            let text = fs::read_to_string(&path)?;
            let name = path.strip_prefix(root())?.display().to_string();
            for figure in figures(&text) {
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

    #[test]
    fn a_mark_gets_what_is_recorded() -> Result<()> {
        let recorded = Recorded::read()?;
        let text = "It takes 7<!-- = max null-call, caller to caller --> instructions, and 8.";
        let filled = with_figures(text, &recorded)?;
        assert_eq!(filled, "It takes 12<!-- = max null-call, caller to caller --> instructions, and 8.");
        assert_eq!(with_figures(&filled, &recorded)?, filled);
        for wrong in [
            "7<!-- = max nothing, at all -->",
            "7<!-- = most null-call, caller to caller -->",
            "7<!-- = max -->",
        ] {
            assert!(with_figures(wrong, &recorded).is_err(), "{wrong}");
        }
        Ok(())
    }

    /// What `machine.md` concludes, by its table of short jobs.
    #[test]
    fn a_band_is_cheaper_with_few_tasks_and_system_code_with_many() -> Result<()> {
        let recorded = Recorded::read()?;
        let mean = |tasks: u32, way: &str| {
            value(&format!("mean machine/completion, {tasks}, {way}, short"), &recorded)
        };
        for (tasks, is_band) in [(4, true), (10, true), (50, false), (100, false)] {
            let (band, code) = (mean(tasks, "EDF band")?, mean(tasks, "EDF S code")?);
            assert_eq!(band < code, is_band, "{tasks} tasks: {band} in a band, {code} under S code");
        }
        Ok(())
    }
}
