//! What generated system code does, instant by instant, in words.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_builder::Project;
use beryl_builder::assembly::{Driver, DriverKind};
use beryl_syscode::Instruction;

/// What happens at each millisecond, in order; a line each.
pub type Story = BTreeMap<u64, Vec<String>>;

/// The story of the generated code. Triggers are ordered by instant, phase and program.
pub fn by_the_code(project: &Project, horizon: u64, verdict: impl Fn(&str, u64) -> bool) -> Story {
    let milliseconds = |duration: Duration| duration.ticks() / (1_000_000 / u64::from(project.tick()));
    let drivers = &project.assembly.drivers;
    let mut queue: BTreeMap<(u64, u8, usize), u16> = BTreeMap::new();
    for (index, program) in project.programs.iter().enumerate() {
        queue.insert((0, 0, index), program.start);
    }
    let mut at_work = BTreeSet::new();
    let mut story = Story::new();
    while let Some(((now, phase, index), start)) = queue.pop_first() {
        if now >= horizon {
            break;
        }
        let program = &project.programs[index];
        let time = |number: u8| milliseconds(program.durations[usize::from(number)]);
        let said = story.entry(now).or_default();
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
                Instruction::Call { driver } => {
                    let driver = &drivers[usize::from(driver.0)];
                    let name = &driver.name;
                    match driver.kind {
                        DriverKind::Publish if !at_work.remove(&driver.task) => {}
                        DriverKind::Publish | DriverKind::Constant => said.push(name.clone()),
                        DriverKind::Input => said.push(format!("copy {name}")),
                        DriverKind::Getter { .. } => said.push(format!("read {name}")),
                        DriverKind::Setter { .. } => {
                            said.push(format!("set {name} to {}", source(project, driver)))
                        }
                        DriverKind::Guard { .. } => {
                            yes = verdict(name, now);
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

/// Where a setter takes its value from, in words: who fills that cell. Tasks have one output here.
fn source(project: &Project, setter: &Driver) -> String {
    let fills = |row: &&Driver| {
        matches!(row.kind, DriverKind::Publish | DriverKind::Getter { .. }) && row.to == setter.from
    };
    let row = project.assembly.drivers.iter().find(fills).expect("somebody fills it");
    match row.name.strip_prefix("publish ") {
        Some(task) => format!("{task}.x"),
        None => row.name.clone(),
    }
}
