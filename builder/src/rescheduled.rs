//! The same system with another scheduler: what it writes mustn't depend on that.

use beryl_abi::Duration;
use toml::{Table, Value};

use crate::assembly::Role;
use crate::description::Description;
use crate::parsed::{Parsed, sources};
use crate::{BuildError, Project};

/// Who decides which task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// One band by deadline.
    Dynamic,
    /// One band by priority, the shortest deadline first.
    Fixed,
    /// The shorter half of the deadlines by deadline, the others by priority.
    Csd,
    /// A program.
    Code,
}

/// All of them.
pub const SCHEDULERS: [Scheduler; 4] =
    [Scheduler::Dynamic, Scheduler::Fixed, Scheduler::Csd, Scheduler::Code];

impl Scheduler {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scheduler::Dynamic => "dynamic",
            Scheduler::Fixed => "fixed",
            Scheduler::Csd => "csd",
            Scheduler::Code => "code",
        }
    }
}

/// Why a system can't have another scheduler.
#[derive(Debug)]
pub enum Unscheduled {
    /// Its bands, in words.
    Bands(&'static str),
    /// It is refused then.
    Refused(Box<BuildError>),
}

impl From<BuildError> for Unscheduled {
    fn from(error: BuildError) -> Unscheduled {
        Unscheduled::Refused(Box::new(error))
    }
}

/// The most urgent priority that a task gets. One more is left to whoever goes before all tasks.
const MOST_URGENT: i64 = 30;

impl Project {
    /// The same system, for the same board, with the tasks that have a dynamic band scheduled in another way. Tasks of
    /// other bands, which events release as a rule, and threads stay where they are.
    ///
    /// # Errors
    /// Why that can't be.
    pub fn rescheduled(&self, scheduler: Scheduler) -> Result<Project, Unscheduled> {
        if self.description.is_part {
            return Err(Unscheduled::Bands("it is a node, and bands are described for all nodes together"));
        }
        let written = self.description.written();
        let text = rescheduled(written, scheduler, &deadlines(self)).map_err(Unscheduled::Bands)?;
        let name = format!("{} (scheduler: {})", self.folder.join("beryl.toml").display(), scheduler.name());
        let board = self.description.board.board.value;
        let description =
            Description::parse_for(&name, &text, Some(board)).map_err(BuildError::Description)?;
        let sources = sources(&self.folder, &description)?;
        Ok(Parsed::of(&self.folder, description, &sources)?.joined()?)
    }
}

/// From a release to the instant by which its job shall be done, of each task.
fn deadlines(project: &Project) -> Vec<(&str, Duration)> {
    let tasks = project.assembly.threads.iter().filter_map(|thread| match &thread.role {
        Role::Task(task) => {
            Some((thread.name.as_str(), task.deadline.unwrap_or(task.logical).min(task.logical)))
        }
        _ => None,
    });
    tasks.collect()
}

/// A description whose tasks with a dynamic band are scheduled in another way.
fn rescheduled(
    text: &str,
    scheduler: Scheduler,
    deadlines: &[(&str, Duration)],
) -> Result<String, &'static str> {
    let mut description: Table = text.parse().map_err(|_| "its description can't be read twice")?;
    let bands = description.get_mut("band").and_then(Value::as_array_mut).ok_or("it has no bands")?;
    let is_dynamic = |band: &Value| said(band, "policy") == Some("dynamic");
    let mut dynamic = (0..bands.len()).filter(|place| bands.get(*place).is_some_and(is_dynamic));
    let place =
        dynamic.next().ok_or("it has no band by deadline whose tasks could be scheduled otherwise")?;
    if dynamic.next().is_some() {
        return Err("it has several bands by deadline, which is a scheduler of its own");
    }
    let Some(Value::Table(band)) = bands.get(place).cloned() else { return Err("a band isn't a table") };
    let name = band.get("name").and_then(Value::as_str).ok_or("a band has no name")?.to_owned();
    let by_priority = format!("{name}_by_priority");
    let _ = bands.splice(place..=place, in_place_of(&band, scheduler, &by_priority));
    let Some(Value::Table(tasks)) = description.get_mut("task") else { return Err("it has no tasks") };
    let is_member = |task: &Value| said(task, "band").is_none_or(|band| band == name);
    let mut members: Vec<_> =
        tasks.iter().filter(|(_, task)| is_member(task)).map(|(name, _)| name.clone()).collect();
    let deadline =
        |name: &String| deadlines.iter().find(|(task, _)| task == name).map(|(_, deadline)| *deadline);
    members.sort_by_key(|name| deadline(name).unwrap_or(Duration::FOREVER));
    let half = members.len().div_ceil(2);
    for (position, member) in members.iter().enumerate() {
        let Some(Value::Table(task)) = tasks.get_mut(member) else { continue };
        let is_long = scheduler == Scheduler::Csd && position >= half;
        task.insert("band".to_owned(), if is_long { by_priority.as_str() } else { name.as_str() }.into());
        if is_long || scheduler == Scheduler::Fixed {
            let priority = MOST_URGENT.saturating_sub(i64::try_from(position).unwrap_or(i64::MAX));
            task.insert("priority".to_owned(), priority.into());
        }
    }
    Ok(description.to_string())
}

/// The bands that stand where a dynamic one stood.
fn in_place_of(band: &Table, scheduler: Scheduler, by_priority: &str) -> Vec<Value> {
    let with = |policy: &str| {
        let mut band = band.clone();
        band.insert("policy".to_owned(), policy.into());
        band
    };
    let bands = match scheduler {
        Scheduler::Dynamic => vec![with("dynamic")],
        Scheduler::Fixed => vec![with("fixed")],
        Scheduler::Csd => {
            let mut long = with("fixed");
            long.insert("name".to_owned(), by_priority.into());
            vec![with("dynamic"), long]
        }
        Scheduler::Code => vec![with("code")],
    };
    bands.into_iter().map(Value::Table).collect()
}

/// What a table says under a key, if it is a text.
fn said<'a>(table: &'a Value, key: &str) -> Option<&'a str> {
    table.get(key).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
[[band]]
name = \"above\"
policy = \"fixed\"

[[band]]
name = \"flight\"
policy = \"dynamic\"

[task.slow]
worst = \"1ms\"

[task.quick]
band = \"flight\"

[task.between]

[task.event]
band = \"above\"
priority = 3
";

    fn made(scheduler: Scheduler) -> Result<Table, &'static str> {
        let ticks = Duration::from_ticks;
        let deadlines = [("slow", ticks(30)), ("quick", ticks(10)), ("between", ticks(20))];
        Ok(rescheduled(TEXT, scheduler, &deadlines)?.parse().expect("a description"))
    }

    fn bands(of: &Table) -> Vec<(&str, &str)> {
        let bands = of["band"].as_array().expect("bands");
        bands.iter().filter_map(|band| Some((said(band, "name")?, said(band, "policy")?))).collect()
    }

    /// Each task with its band, and its priority if it has one.
    fn tasks(of: &Table) -> Vec<String> {
        let tasks = of["task"].as_table().expect("tasks").iter();
        let in_words = |(name, task): (&String, &Value)| {
            let priority = task.get("priority").map(|priority| format!(" {priority}")).unwrap_or_default();
            format!("{name}: {}{priority}", said(task, "band").expect("a band"))
        };
        tasks.map(in_words).collect()
    }

    #[test]
    fn tasks_are_put_into_bands_as_the_scheduler_has_them() {
        let [dynamic, fixed, csd, code] = SCHEDULERS.map(|scheduler| made(scheduler).expect("it can be"));
        let above = ("above", "fixed");
        assert_eq!(bands(&dynamic), [above, ("flight", "dynamic")]);
        assert_eq!(bands(&fixed), [above, ("flight", "fixed")]);
        assert_eq!(bands(&csd), [above, ("flight", "dynamic"), ("flight_by_priority", "fixed")]);
        assert_eq!(bands(&code), [above, ("flight", "code")]);
        let plain = ["between: flight", "event: above 3", "quick: flight", "slow: flight"];
        assert_eq!(tasks(&dynamic), plain);
        assert_eq!(
            tasks(&fixed),
            ["between: flight 29", "event: above 3", "quick: flight 30", "slow: flight 28"]
        );
        assert_eq!(tasks(&csd), [plain[0], plain[1], plain[2], "slow: flight_by_priority 28"]);
        assert_eq!(tasks(&code), plain);
    }

    #[test]
    fn bands_that_are_a_scheduler_of_their_own_stay() {
        let by = |text: &str| rescheduled(text, Scheduler::Fixed, &[]).expect_err("it can't be");
        assert_eq!(
            by(&TEXT.replace("dynamic", "fixed")),
            "it has no band by deadline whose tasks could be scheduled otherwise"
        );
        assert_eq!(
            by(&TEXT.replace("\"fixed\"", "\"dynamic\"")),
            "it has several bands by deadline, which is a scheduler of its own"
        );
        assert_eq!(by(""), "it has no bands");
    }
}
