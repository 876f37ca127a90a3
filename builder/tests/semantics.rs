//! Random timing programs: what their system code does, instant by instant, is what the language's rules say.
//!
//! One side walks the model by the rules of `docs/reference/timing-language.md`, in the plainest way; the other runs the
//! generated code of all modules with phases and a queue of triggers. Both write down every getter, guard, copy, update,
//! release and publication. A failure prints the seed of its program.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_builder::Project;
use beryl_builder::assembly::DriverKind;
use beryl_syscode::Instruction;
use beryl_timing::{Activity, Guard, Model, Module, Operand, Role, Window};
use common::{described, try_project};

mod common;

const HORIZON: u64 = 100;

/// A generator of numbers that are the same on every machine (Steele, Lea, Flood: SplitMix, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        let index = usize::try_from(self.below(list.len() as u64)).expect("it is small");
        &list[index]
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// What a guard says: the same to both sides.
fn verdict(seed: u64, guard: &str, instant: u64) -> bool {
    let name = guard.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    Random(name.wrapping_add(instant.wrapping_mul(7919))).chance(40)
}

/// A program of one to three modules; all instants are whole milliseconds.
struct Writer {
    random: Random,
    guards: usize,
    values: Vec<String>,
}

impl Writer {
    fn program(seed: u64) -> (String, Vec<String>, usize) {
        let mut writer = Writer { random: Random(seed), guards: 0, values: Vec::new() };
        let modules = 1 + writer.random.below(3);
        let mut tasks = Vec::new();
        let text = (0..modules).map(|module| writer.module(module, &mut tasks)).collect();
        (text, tasks, writer.guards)
    }

    fn module(&mut self, module: u64, all: &mut Vec<String>) -> String {
        let tasks = 1 + self.random.below(3);
        let modes = 1 + self.random.below(3);
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
        let period = *self.random.one_of(&[4_u64, 6, 8, 12]);
        let divisors: Vec<u64> = (1..=period).filter(|divisor| period.is_multiple_of(*divisor)).collect();
        let start = if mode == 0 { "start " } else { "" };
        let mut text = format!("  {start}mode m{module}_{mode} [period = {period}ms] {{\n");
        let mut statements = Vec::new();
        let (mut common, mut is_whole) = (0, false);
        // Every task is invoked in the first mode, so that all are invoked somewhere.
        for task in (0..tasks).filter(|_| mode == 0 || self.random.chance(70)).collect::<Vec<_>>() {
            let frequency = *self.random.one_of(&divisors);
            let slots = self.slots(frequency);
            is_whole |= !slots.is_empty();
            common = divisor(common, frequency);
            let guard = self.guard(values);
            let inputs = [0, 1].map(|_| self.random.one_of(values).clone()).join(", ");
            statements.push(format!("task [freq = {frequency}{slots}] {guard}t{module}_{task}({inputs});"));
        }
        for actuator in (0..2).filter(|_| self.random.chance(60)).collect::<Vec<_>>() {
            let (frequency, guard) = (*self.random.one_of(&divisors), self.guard(values));
            let source = self.random.one_of(values);
            statements
                .push(format!("actuator [freq = {frequency}] {guard}a{module}_{actuator} := {source};"));
        }
        for _ in 0..self.random.below(3) {
            let fits = |frequency: &&u64| if is_whole { **frequency == 1 } else { common % **frequency == 0 };
            let harmonic: Vec<u64> = divisors.iter().filter(fits).copied().collect();
            let (frequency, guard) = (*self.random.one_of(&harmonic), self.guard(values));
            let target = self.random.below(modes);
            statements.push(format!("mode [freq = {frequency}] {guard}m{module}_{target};"));
        }
        while !statements.is_empty() {
            let index = usize::try_from(self.random.below(statements.len() as u64)).expect("it is small");
            text += &format!("    {}\n", statements.swap_remove(index));
        }
        text + "  }\n"
    }

    /// Some of the slots, joined at random; nothing for all of them alone.
    fn slots(&mut self, frequency: u64) -> String {
        if frequency < 2 || self.random.chance(60) {
            return String::new();
        }
        let mut ranges = Vec::new();
        let mut slot = 1;
        while slot <= frequency {
            let last = (slot + self.random.below(3)).min(frequency);
            if self.random.chance(60) || last == frequency && ranges.is_empty() {
                ranges.push(if last == slot { slot.to_string() } else { format!("{slot}-{last}") });
            }
            slot = last + 1;
        }
        format!(", slots = {}", ranges.join("|"))
    }

    fn guard(&mut self, values: &[String]) -> String {
        if self.random.chance(40) {
            return String::new();
        }
        self.guards += 1;
        let arguments: Vec<_> =
            (0..self.random.below(3)).map(|_| self.random.one_of(values).clone()).collect();
        format!("if g{}({}) then ", self.guards - 1, arguments.join(", "))
    }
}

fn divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { divisor(other, one % other) }
}

/// What happens at each millisecond, in order; a line each.
type Story = BTreeMap<u64, Vec<String>>;

/// A module as the rules see it.
struct Walker<'a> {
    model: &'a Model,
    module: &'a Module,
    mode: usize,
    began: u64,
    read: BTreeSet<usize>,
    /// Tasks with a job whose outputs aren't visible yet.
    at_work: BTreeSet<usize>,
    switched: bool,
}

impl<'a> Walker<'a> {
    fn new(model: &'a Model, module: &'a Module) -> Self {
        let (read, at_work) = (BTreeSet::new(), BTreeSet::new());
        Walker { model, module, mode: module.start, began: 0, read, at_work, switched: false }
    }

    fn period(&self) -> u64 {
        self.module.modes[self.mode].period.0 / 1000
    }

    fn windows(&self, activity: &Activity) -> Vec<(u64, u64)> {
        let period = self.module.modes[self.mode].period;
        activity.windows(period).map(|Window { start, end }| (start.0 / 1000, end.0 / 1000)).collect()
    }

    /// Rule 2, first: outputs of ending tasks become visible.
    fn outputs(&mut self, now: u64, said: &mut Vec<String>) {
        self.read.clear();
        self.switched = false;
        let since = now - self.began;
        for activity in &self.module.modes[self.mode].activities {
            let Activity::Task { task, .. } = activity else { continue };
            let ends = |(_, end): &(u64, u64)| since > 0 && (since % self.period() == end % self.period());
            if self.windows(activity).iter().any(ends) && self.at_work.remove(task) {
                said.push(format!("publish {}", self.module.tasks[*task].name));
            }
        }
    }

    /// Rule 2, second: actuators are updated.
    fn actuators(&mut self, now: u64, seed: u64, said: &mut Vec<String>) {
        let since = now - self.began;
        for activity in &self.module.modes[self.mode].activities {
            let Activity::Actuator { actuator, guard, source, .. } = activity else { continue };
            if !since.is_multiple_of(activity.duration(self.module.modes[self.mode].period).0 / 1000) {
                continue;
            }
            if self.asked(guard.as_ref(), std::slice::from_ref(source), now, seed, said) {
                self.take(source, said);
                said.push(format!("set {}", self.module.actuators[*actuator].name));
            }
        }
    }

    /// Rule 2, third: the first switch whose guard is true is taken.
    fn switches(&mut self, now: u64, seed: u64, said: &mut Vec<String>) {
        let since = now - self.began;
        for switch in &self.module.modes[self.mode].switches {
            let every = self.period() / u64::from(switch.frequency);
            if since.is_multiple_of(every) && self.asked(switch.guard.as_ref(), &[], now, seed, said) {
                assert!(self.at_work.is_empty(), "no task is inside its logical execution time (rule 4)");
                (self.mode, self.began, self.switched) = (switch.target, now, true);
                return;
            }
        }
    }

    /// Rule 2, fourth: tasks are released, in the new mode if there is one.
    fn releases(&mut self, now: u64, seed: u64, said: &mut Vec<String>) {
        let since = now - self.began;
        for activity in &self.module.modes[self.mode].activities {
            let Activity::Task { task, guard, inputs, .. } = activity else { continue };
            let due = self.windows(activity).into_iter().find(|(start, _)| since % self.period() == *start);
            let Some((start, end)) = due else { continue };
            if !self.asked(guard.as_ref(), inputs, now, seed, said) {
                continue;
            }
            let name = &self.module.tasks[*task].name;
            for input in inputs {
                self.take(input, said);
                said.push(format!("copy {} to {name}", self.name(input)));
            }
            said.push(format!("release {name} for {} ms", end - start));
            self.at_work.insert(*task);
        }
    }

    /// Asks a guard, with the sensors of what it guards read before.
    fn asked(
        &mut self,
        guard: Option<&Guard>,
        takes: &[Operand],
        now: u64,
        seed: u64,
        said: &mut Vec<String>,
    ) -> bool {
        let Some(guard) = guard else { return true };
        let arguments: Vec<_> = guard.arguments.iter().map(|argument| argument.operand.clone()).collect();
        arguments.iter().chain(takes).for_each(|operand| self.take(operand, said));
        said.push(format!("ask {}", guard.function));
        verdict(seed, &guard.function, now)
    }

    /// Reads a sensor, if it is one that hasn't been read at this instant.
    fn take(&mut self, operand: &Operand, said: &mut Vec<String>) {
        if let Operand::Sensor(sensor) = operand
            && self.read.insert(*sensor)
        {
            said.push(format!("read {}", self.module.sensors[*sensor].name));
        }
    }

    fn name(&self, operand: &Operand) -> String {
        match operand {
            Operand::Sensor(sensor) => self.module.sensors[*sensor].name.clone(),
            Operand::Output { module, task, port } => {
                let task = &self.model.modules[*module].tasks[*task];
                assert_eq!(task.ports[*port].role, Role::Output);
                format!("{}.{}", task.name, task.ports[*port].name)
            }
            Operand::Constant(value) => value.to_string(),
        }
    }
}

/// The story by the rules.
fn by_the_rules(model: &Model, seed: u64) -> (Story, usize) {
    let mut walkers: Vec<_> = model.modules.iter().map(|module| Walker::new(model, module)).collect();
    let mut story = Story::new();
    let mut switches = 0;
    for now in 0..HORIZON {
        let mut said = Vec::new();
        walkers.iter_mut().for_each(|walker| walker.outputs(now, &mut said));
        walkers.iter_mut().for_each(|walker| walker.actuators(now, seed, &mut said));
        walkers.iter_mut().for_each(|walker| walker.switches(now, seed, &mut said));
        walkers.iter_mut().for_each(|walker| walker.releases(now, seed, &mut said));
        switches += walkers.iter().filter(|walker| walker.switched).count();
        if !said.is_empty() {
            story.insert(now, said);
        }
    }
    (story, switches)
}

/// The story of the generated code. Triggers are ordered by instant, phase and program.
fn by_the_code(project: &Project, seed: u64) -> Story {
    let milliseconds = |duration: Duration| duration.ticks() / (1_000_000 / u64::from(project.tick()));
    let drivers = &project.assembly.drivers;
    let mut queue: BTreeMap<(u64, u8, usize), u16> = BTreeMap::new();
    for (index, program) in project.programs.iter().enumerate() {
        queue.insert((0, 0, index), program.start);
    }
    let mut at_work = BTreeSet::new();
    let mut story = Story::new();
    while let Some(((now, phase, index), start)) = queue.pop_first() {
        if now >= HORIZON {
            break;
        }
        let program = &project.programs[index];
        let time = |number: u8| milliseconds(program.durations[usize::from(number)]);
        let said = story.entry(now).or_default();
        let (mut at, mut yes, mut done) = (usize::from(start), false, 0);
        loop {
            let instruction = Instruction::decode(program.code[at]).expect("it is verified");
            // A run means its objects one by one.
            let (instruction, count) = match instruction {
                Instruction::Calls { first, count } => {
                    (Instruction::Call { driver: DriverId(first.0 + u16::from(done)) }, count)
                }
                Instruction::Releases { first, deadline, count } => {
                    (Instruction::Release { task: ThreadId(first.0 + done), deadline }, count)
                }
                other => (other, 1),
            };
            done = if done + 1 < count { done + 1 } else { 0 };
            at += usize::from(done == 0);
            match instruction {
                Instruction::Call { driver } => {
                    let driver = &drivers[usize::from(driver.0)];
                    let name = &driver.name;
                    match driver.kind {
                        DriverKind::Publish if !at_work.remove(&driver.task) => {}
                        DriverKind::Publish => said.push(name.clone()),
                        DriverKind::Input => said.push(format!("copy {name}")),
                        DriverKind::Getter { .. } => said.push(format!("read {name}")),
                        DriverKind::Setter { .. } => said.push(format!("set {name}")),
                        DriverKind::Guard { .. } => {
                            yes = verdict(seed, name, now);
                            said.push(format!("ask {name}"));
                        }
                    }
                }
                Instruction::Release { task, deadline } => {
                    let name = &project.assembly.threads[task.index()].name;
                    said.push(format!("release {name} for {} ms", time(deadline)));
                    at_work.insert(Some(task.index()));
                }
                Instruction::Future { delay, address } => {
                    queue.insert((now + time(delay), 0, index), address);
                }
                Instruction::Phase { phase: next } => {
                    assert!(next > phase, "phases go forward");
                    queue.insert((now, next, index), u16::try_from(at).expect("an address"));
                    break;
                }
                Instruction::Jump { address } => at = usize::from(address),
                Instruction::Branch { address } if !yes => at = usize::from(address),
                Instruction::Branch { .. } => {}
                Instruction::Return {} => break,
                other => panic!("{other:?} isn't generated for modules"),
            }
        }
    }
    story.retain(|_, said| !said.is_empty());
    story
}

/// What both sides say of the program of a seed, and how many switches were taken.
fn compare(seed: u64) -> usize {
    let (text, tasks, guards) = Writer::program(seed);
    let tasks: Vec<_> = tasks.iter().map(|task| ("one", task.as_str())).collect();
    let names: Vec<String> = (0..guards).map(|guard| format!("g{guard}")).collect();
    let mut drivers: Vec<_> = names.iter().map(|guard| ("two", guard.as_str())).collect();
    drivers.extend([("one", "read"), ("two", "set")]);
    let project = try_project(&text, described("", &tasks, &drivers))
        .unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}\n{text}"));
    let (rules, switches) = by_the_rules(&project.model, seed);
    let code = by_the_code(&project, seed);
    for now in 0..HORIZON {
        let [rules, code] = [&rules, &code].map(|story| story.get(&now).cloned().unwrap_or_default());
        assert_eq!(code, rules, "seed {seed} at {now} ms, left by the code and right by the rules\n{text}");
    }
    switches
}

#[test]
fn system_code_does_what_the_rules_say() {
    let switches: usize = (0..300).map(compare).sum();
    assert!(switches > 1000, "switches were taken: {switches}");
}
