//! What an instant takes at which a trigger looks at a port, by the words of the port: where it has changed and where it hasn't.
//!
//! The code is that of `conformance/changes`. The outputs of one task become visible every 6 ms: at 12 ms nothing has changed of
//! what is looked at, and at 72 ms each of it has.

use anyhow::{Context, Result, ensure};
use beryl_abi::Instant;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant};

use crate::generated::band;
use crate::policing::entries::entries;
use crate::row::{BOARD, Row};
use crate::step::Kernel;

/// The benches: instructions of the kernel at an instant.
pub const NAMES: &[&str] = &[SAME, CHANGED];
/// Nothing has changed.
pub const SAME: &str = "looks/same";
/// A change releases a task.
pub const CHANGED: &str = "looks/changed";

/// What is looked at: how many words, and the port or its field.
pub const LOOKED_AT: [(u64, &str); 5] = [
    (1, "wave.all.head.place.y"),
    (2, "wave.all.head.place"),
    (4, "wave.all.head"),
    (10, "wave.all.crests"),
    (16, "wave.all"),
];

/// The case where nothing is looked at.
pub const NOTHING: &str = "no port";

/// Ticks of a period, and of the part behind whose beginning all is done.
const PERIOD: u64 = 6 * 25_000;
const QUIET: u64 = PERIOD / 2;
/// The instants, in periods, at which what a step of the wave has done to nothing, and to all, becomes visible.
const UNCHANGED: u64 = 2;
const ALL_CHANGED: u64 = 12;

/// The case of a port of so many words.
#[must_use]
pub fn case(words: u64) -> String {
    format!("words: {words}")
}

/// Measures instants without a look, and with a look at each of the ports.
///
/// # Errors
/// Those of building and running the systems.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = of(workshop, NOTHING, None)?;
    for (words, port) in LOOKED_AT {
        rows.extend(of(workshop, &case(words), Some(port))?);
    }
    Ok(rows)
}

fn of(workshop: &Workshop, case: &str, port: Option<&str>) -> Result<Vec<Row>> {
    let kernel = Kernel::of(looking_at(workshop, port)?, workshop).with_context(|| case.to_owned())?;
    let seen = |periods: u64| {
        let end = Instant::from_ticks(periods * PERIOD + QUIET);
        let all = entries(&kernel, workshop, &[], end)?;
        Ok::<Vec<_>, anyhow::Error>(all.into_iter().map(|entry| entry.instructions).collect())
    };
    let instant = |periods: u64| {
        let (before, all) = (seen(periods - 1)?, seen(periods)?);
        ensure!(all.starts_with(&before), "{case}: a run is another one if it is longer");
        // All of the instant is done in one entry; ends of jobs are others, and shorter.
        all.get(before.len()..).and_then(|own| own.iter().max()).copied().context("an entry at the instant")
    };
    let mut rows = vec![Row::instructions(SAME, case, &[instant(UNCHANGED)?])?];
    if port.is_some() {
        rows.push(Row::instructions(CHANGED, case, &[instant(ALL_CHANGED)?])?);
    }
    Ok(rows)
}

/// A wave, and a task that waits for this port of it; or no other task.
///
/// # Errors
/// If it can't be written or read.
pub fn looking_at(workshop: &Workshop, port: Option<&str>) -> Result<Project> {
    let name =
        port.map_or("bench_looks".to_owned(), |port| format!("bench_looks_at_{}", port.replace('.', "_")));
    let folder = workshop.folder(&name).join("system");
    replace(&folder.join("beryl.toml"), description(&name, port.is_some()).as_bytes())?;
    replace(&folder.join("looks.tdl"), timing(port).as_bytes())?;
    Project::load(&folder, Variant::default()).with_context(|| format!("reading {}", folder.display()))
}

fn timing(port: Option<&str>) -> String {
    let waiting = port.map(|port| {
        format!(
            "  task tide {{ state int turns := 0; output int told := 0; uses turn_of_the_tide(turns, told); }}\n  \
             asynchronous {{ task [trigger = {port}, priority = 1] tide(); }}\n"
        )
    });
    format!(
        "// Written by ./x bench; changes are lost.\nmodule Looks {{\n  struct Place {{ float x; float y; }}\n  \
         struct Head {{ double height; Place place; }}\n  \
         struct Wave {{ Head head; int[10] crests; short tide; byte[2] flags; int count; }}\n  task wave {{\n    \
         state int step := 0;\n    \
         output Wave all := {{{{0, {{0, 0}}}}, {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, 0, {{0, 0}}, 0}};\n    \
         output long far := 0;\n    output byte[3] three := {{0, 0, 0}};\n    \
         uses wave_impl(step, all, far, three);\n  }}\n  \
         start mode run [period = 6ms] {{ task [freq = 1] wave(); }}\n{}}}\n",
        waiting.unwrap_or_default()
    )
}

fn description(name: &str, waits: bool) -> String {
    let head = format!(
        "# Written by ./x bench; changes are lost.\n[system]\nname = {name:?}\ntiming = [\"looks.tdl\"]\n\
         application = \"../../../conformance/app\"\n\n\
         [board]\nname = {BOARD:?}\nflash = \"256k\"\nram = \"256k\"\nspeed = 4\n\n[process.sea]\nmemory = \"64\"\n"
    );
    let task = |name: &str, more: &str| {
        format!("\n[task.{name}]\nprocess = \"sea\"\nworst = \"2ms\"\nstack = \"512\"\n{more}")
    };
    let wave = head + &band("due", "dynamic") + &task("wave", "band = \"due\"\n");
    match waits {
        true => wave + &band("looks", "fixed") + &task("tide", "band = \"looks\"\npriority = 1\n"),
        false => wave,
    }
}
