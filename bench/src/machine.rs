//! What system code costs, for 4 to 100 tasks in four groups at 16.66, 33.33, 50 and 100 Hz: those of the
//! programmable-microkernel paper, section 6. Counted in the emulator's log, from the entry into the kernel to the
//! way out.
//!
//! A task's job is next to nothing, so each entry has one cause. What a system call costs is all work of a
//! completed job: the end of the job, and who runs next. What an alarm costs is all work of an instant: for each released
//! task its output is published, its input copied and it is released.

use std::fs;

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant, image};

use crate::generated::band;
use crate::observed;
use crate::row::Row;

/// What is measured here.
pub const NAMES: &[&str] = &["machine/s-code", "machine/edf", "machine/e-code", "machine/code-bytes"];

/// Numbers of tasks.
pub const TASKS: [u64; 4] = [4, 10, 50, 100];
/// How often the tasks of each group run in 60 ms.
const GROUPS: [u64; 4] = [1, 2, 3, 6];

/// Writes, builds and runs systems that are scheduled by code and by deadline, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut instants = Vec::new();
    for tasks in TASKS {
        let by_code = Measured::of(workshop, "code", tasks)?;
        let by_deadline = Measured::of(workshop, "dynamic", tasks)?;
        rows.push(Row::instructions(NAMES[0], &tasks.to_string(), &by_code.completions)?);
        rows.push(Row::instructions(NAMES[1], &tasks.to_string(), &by_deadline.completions)?);
        rows.push(Row::bytes(NAMES[3], &tasks.to_string(), by_code.bytes));
        instants.push((tasks, by_code.longest_instant));
    }
    rows.push(Row::instructions(NAMES[2], "slope a released task, scheduled by code", &[slope(&instants)?])?);
    Ok(rows)
}

/// By how much the longest instant, at which all are released, grows with a task: rounded up.
fn slope(instants: &[(u64, u64)]) -> Result<u64> {
    let (first, last) = instants.first().zip(instants.last()).context("no instant")?;
    ensure!(last.0 > first.0 && last.1 > first.1, "more tasks cost no more: {instants:?}");
    Ok((last.1 - first.1).div_ceil(last.0 - first.0))
}

struct Measured {
    /// Instructions of each system call.
    completions: Vec<u64>,
    /// Instructions of the alarm with the most work.
    longest_instant: u64,
    /// Bytes of all system code.
    bytes: u64,
}

impl Measured {
    fn of(workshop: &Workshop, policy: &str, tasks: u64) -> Result<Measured> {
        let name = format!("bench_machine_{policy}_{tasks}");
        let folder = workshop.folder(&name).join("system");
        replace(&folder.join("beryl.toml"), description(&name, policy, tasks).as_bytes())?;
        replace(&folder.join("machine.tdl"), timing(tasks).as_bytes())?;
        let project = Project::load(&folder, Variant::default())
            .with_context(|| format!("reading {}", folder.display()))?;
        let built = image::build(&project, workshop, |_| ())?;
        let elf = fs::read(&built.kernel).with_context(|| format!("reading {}", built.kernel.display()))?;
        let entries = observed::entries(&project, &built, workshop, &elf, ["SVCall", "DefaultHandler"])
            .with_context(|| name.clone())?;
        let [completions, instants] = entries;
        // Three hyperperiods; the run ends in the middle of something.
        let jobs = 3 * tasks * GROUPS.iter().sum::<u64>() / 4;
        ensure!(
            u64::try_from(completions.len())? >= jobs / 2,
            "{name}: {} calls, expected about {jobs}",
            completions.len()
        );
        let words: usize = project.programs.iter().map(|program| program.code.len()).sum();
        let longest_instant = instants.into_iter().max().context("no instant")?;
        Ok(Measured { completions, longest_instant, bytes: 4 * u64::try_from(words)? })
    }
}

fn description(name: &str, policy: &str, tasks: u64) -> String {
    let mut text = format!(
        "# Written by ./x bench; changes are lost.\n[system]\nname = {name:?}\ntiming = [\"machine.tdl\"]\n\
         application = \"../../../bench/machine\"\n\n\
         [board]\nname = \"mps2-an385\"\nflash = \"256k\"\nram = \"256k\"\nspeed = 0\n\n\
         [process.only]\nmemory = \"64\"\n"
    );
    text += &band("all", policy);
    for task in 0..tasks {
        text += &format!("\n[task.t{task}]\nprocess = \"only\"\nworst = \"1us\"\nstack = \"256\"\n");
    }
    text
}

/// Tasks in four groups, the first the slowest; each gets what it has handed on itself.
fn timing(tasks: u64) -> String {
    let mut text = "// Written by ./x bench; changes are lost.\nmodule Machine {\n".to_owned();
    for task in 0..tasks {
        text += &format!(
            "  task t{task} {{\n    input int value;\n    output int handed := 0;\n    uses hand_on(value, handed);\n  }}\n"
        );
    }
    text += "  start mode run [period = 60ms] {\n";
    for (task, group) in (0..tasks).zip(GROUPS.iter().cycle()) {
        text += &format!("    task [freq = {group}] t{task}(t{task}.handed);\n");
    }
    text + "  }\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_ends() {
        assert_eq!(slope(&[(4, 100), (10, 130), (100, 1060)]).expect("a slope"), 10);
        assert_eq!(slope(&[(4, 100), (100, 197)]).expect("a slope"), 2);
        assert!(slope(&[(4, 100), (100, 100)]).is_err() && slope(&[]).is_err());
    }

    #[test]
    fn each_group_has_a_quarter_of_the_tasks() {
        let text = timing(100);
        for group in GROUPS {
            assert_eq!(text.matches(&format!("[freq = {group}]")).count(), 25);
        }
        assert_eq!(description("name", "code", 100).matches("[task.").count(), 100);
    }
}
