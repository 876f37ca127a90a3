//! Random timing programs: what their system code does, instant by instant, is what the language's rules say.
//!
//! One side walks the model by the rules of `docs/reference/timing-language.md`, in the plainest way; the
//! other runs the generated code of all modules with phases and a queue of triggers. Both write down every
//! getter, guard, copy, update, release and publication. A failure prints the seed of its program.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::Duration;
use beryl_builder::Project;
use beryl_builder::assembly::DriverKind;
use beryl_builder::code::Program;
use beryl_builder::emit::names::names_of;
use beryl_syscode::Condition;
use beryl_testing::{Draw, SplitMix64 as Random};
use beryl_timing::{Activity, Entering, Guard, Model, Module, Operand, Role, Slots, Window};
use beryl_trace::assertion::{Asserted, Assertion, Evidence, Mode, Point};
use beryl_trace::jobs::History;
use beryl_trace::{Event, Happening, Names, Tick};
use common::programs::Writer;
use common::story::{Story, by_the_code, events};
use common::{described, try_project};

mod common;

const HORIZON: u64 = 100;

/// What a guard says: the same to both sides.
fn verdict(seed: u64, guard: &str, instant: u64) -> bool {
    let name = guard.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    Random(name.wrapping_add(instant.wrapping_mul(7919))).chance(40)
}

/// How often an actuator was updated in a mode, by their names.
type Updates = BTreeMap<(String, String), usize>;

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
    /// How often something was done, or not for its guard, on entering a mode.
    entered: usize,
    /// How many updates and tests came at the ends of slots.
    in_slots: usize,
    /// How often each actuator was updated in each mode.
    updates: Updates,
}

impl<'a> Walker<'a> {
    fn new(model: &'a Model, module: &'a Module) -> Self {
        Walker {
            model,
            module,
            mode: module.start,
            began: 0,
            read: BTreeSet::new(),
            at_work: BTreeSet::new(),
            switched: false,
            entered: 0,
            in_slots: 0,
            updates: BTreeMap::new(),
        }
    }

    fn period(&self) -> u64 {
        self.module.modes[self.mode].period.0 / 1000
    }

    fn windows(&self, activity: &Activity) -> Vec<(u64, u64)> {
        let period = self.module.modes[self.mode].period;
        activity.windows(period).map(|Window { start, end }| (start.0 / 1000, end.0 / 1000)).collect()
    }

    /// Rule 6: whether an update or a switch is due, so long after its mode has begun.
    fn is_due(&self, since: u64, frequency: u32, slots: &[Slots]) -> bool {
        let slot = self.period() / u64::from(frequency);
        let ends = |slots: &Slots| u64::from(slots.last) * slot % self.period() == since % self.period();
        if slots.is_empty() { since.is_multiple_of(slot) } else { slots.iter().any(ends) }
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
            let Activity::Actuator { actuator, frequency, slots, guard, source } = activity else { continue };
            if !self.is_due(since, *frequency, slots) {
                continue;
            }
            self.in_slots += usize::from(!slots.is_empty());
            self.update((*actuator, guard.as_ref(), source), self.mode, now, seed, said);
        }
    }

    /// An update of an actuator, if its guard allows. At the instant of a switch it counts for the mode that is left.
    fn update(
        &mut self,
        (actuator, guard, source): (usize, Option<&Guard>, &Operand),
        left: usize,
        now: u64,
        seed: u64,
        said: &mut Vec<String>,
    ) {
        if !self.asked(guard, std::slice::from_ref(source), now, seed, said) {
            return;
        }
        self.take(source, said);
        let name = &self.module.actuators[actuator].name;
        said.push(format!("set {name} to {}", self.name(source)));
        let mode = self.module.modes[left].name.clone();
        *self.updates.entry((name.clone(), mode)).or_default() += 1;
    }

    /// Rule 2, third: the first switch whose guard is true is taken. A mode that begins does what is done on entering.
    fn switches(&mut self, now: u64, seed: u64, said: &mut Vec<String>) {
        let left = self.mode;
        self.change(now, seed, said);
        if now > 0 && !self.switched {
            return;
        }
        for Entering { actuator, guard, source } in &self.module.modes[self.mode].entering {
            self.entered += 1;
            self.update((*actuator, guard.as_ref(), source), left, now, seed, said);
        }
    }

    fn change(&mut self, now: u64, seed: u64, said: &mut Vec<String>) {
        let since = now - self.began;
        for switch in &self.module.modes[self.mode].switches {
            if !self.is_due(since, switch.frequency, &switch.slots) {
                continue;
            }
            self.in_slots += usize::from(!switch.slots.is_empty());
            if self.asked(switch.guard.as_ref(), &[], now, seed, said) {
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
        if let Operand::Field { of, .. } = operand {
            return self.take(of, said);
        }
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
            Operand::Field { of, path, .. } => format!("{}.{path}", self.name(of)),
        }
    }
}

/// The story by the rules; how many switches were taken, how many updates tried on entering, and how many updates and
/// tests came in slots; and how often each module updated each actuator in each mode.
fn by_the_rules(model: &Model, seed: u64) -> (Story, [usize; 3], Vec<Updates>) {
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
    let entered = walkers.iter().map(|walker| walker.entered).sum();
    let in_slots = walkers.iter().map(|walker| walker.in_slots).sum();
    (story, [switches, entered, in_slots], walkers.into_iter().map(|walker| walker.updates).collect())
}

/// The program of a seed.
fn random_project((text, tasks, guards): &(String, Vec<String>, usize), seed: u64) -> Project {
    let tasks: Vec<_> = tasks.iter().map(|task| ("one", task.as_str())).collect();
    let names: Vec<String> = (0..*guards).map(|guard| format!("g{guard}")).collect();
    let mut drivers: Vec<_> = names.iter().map(|guard| ("two", guard.as_str())).collect();
    drivers.extend([("one", "read"), ("two", "set")]);
    try_project(text, described("", &tasks, &drivers))
        .unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}\n{text}"))
}

/// What both sides say of the program of a seed; what the rules count, and how many modules go round.
fn compare(seed: u64) -> [usize; 4] {
    let program = Writer::program(seed);
    let (project, text) = (random_project(&program, seed), &program.0);
    let (rules, [switches, entered, in_slots], _) = by_the_rules(&project.model, seed);
    let code = by_the_code(&project, HORIZON, |guard, now| verdict(seed, guard, now));
    for now in 0..HORIZON {
        let [rules, code] = [&rules, &code].map(|story| story.get(&now).cloned().unwrap_or_default());
        assert_eq!(code, rules, "seed {seed} at {now} ms, left by the code and right by the rules\n{text}");
    }
    [switches, entered, in_slots, project.programs.iter().filter(|program| goes_round(program)).count()]
}

fn goes_round(program: &Program) -> bool {
    program.conditions.iter().any(|condition| matches!(condition, Condition::Round { .. }))
}

#[test]
fn system_code_does_what_the_rules_say() {
    let counts: Vec<_> = (0..300).map(compare).collect();
    let [switches, entered, in_slots, rounds] =
        [0, 1, 2, 3].map(|what| counts.iter().map(|row| row[what]).sum::<usize>());
    assert!(switches > 1000 && rounds > 50, "{switches} switches were taken, {rounds} modules go round");
    assert!(entered > 500 && in_slots > 500, "{entered} updates on entering, {in_slots} in slots");
}

/// How often an assertion about a point looks at it, in a mode or always.
fn looked_at(point: Point, mode: Option<Mode>, events: &[Event], names: &Names) -> usize {
    let history = History::of(events);
    let assertion = Assertion::Jitter { of: point, most: Duration::FOREVER };
    Asserted { assertion, mode }.check(Evidence { events, history: &history, names }).checked
}

/// Writes of an actuator, whose drivers several modes may have, by one who looks at the drivers' rows alone.
fn writes(project: &Project, name: &str, events: &[Event]) -> usize {
    let is_write = |event: &&Event| match event.happening {
        Happening::Driver { driver, .. } => {
            let row = &project.assembly.drivers[usize::from(driver.0)];
            matches!(row.kind, DriverKind::Setter { .. }) && row.name == name
        }
        _ => false,
    };
    events.iter().filter(is_write).count()
}

/// All modules call their sensors and actuators alike. Every write is looked at by an assertion about its
/// actuator, and in the mode in which it was made by one that names the mode; answers how many there were of
/// actuators with several drivers.
fn look_at_all(seed: u64) -> usize {
    let (mut text, tasks, guards) = Writer::program(seed);
    for module in 0..3 {
        text = text.replace(&format!("a{module}_"), "a_").replace(&format!("s{module}_"), "s_");
    }
    let project = random_project(&(text, tasks, guards), seed);
    let events = events(&project, HORIZON, |guard, now| verdict(seed, guard, now));
    let names = names_of(&project, Tick::new(project.tick(), 1).expect("a tick"));
    let (_, _, updates) = by_the_rules(&project.model, seed);
    let mut of_several = 0;
    for (module, updates) in project.model.modules.iter().zip(updates) {
        for actuator in ["a_0", "a_1"] {
            let has_others = project.model.modules.len() > 1;
            let full = if has_others { format!("{}.{actuator}", module.name) } else { actuator.to_owned() };
            let drivers = project.assembly.drivers.iter().filter(|driver| driver.name == full).count();
            if drivers == 0 {
                continue; // no mode updates it
            }
            if has_others {
                let wrong = Point::named(actuator, &names).expect_err("in several modules").to_string();
                assert!(wrong.contains(&format!("`{full}`")), "seed {seed}: {wrong}");
            }
            let point = Point::named(&full, &names).expect(&full);
            let all = writes(&project, &full, &events);
            assert_eq!(looked_at(point, None, &events, &names), all, "seed {seed}: {full}");
            for mode in &module.modes {
                let expected = updates.get(&(actuator.to_owned(), mode.name.clone())).copied().unwrap_or(0);
                for called in [mode.name.clone(), format!("{}.{}", module.name, mode.name)] {
                    let mode = Mode::named(&called, &names).expect(&called);
                    let found = looked_at(point, Some(mode), &events, &names);
                    assert_eq!(found, expected, "seed {seed}: {full} in {called}");
                }
            }
            of_several += if drivers > 1 { all } else { 0 };
        }
    }
    of_several
}

#[test]
fn assertions_look_at_every_write_of_whichever_driver_and_mode() {
    let writes: usize = (0..200).map(look_at_all).sum();
    assert!(writes > 1000, "by several drivers: {writes}");
}
