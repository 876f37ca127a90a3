//! What `beryl check` does with a hundred tasks in ten modules, without what it prints: from the text to the proof.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use beryl_analysis::sensitivity::{speed, speed_in_modes};
use beryl_builder::board::MEASURED;
use beryl_builder::proof::{Question, chains, prove};
use beryl_builder::{Project, Variant, toolchain::root};

use crate::time::{Aim, Row, median};

const MODULES: usize = 10;
const TASKS: usize = 10;
/// Of the tasks of a module, in ms; all divide the first mode's period of 100 ms.
const PERIODS: [usize; TASKS] = [10, 10, 20, 20, 50, 50, 50, 100, 100, 100];

/// Ten modules with a mode each.
pub fn check() -> Result<Row> {
    let folder = written("plain", false)?;
    row("check, 100 tasks in 10 modules, each with a sensor and an actuator", &folder, 100)
}

/// The same, with another mode in each module, which leaves half of the tasks out.
pub fn check_modes() -> Result<Row> {
    let folder = written("modes", true)?;
    row("the same with two modes in each module", &folder, 100)
}

/// Two modules in three modes each, of periods that have little in common, with chains through both.
pub fn check_chains() -> Result<Row> {
    let mut text = String::new();
    for (module, periods) in [[25, 70, 80], [30, 100, 120]].iter().enumerate() {
        let import = if module > 0 { "  import M0;\n" } else { "" };
        write!(text, "module M{module} {{\n{import}  sensor int s{module} uses get;\n")?;
        writeln!(text, "  actuator int a{module} := 0 uses set;")?;
        for task in 0..CHAINED {
            writeln!(
                text,
                "  public task t{module}_{task} {{ input int a; output int x := 0; uses f{module}_{task}(a, x); }}"
            )?;
        }
        for (mode, period) in periods.iter().enumerate() {
            let head = if mode == 0 { "start mode" } else { "mode" };
            writeln!(text, "  {head} m{mode} [period = {period}ms] {{")?;
            for task in 0..CHAINED {
                let from = match (task + mode) % CHAINED {
                    0 if module > 0 => "M0.t0_3.x".to_owned(),
                    0 => "s0".to_owned(),
                    before => format!("t{module}_{}.x", before - 1),
                };
                writeln!(text, "    task [freq = {}] t{module}_{task}({from});", [10, 5, 2, 1][task % 4])?;
            }
            writeln!(text, "    actuator [freq = 5] a{module} := t{module}_{}.x;", CHAINED - 1)?;
            writeln!(text, "    mode [freq = 1] if turns(s{module}) then m{};\n  }}", (mode + 1) % 3)?;
        }
        writeln!(text, "}}")?;
    }
    let folder = placed("chains", &text, &description(true, 2, CHAINED)?)?;
    row("check, two modules with three modes each and chains through both", &folder, 500)
}

/// Tasks of each of these modules.
const CHAINED: usize = 6;

fn row(what: &str, folder: &std::path::Path, milliseconds: u64) -> Result<Row> {
    let took = median(|| checked(folder))?;
    let what = what.to_owned();
    Ok(Row { what, took, theirs: None, aim: Aim::Within(Duration::from_millis(milliseconds)) })
}

/// Loads, proves, says how far the proof reaches and how long chains take.
fn checked(folder: &std::path::Path) -> Result<usize> {
    let project = Project::load(folder, Variant::default()).map_err(|wrong| anyhow!("{wrong}"))?;
    let proved = prove(&project)?;
    match &proved.of {
        Question::AllModes(system) => drop(speed(system)?),
        Question::InTurn(modal) => drop(speed_in_modes(modal)?),
    }
    Ok(proved.proof.bands.len() + chains(&project.assembly).rows.len())
}

fn written(name: &str, has_modes: bool) -> Result<PathBuf> {
    placed(name, &timing(has_modes)?, &description(has_modes, MODULES, TASKS)?)
}

/// The folder of a system with these texts.
pub fn placed(name: &str, timing: &str, description: &str) -> Result<PathBuf> {
    let folder = root().join("target/bench/host").join(name);
    fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    for (file, text) in [("host.tdl", timing), ("beryl.toml", description)] {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(folder)
}

/// Each task reads the one before.
fn timing(has_modes: bool) -> Result<String> {
    let mut text = String::new();
    for module in 0..MODULES {
        writeln!(
            text,
            "module M{module} {{\n  sensor int s{module} uses get;\n  actuator int a{module} := 0 uses set;"
        )?;
        for task in 0..TASKS {
            let name = format!("t{module}_{task}");
            writeln!(text, "  task {name} {{ input int a; output int x := 0; uses f_{name}(a, x); }}")?;
        }
        mode(&mut text, module, "start mode whole", 100, TASKS, has_modes.then_some("half"))?;
        if has_modes {
            mode(&mut text, module, "mode half", 50, TASKS / 2, Some("whole"))?;
        }
        writeln!(text, "}}")?;
    }
    Ok(text)
}

fn mode(
    text: &mut String,
    module: usize,
    head: &str,
    period: usize,
    tasks: usize,
    target: Option<&str>,
) -> Result<()> {
    writeln!(text, "  {head} [period = {period}ms] {{")?;
    for (task, every) in PERIODS.iter().enumerate().take(tasks) {
        let every = if period.is_multiple_of(*every) { *every } else { 10 };
        let from = match task.checked_sub(1) {
            Some(before) => format!("t{module}_{before}.x"),
            None => format!("s{module}"),
        };
        writeln!(text, "    task [freq = {}] t{module}_{task}({from});", period / every)?;
    }
    writeln!(text, "    actuator [freq = 1] a{module} := t{module}_{}.x;", tasks - 1)?;
    if let Some(target) = target {
        writeln!(text, "    mode [freq = 1] if turns(s{module}) then {target};")?;
    }
    writeln!(text, "  }}")?;
    Ok(())
}

fn description(has_modes: bool, modules: usize, tasks: usize) -> Result<String> {
    let mut text = format!(
        "[system]\nname = \"host\"\ntiming = [\"host.tdl\"]\napplication = \"app\"\n\
        [board]\nname = {MEASURED:?}\nflash = \"1M\"\nram = \"1M\"\nspeed = 0\n\
        [process.one]\nmemory = \"16k\"\ndriver_stack = \"512\"\n\
        [[band]]\nname = \"all\"\npolicy = \"dynamic\"\n"
    );
    for module in 0..modules {
        for task in 0..tasks {
            writeln!(text, "[task.t{module}_{task}]\nprocess = \"one\"\nworst = \"50us\"\nstack = \"512\"")?;
        }
    }
    let guard = has_modes.then_some("turns");
    for driver in ["get", "set"].into_iter().chain(guard) {
        writeln!(text, "[driver.{driver}]\nprocess = \"one\"\nworst = \"5us\"")?;
    }
    Ok(text)
}
