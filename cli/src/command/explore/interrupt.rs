//! Interrupts that may come: `crank@1ms,2ms`.

use std::str::FromStr;

use anyhow::{Result, anyhow};
use beryl_builder::Project;
use beryl_builder::quantity::Nanoseconds;

/// An interrupt of the description and the times at which it may come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MayCome {
    name: String,
    times: Vec<Nanoseconds>,
}

impl FromStr for MayCome {
    type Err = String;

    fn from_str(text: &str) -> Result<MayCome, String> {
        let form = "write NAME@TIME,TIME like `crank@1ms,1.5ms`";
        let (name, times) = text.split_once('@').ok_or(form)?;
        let times = times.split(',').map(|time| {
            crate::command::times::time(time).map_err(|reason| format!("`{time}`: {reason}; {form}"))
        });
        Ok(MayCome { name: name.to_owned(), times: times.collect::<Result<_, _>>()? })
    }
}

impl MayCome {
    /// As the simulation program takes it: the line and tick of each.
    pub fn chances(&self, project: &Project) -> Result<Vec<String>> {
        let interrupts = &project.description.objects.interrupts;
        let found = interrupts.iter().find(|interrupt| interrupt.name.value == self.name);
        let line = found.map(|found| found.line.value).ok_or_else(|| {
            let known: Vec<_> = interrupts.iter().map(|known| known.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            anyhow!("there is no interrupt `{}` in the description; there are: {known}", self.name)
        })?;
        let tick = u64::from(project.tick()).max(1);
        Ok(self.times.iter().map(|time| format!("{line}@{}", time.get().div_ceil(tick))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_times_are_read() {
        let times = [1_000_000, 1_500_000].map(Nanoseconds::new).to_vec();
        assert_eq!("crank@1ms,1.5ms".parse(), Ok(MayCome { name: "crank".into(), times }));
        for wrong in ["crank", "crank@", "crank@1", "crank@1ms,,2ms"] {
            assert!(wrong.parse::<MayCome>().is_err_and(|reason| reason.contains("NAME@TIME")), "{wrong}");
        }
    }
}
