//! What `beryl plan` does with two hundred threads, without what it prints.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, ensure};
use beryl_builder::board::MEASURED;
use beryl_builder::placement::search;
use beryl_builder::{Parsed, Variant};

use crate::projects::placed;
use crate::time::{Aim, Row};

const THREADS: usize = 200;

/// From the texts to the best of each kind.
pub fn plan() -> Result<Row> {
    let mut text = format!(
        "[system]\nname = \"host\"\napplication = \"app\"\n\
        [board]\nname = {MEASURED:?}\nflash = \"1M\"\nram = \"1M\"\nspeed = 0\n\
        [process.one]\nmemory = \"16k\"\n[[band]]\nname = \"all\"\npolicy = \"fixed\"\n"
    );
    for thread in 0..THREADS {
        let period = 5 + thread * 37 % 995;
        // Each has two to five parts of a thousand.
        let worst = period * (2 + thread % 4);
        writeln!(
            text,
            "[thread.t{thread}]\nprocess = \"one\"\nentry = \"e{thread}\"\nstack = \"512\"\n\
             period = \"{period}ms\"\nworst = \"{worst}us\"\nband = \"all\"\npriority = 0"
        )?;
    }
    let folder = placed("plan", "", &text)?;
    let parsed = Parsed::read(&folder, Variant::default()).map_err(|wrong| anyhow!("{wrong}"))?;
    let project = parsed.clone().joined().map_err(|wrong| anyhow!("{wrong}"))?;
    let begun = Instant::now();
    let found = search(&parsed, &project, &mut |_| ());
    let took = begun.elapsed();
    let kinds = found.iter().filter(|found| found.best.is_some()).count();
    ensure!(kinds > 0, "something holds");
    let what = format!("plan, {THREADS} threads; {kinds} of {} kinds of bands hold", found.len());
    Ok(Row { what, took, theirs: None, aim: Aim::Within(Duration::from_secs(10)) })
}
