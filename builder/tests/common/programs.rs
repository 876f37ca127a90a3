//! Random timing programs, each from the seed that names it.

use beryl_testing::{Draw, SplitMix64, divisor};

/// A program of one to three modules; all instants are whole milliseconds.
pub struct Writer {
    random: SplitMix64,
    guards: usize,
    values: Vec<String>,
}

impl Writer {
    /// The text of a seed, with its tasks and how many guards it asks.
    pub fn program(seed: u64) -> (String, Vec<String>, usize) {
        let mut writer = Writer { random: SplitMix64(seed), guards: 0, values: Vec::new() };
        let modules = 1 + writer.random.under(3);
        let mut tasks = Vec::new();
        let text = (0..modules).map(|module| writer.module(module, &mut tasks)).collect();
        (text, tasks, writer.guards)
    }

    fn module(&mut self, module: u64, all: &mut Vec<String>) -> String {
        let tasks = 1 + self.random.under(3);
        let modes = 1 + self.random.under(3);
        let imports: String = (0..module).map(|other| format!("  import M{other};\n")).collect();
        let mut text = format!("module M{module} {{\n{imports}");
        let imported = self.values.clone();
        let mut own: Vec<String> = (0..2).map(|number| format!("s{module}_{number}")).collect();
        for number in 0..2 {
            text += &format!("  sensor int s{module}_{number} uses read;\n");
            text += &format!("  actuator int a{module}_{number} := 0 uses set;\n");
        }
        for task in 0..tasks {
            let name = format!("t{module}_{task}");
            text += &format!(
                "  public task {name} {{ input int a; input int b; output int x := 0; uses f_{name}(a, b, x); }}\n"
            );
            own.push(format!("{name}.x"));
            self.values.push(format!("M{module}.{name}.x"));
            all.push(name);
        }
        own.extend(imported);
        for mode in 0..modes {
            text += &self.mode(module, mode, tasks, modes, &own);
        }
        text + "}\n"
    }

    fn mode(&mut self, module: u64, mode: u64, tasks: u64, modes: u64, values: &[String]) -> String {
        let period = *self.random.one_of(&[4_u64, 6, 8, 12, 24, 48]);
        let divisors: Vec<u64> = (1..=period).filter(|divisor| period.is_multiple_of(*divisor)).collect();
        let start = if mode == 0 { "start " } else { "" };
        let mut text = format!("  {start}mode m{module}_{mode} [period = {period}ms] {{\n");
        let mut statements = Vec::new();
        let (mut windows, mut common) = (Vec::new(), 0);
        // Every task is invoked in the first mode, so that all are invoked somewhere.
        for task in (0..tasks).filter(|_| mode == 0 || self.random.chance(70)).collect::<Vec<_>>() {
            let frequency = *self.random.one_of(&divisors);
            common = divisor(common, frequency);
            let (slots, own) = self.slots(frequency);
            let slot = period / frequency;
            windows.extend(own.into_iter().map(|(first, last)| ((first - 1) * slot, last * slot)));
            let guard = self.guard(values);
            let inputs = [0, 1].map(|_| self.random.one_of(values).clone()).join(", ");
            statements.push(format!("task [freq = {frequency}{slots}] {guard}t{module}_{task}({inputs});"));
        }
        for actuator in (0..2).filter(|_| self.random.chance(60)).collect::<Vec<_>>() {
            let frequency = *self.random.one_of(&divisors);
            let slots = if self.random.chance(50) { self.slots(frequency).0 } else { String::new() };
            let (guard, source) = (self.guard(values), self.source(values));
            statements.push(format!(
                "actuator [freq = {frequency}{slots}] {guard}a{module}_{actuator} := {source};"
            ));
        }
        for actuator in (0..2).filter(|_| self.random.chance(25)).collect::<Vec<_>>() {
            let (guard, source) = (self.guard(values), self.source(values));
            statements.push(format!("actuator [entering] {guard}a{module}_{actuator} := {source};"));
        }
        let is_free = |at: u64| !windows.iter().any(|(start, end)| *start < at && at < *end);
        for _ in 0..self.random.under(3) {
            let attributes = match self.random.chance(30) {
                true => self.free_slots(period, &divisors, is_free),
                false => {
                    let fits = |frequency: &&u64| {
                        let slot = period / **frequency;
                        // The frequency of a switch divides those of all tasks, also of those in slots.
                        common % **frequency == 0 && (1..**frequency).all(|number| is_free(number * slot))
                    };
                    let harmonic: Vec<u64> = divisors.iter().filter(fits).copied().collect();
                    format!("freq = {}", self.random.one_of(&harmonic))
                }
            };
            let (guard, target) = (self.guard(values), self.random.under(modes));
            statements.push(format!("mode [{attributes}] {guard}m{module}_{target};"));
        }
        while !statements.is_empty() {
            let index = usize::try_from(self.random.under(statements.len() as u64)).expect("it is small");
            text += &format!("    {}\n", statements.swap_remove(index));
        }
        text + "  }\n"
    }

    /// What an actuator is given.
    fn source(&mut self, values: &[String]) -> String {
        match self.random.chance(25) {
            true => self.random.under(100).to_string(),
            false => self.random.one_of(values).clone(),
        }
    }

    /// Slots for a switch at whose ends nothing is at work.
    fn free_slots(&mut self, period: u64, divisors: &[u64], is_free: impl Fn(u64) -> bool) -> String {
        let frequency = *self.random.one_of(divisors);
        let ends = (1..=frequency).filter(|slot| is_free(slot * period / frequency));
        let ends: Vec<u64> = ends.collect();
        let one = *self.random.one_of(&ends);
        let chosen = ends.into_iter().filter(|slot| *slot == one || self.random.chance(20));
        let chosen: Vec<_> = chosen.map(|slot| slot.to_string()).collect();
        format!("freq = {frequency}, slots = {}", chosen.join("|"))
    }

    /// Some of the slots, joined at random, as text and by the first and the last of each; in the text nothing for all of
    /// them alone.
    fn slots(&mut self, frequency: u64) -> (String, Vec<(u64, u64)>) {
        if frequency < 2 || self.random.chance(60) {
            return (String::new(), (1..=frequency).map(|slot| (slot, slot)).collect());
        }
        let mut ranges = Vec::new();
        let mut slot = 1;
        while slot <= frequency {
            let last = (slot + self.random.under(3)).min(frequency);
            if self.random.chance(60) || last == frequency && ranges.is_empty() {
                ranges.push((slot, last));
            }
            slot = last + 1;
        }
        let text = |&(slot, last): &(u64, u64)| match last == slot {
            true => slot.to_string(),
            false => format!("{slot}-{last}"),
        };
        let texts: Vec<_> = ranges.iter().map(text).collect();
        (format!(", slots = {}", texts.join("|")), ranges)
    }

    fn guard(&mut self, values: &[String]) -> String {
        if self.random.chance(40) {
            return String::new();
        }
        let condition = match self.random.chance(40) {
            true => self.condition(values, 2),
            false => self.native(values),
        };
        format!("if {condition} then ")
    }

    fn native(&mut self, values: &[String]) -> String {
        self.guards += 1;
        let arguments: Vec<_> =
            (0..self.random.under(3)).map(|_| self.random.one_of(values).clone()).collect();
        format!("g{}({})", self.guards - 1, arguments.join(", "))
    }

    /// Comparisons and native guards, at most so deep within each other.
    fn condition(&mut self, values: &[String], depth: u64) -> String {
        if depth == 0 || self.random.chance(40) {
            return match self.random.under(4) {
                0 => self.native(values),
                _ => {
                    let comparison = *self.random.one_of(&["<", "<=", ">", ">=", "==", "!="]);
                    let right = match self.random.chance(50) {
                        true => self.random.one_of(values).clone(),
                        false => self.random.under(10).to_string(),
                    };
                    format!("{} {comparison} {right}", self.random.one_of(values))
                }
            };
        }
        let inner = self.condition(values, depth - 1);
        match self.random.under(3) {
            0 => format!("not ({inner})"),
            joined => {
                let word = if joined == 1 { "and" } else { "or" };
                format!("({inner}) {word} {}", self.condition(values, depth - 1))
            }
        }
    }
}
