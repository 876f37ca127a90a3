//! Figures in prose: taken from the record that a mark names, or listed with the reason why they need none.
//!
//! A mark follows its figure and names the figure's source:
//!
//! ```text
//! 2516<!-- = max kernel/step, static bound, all kinds of objects --> instructions    which value of a recorded row, bench and case
//! 18<!-- = ms check/100, host --> ms                                                 a record of `./x bench host`: ms or ratio
//! 12<!-- = purpose clock, yield/same-process --> instructions                          the part of a recorded bench for a purpose
//! 64<!-- = constant LONGEST_MESSAGE, kernel/abi/src/call.rs --> bytes                       a constant of the code; or in kB, MB
//! ```
//! `figures.rs` checks the figures without a mark, and their reasons.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use beryl_builder::toolchain::root;

use super::constant::constant;
use super::host::Host;
use super::purposes::share;
use crate::recorded::Recorded;

/// The beginning and end of a mark.
pub const BEGIN: &str = "<!-- = ";
pub const END: &str = " -->";

/// The documents that describe the present. Decisions keep the figures of their day.
///
/// # Errors
/// If a folder can't be read.
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

/// A text with the current figures before its marks.
///
/// # Errors
/// If a mark names something that doesn't exist.
pub fn with_figures(text: &str, recorded: &Recorded, host: &Host) -> Result<String> {
    let mut parts = text.split(BEGIN);
    let mut new = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (mark, rest) = part.split_once(END).with_context(|| format!("a mark has no end: {part:.60}"))?;
        let before = new.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.').len();
        new.truncate(before);
        new += &format!("{}{BEGIN}{mark}{END}{rest}", value(mark, recorded, host)?);
    }
    Ok(new)
}

/// The value that a mark stands for.
pub fn value(mark: &str, recorded: &Recorded, host: &Host) -> Result<String> {
    let named = mark.split_once(' ').and_then(|(which, row)| Some((which, row.split_once(", ")?)));
    let (which, (what, place)) =
        named.with_context(|| format!("`{mark}` doesn't say which value, of what, and where"))?;
    let whole = |bytes: u64, unit: u64| match bytes % unit {
        0 => Ok(bytes / unit),
        _ => bail!("`{mark}`: {bytes} isn't a whole number of {which}"),
    };
    let number = match which {
        "constant" => constant(what, place)?,
        "kB" => whole(constant(what, place)?, 1024)?,
        "MB" => whole(constant(what, place)?, 1024 * 1024)?,
        "purpose" => share(what, place)?,
        "ms" => return host.milliseconds(what),
        "ratio" => return host.ratio(what),
        _ => of_row(which, recorded, what, place)?,
    };
    Ok(number.to_string())
}

/// A value of a recorded row.
fn of_row(which: &str, recorded: &Recorded, bench: &str, case: &str) -> Result<u64> {
    let figures = recorded.row(bench, case)?.figures;
    Ok(match which {
        "min" => figures.min,
        "median" => figures.median,
        "max" => figures.max,
        "mean" => (figures.tenths() + 5) / 10,
        other => bail!("`{other}` is none of min, median, max, mean; purpose; constant, kB, MB; ms, ratio"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_gets_what_is_recorded() -> Result<()> {
        let (recorded, host) = (Recorded::read()?, Host::read()?);
        let text = "It takes 9<!-- = max null-call, caller to caller --> instructions, and 8; a message has \
                    6<!-- = constant LONGEST_MESSAGE, kernel/abi/src/call.rs --> bytes, a stack 3.5<!-- = kB LEAST_STACK, sim/src/fiber.rs --> kB.";
        let filled = with_figures(text, &recorded, &host)?;
        let numbers: Vec<_> = filled.split(BEGIN).filter_map(|part| part.split(' ').next_back()).collect();
        assert_eq!(numbers, ["6", "64", "256", "kB."]);
        assert_eq!(with_figures(&filled, &recorded, &host)?, filled);
        for wrong in [
            "7<!-- = max nothing, at all -->",
            "7<!-- = most null-call, caller to caller -->",
            "7<!-- = max -->",
            "7<!-- = constant NOTHING, kernel/abi/src/call.rs -->",
            "7<!-- = constant LONGEST_MESSAGE, nowhere.rs -->",
            "7<!-- = kB LONGEST_MESSAGE, kernel/abi/src/call.rs -->",
            "7<!-- = ms nothing, host -->",
            "7<!-- = purpose nothing, yield/same-process -->",
            "7<!-- = purpose clock, nothing -->",
        ] {
            assert!(with_figures(wrong, &recorded, &host).is_err(), "{wrong}");
        }
        Ok(())
    }

    /// The conclusion of `machine.md`, from its table of short jobs.
    #[test]
    fn a_band_completes_cheaper_than_system_code_with_few_tasks_and_many() -> Result<()> {
        let recorded = Recorded::read()?;
        let mean = |tasks: u32, way: &str| {
            of_row("mean", &recorded, "machine/completion", &format!("{tasks}, {way}, short"))
        };
        for tasks in [4, 10, 50, 100] {
            let (band, code) = (mean(tasks, "EDF band")?, mean(tasks, "EDF S code")?);
            assert!(band < code, "{tasks} tasks: {band} in a band, {code} under S code");
        }
        Ok(())
    }
}
