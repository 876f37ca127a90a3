//! What carrying out a timing program takes with 1 to 15 modules on a node, and with a third of them on another one.
//!
//! Modules come in threes, as in the example of Farcas and Pree (OSPERT 2007): a signal of 5 ms, a reference of 10 ms, and what
//! compares them every 10 ms. With two nodes the comparing ones are on the other.

use anyhow::{Context, Result, ensure};
use beryl_abi::Instant;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant};

use crate::generated::band;
use crate::policing::entries::entries;
use crate::row::{BOARD, Row};
use crate::step::Kernel;

/// The benches: instructions of the kernel in a cycle, all together and of its longest entry.
pub const NAMES: &[&str] = &[CYCLE, LONGEST];
pub const CYCLE: &str = "modules/cycle";
pub const LONGEST: &str = "modules/longest";

/// How many modules there are at most.
pub const MOST: u64 = 15;
/// How many belong together.
pub const SET: u64 = 3;
/// Milliseconds of a cycle, in which each module is through once.
const CYCLE_MILLISECONDS: u64 = 10;
/// Cycles that are counted, behind those that aren't: in the first one the system starts.
const CYCLES: u64 = 4;
const BEFORE: u64 = 2;
/// Ticks of a cycle, and of a part of one behind whose beginning everything is done and nothing happens.
const CYCLE_TICKS: u64 = CYCLE_MILLISECONDS * 25_000;
const QUIET: u64 = CYCLE_TICKS * 4 / 10;
/// An instruction takes 2^4 ns.
const SPEED: u32 = 4;

/// The case of so many modules.
pub fn on_one(modules: u64) -> String {
    format!("{modules} on one node")
}

/// The same where those that compare are elsewhere.
pub fn on_two(modules: u64) -> String {
    format!("{modules} on two nodes, the first")
}

/// Measures each number of modules; briefly the least and the most.
///
/// # Errors
/// Those of building and running the systems, or if a kernel did something else in one cycle than in another.
pub fn rows(workshop: &Workshop, is_brief: bool) -> Result<Vec<Row>> {
    let numbers = (1..=MOST).filter(|modules| !is_brief || [1, MOST].contains(modules));
    let mut rows = Vec::new();
    for modules in numbers {
        rows.extend(of(workshop, modules, false)?);
        if modules.is_multiple_of(SET) {
            rows.extend(of(workshop, modules, true)?);
        }
    }
    Ok(rows)
}

fn of(workshop: &Workshop, modules: u64, has_nodes: bool) -> Result<Vec<Row>> {
    let case = if has_nodes { on_two(modules) } else { on_one(modules) };
    let name = format!("bench_modules_{modules}{}", if has_nodes { "_apart" } else { "" });
    let system = project(workshop, &name, modules, has_nodes).with_context(|| case.clone())?;
    let kernel = Kernel::of(system, workshop).with_context(|| case.clone())?;
    let seen = |cycles: u64| {
        let end = Instant::from_ticks(cycles * CYCLE_TICKS + QUIET);
        let all = entries(&kernel, workshop, &[], end)?;
        // The last one behind the last cycle does nothing but end the run.
        Ok::<Vec<_>, anyhow::Error>(all.into_iter().map(|entry| entry.instructions).collect())
    };
    let (before, all) = (seen(BEFORE)?, seen(BEFORE + CYCLES)?);
    let counted = all.get(before.len()..).context("fewer entries in more cycles")?;
    ensure!(all.starts_with(&before), "{case}: the first cycles differ from one run to the next");
    let total: u64 = counted.iter().sum();
    ensure!(total.is_multiple_of(CYCLES), "{case}: {total} instructions in {CYCLES} cycles that are alike");
    let longest = counted.iter().max().copied().context("an entry")?;
    Ok(vec![
        Row::instructions(CYCLE, &case, &[total / CYCLES])?,
        Row::instructions(LONGEST, &case, &[longest])?,
    ])
}

/// Writes a system and loads it, or its first node.
fn project(workshop: &Workshop, name: &str, modules: u64, has_nodes: bool) -> Result<Project> {
    let folder = workshop.folder(name).join("system");
    replace(&folder.join("beryl.toml"), description(name, modules, has_nodes).as_bytes())?;
    replace(&folder.join("modules.tdl"), timing(modules).as_bytes())?;
    let variant = Variant { node: has_nodes.then_some("first"), ..Variant::default() };
    Project::load(&folder, variant).with_context(|| format!("reading {}", folder.display()))
}

/// What the module with this number does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Signal,
    Reference,
    Comparator,
}

fn part(module: u64) -> Part {
    [Part::Signal, Part::Reference, Part::Comparator][usize::try_from(module % SET).unwrap_or_default()]
}

fn description(name: &str, modules: u64, has_nodes: bool) -> String {
    let mut text = format!(
        "# Written by ./x bench; changes are lost.\n[system]\nname = {name:?}\ntiming = [\"modules.tdl\"]\n\
         application = \"../../../bench/app\"\n\n\
         [board]\nname = {BOARD:?}\nflash = \"256k\"\nram = \"256k\"\nspeed = {SPEED}\n"
    );
    let nodes: &[&str] = if has_nodes { &["first", "second"] } else { &[] };
    nodes.iter().for_each(|node| text += &format!("\n[node.{node}]\n"));
    if has_nodes {
        text += "\n[bus]\nframe = \"100us\"\nbyte = \"1us\"\n";
    }
    for (process, node) in [("near", "first"), ("far", "second")] {
        let node = if has_nodes { format!("node = {node:?}\n") } else { String::new() };
        text += &format!("\n[process.{process}]\nmemory = \"64\"\n{node}");
    }
    text += &band("all", "dynamic");
    for module in 0..modules {
        let process = if part(module) == Part::Comparator { "far" } else { "near" };
        text += &format!("\n[task.t{module}]\nprocess = {process:?}\nworst = \"50us\"\nstack = \"256\"\n");
    }
    text
}

/// Each task's input is its own output, or that of the signal with which it is compared.
fn timing(modules: u64) -> String {
    let mut text = "// Written by ./x bench; changes are lost.\n".to_owned();
    for module in 0..modules {
        let (import, from, period) = match part(module) {
            Part::Signal => (String::new(), format!("t{module}"), CYCLE_MILLISECONDS / 2),
            Part::Reference => (String::new(), format!("t{module}"), CYCLE_MILLISECONDS),
            Part::Comparator => {
                let signal = module - 2;
                (format!("  import M{signal};\n"), format!("M{signal}.t{signal}"), CYCLE_MILLISECONDS)
            }
        };
        text += &format!(
            "module M{module} {{\n{import}  public task t{module} {{\n    input int value;\n    output int handed := 3;\n    \
             uses hand_on(value, handed);\n  }}\n  start mode run [period = {period}ms] {{\n    \
             task [freq = 1] t{module}({from}.handed);\n  }}\n}}\n"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_the_modules_is_elsewhere() {
        let text = description("name", MOST, true);
        let of = |process: &str| text.matches(&format!("process = {process:?}")).count();
        assert_eq!([of("near"), of("far")], [10, 5]);
        assert!(!description("name", MOST, false).contains("node"));
    }

    #[test]
    fn modules_that_compare_read_the_signal_of_their_set() {
        let text = timing(6);
        assert_eq!(text.matches("import").count(), 2);
        assert!(text.contains("task [freq = 1] t5(M3.t3.handed);"), "{text}");
    }
}
