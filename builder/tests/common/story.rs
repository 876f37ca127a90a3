//! What generated system code does, instant by instant, in words.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::{DriverId, Duration, Instant, ProgramId, ThreadId};
use beryl_builder::Project;
use beryl_builder::assembly::{Driver, DriverKind};
use beryl_syscode::{Condition, Instruction};
use beryl_trace::{DecodedNote, Event, Happening};

/// What happens at each millisecond, in order; a line each.
pub type Story = BTreeMap<u64, Vec<String>>;

/// What a step of the generated code does.
enum Done<'a> {
    /// A program goes on at an address.
    GoesOn(usize, u16),
    /// A driver is carried out; of one that publishes, only if there is something.
    Driver(usize, &'a Driver),
    /// A task is released for so many milliseconds.
    Release(ThreadId, u64),
}

/// The story of the generated code.
pub fn by_the_code(project: &Project, horizon: u64, verdict: impl Fn(&str, u64) -> bool) -> Story {
    let mut story = Story::new();
    carry_out(project, horizon, verdict, |now, done| {
        let said = match done {
            Done::GoesOn(..) => return,
            Done::Driver(_, driver) => {
                let name = &driver.name;
                match driver.kind {
                    DriverKind::Publish | DriverKind::Constant => name.clone(),
                    DriverKind::Ahead { .. } | DriverKind::Arrival => format!("know {name}"),
                    DriverKind::Input | DriverKind::Fetch { .. } | DriverKind::Feed { .. } => {
                        format!("copy {name}")
                    }
                    DriverKind::Getter { .. } => format!("read {name}"),
                    DriverKind::Setter { .. } => format!("set {name} to {}", source(project, driver)),
                    DriverKind::Guard { .. } => format!("ask {name}"),
                }
            }
            Done::Release(task, length) => {
                format!("release {} for {length} ms", project.assembly.threads[task.index()].name)
            }
        };
        story.entry(now).or_default().push(said);
    });
    story
}

/// The same as events of a trace, in which jobs take no time and nothing has a value.
pub fn events(project: &Project, horizon: u64, verdict: impl Fn(&str, u64) -> bool) -> Vec<Event> {
    let at = |now: u64| Instant::from_ticks(now * (1_000_000 / u64::from(project.tick())));
    let mut events = Vec::new();
    carry_out(project, horizon, verdict, |now, done| {
        let instant = at(now);
        let happening = match done {
            Done::GoesOn(program, address) => {
                let program = ProgramId(u8::try_from(program).expect("few"));
                Happening::Note(DecodedNote::React { program, address, instant })
            }
            Done::Driver(number, _) => {
                let driver = DriverId(u16::try_from(number).expect("few"));
                Happening::Driver { driver, instant, value: Vec::new() }
            }
            Done::Release(task, length) => Happening::Release { task, instant, deadline: at(now + length) },
        };
        events.push(Event { time: instant, happening });
    });
    events
}

/// Carries out the generated code. Triggers are ordered by instant, phase and program.
fn carry_out(
    project: &Project,
    horizon: u64,
    verdict: impl Fn(&str, u64) -> bool,
    mut tell: impl FnMut(u64, Done),
) {
    let milliseconds = |duration: Duration| duration.ticks() / (1_000_000 / u64::from(project.tick()));
    let drivers = &project.assembly.drivers;
    let mut queue: BTreeMap<(u64, u8, usize), u16> = BTreeMap::new();
    for (index, program) in project.programs.iter().enumerate() {
        queue.insert((0, 0, index), program.start);
    }
    let mut at_work = BTreeSet::new();
    // How far each program's round has come, and which sensors of those that it may come to again were read, and when.
    let mut positions = vec![0; project.programs.len()];
    let mut read = BTreeSet::new();
    while let Some(((now, phase, index), start)) = queue.pop_first() {
        if now >= horizon {
            break;
        }
        tell(now, Done::GoesOn(index, start));
        let program = &project.programs[index];
        let time = |number: u8| milliseconds(program.durations[usize::from(number)]);
        let (mut at, mut yes, mut done) = (usize::from(start), false, 0);
        loop {
            let instruction = Instruction::decode(program.code[at]).expect("it is checked");
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
                Instruction::Call { driver }
                    if program.read_again.contains(&driver.index()) && !read.insert((now, driver)) => {}
                Instruction::Call { driver } => {
                    let (number, driver) = (usize::from(driver.0), &drivers[usize::from(driver.0)]);
                    if matches!(driver.kind, DriverKind::Guard { .. }) {
                        yes = verdict(&driver.name, now);
                    }
                    if !matches!(driver.kind, DriverKind::Publish) || at_work.remove(&driver.task) {
                        tell(now, Done::Driver(number, driver));
                    }
                }
                Instruction::Release { task, deadline } => {
                    tell(now, Done::Release(task, time(deadline)));
                    at_work.insert(Some(task.index()));
                }
                Instruction::Future { delay, address } => {
                    queue.insert((now + time(delay), 0, index), address);
                }
                Instruction::Next { round, address } => {
                    let Condition::Round { length, beats } = program.conditions[usize::from(round)] else {
                        panic!("there is a round")
                    };
                    let position: &mut u64 = &mut positions[index];
                    let beats = beats.into_iter().chain([length]).map(time);
                    let ahead = beats.map(|beat| beat - *position % beat).min().expect("there are some");
                    *position = (*position + ahead) % time(length);
                    queue.insert((now + ahead, 0, index), address);
                }
                Instruction::Beat { beat, address } => {
                    if !positions[index].is_multiple_of(time(beat)) {
                        at = usize::from(address);
                    }
                }
                Instruction::Round {} => positions[index] = 0,
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
}

/// Where a setter takes its value from, in words: who fills that cell. Tasks have one output here.
fn source(project: &Project, setter: &Driver) -> String {
    let fills = |row: &&Driver| {
        matches!(row.kind, DriverKind::Publish | DriverKind::Getter { .. }) && row.to == setter.from
    };
    let Some(row) = project.assembly.drivers.iter().find(fills) else {
        // Nobody fills a constant: it is there from the start.
        let initial = &project.assembly.cells.get(setter.from).initial;
        return i32::from_le_bytes(initial[..4].try_into().expect("an int")).to_string();
    };
    match row.name.strip_prefix("publish ") {
        Some(task) => format!("{task}.x"),
        None => row.name.clone(),
    }
}
