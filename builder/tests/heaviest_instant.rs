//! The shortest run to an instant that is too heavy, beside all runs of small random programs.

use std::path::Path;

use beryl_abi::{DriverId, Duration};
use beryl_builder::code::Program;
use beryl_builder::emit::container::containers;
use beryl_builder::proof::{HeavyRun, heavy_run, read_and_check};
use beryl_builder::{Project, Variant};
use beryl_syscode::Instruction;
use beryl_syscode::refused::Refused;
use beryl_testing::High;

const DRIVERS: u16 = 3;
/// Ticks of the durations that programs name.
const DELAYS: [u64; 3] = [250_000, 500_000, 750_000];

/// Instants one behind the other, with one or two guards each; all ways of an instant set one trigger, and
/// lead to any instant.
fn random_code(random: &mut High) -> Vec<Instruction> {
    let instants = 2 + random.below(3) as u16;
    let length = 9;
    let mut code = Vec::new();
    for instant in 0..instants {
        let at = instant * length;
        let call =
            |random: &mut High| Instruction::Call { driver: DriverId(random.below(DRIVERS.into()) as u16) };
        let future = |random: &mut High| Instruction::Future {
            delay: random.below(DELAYS.len() as u32) as u8,
            address: random.below(instants.into()) as u16 * length,
        };
        let skip = at + 2 + random.below(2) as u16;
        code.extend([call(random), Instruction::Branch { address: skip }, call(random), call(random)]);
        code.extend([
            Instruction::Branch { address: at + 7 },
            future(random),
            Instruction::Jump { address: at + 8 },
        ]);
        code.extend([future(random), Instruction::Return {}]);
    }
    code
}

fn landing() -> Project {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/landing");
    Project::load(&folder, Variant::default()).expect("the example is right")
}

fn taken(project: &Project, instruction: Instruction) -> u64 {
    let supply = &project.supplies[0];
    match instruction {
        Instruction::Call { driver } => supply.drivers[driver.index()].into(),
        _ => supply.instruction.into(),
    }
}

/// A way through an instant: what its instructions take, and the instant that follows.
type Way = (Vec<u64>, Option<(u16, u64)>);

fn ways(project: &Project, code: &[Instruction], start: u16) -> Vec<Way> {
    let mut open = vec![(start, Vec::new(), None)];
    let mut ended = Vec::new();
    while let Some((address, mut parts, next)) = open.pop() {
        let instruction = code[usize::from(address)];
        parts.push(taken(project, instruction));
        match instruction {
            Instruction::Return {} => ended.push((parts, next)),
            Instruction::Future { delay, address: to } => {
                open.push((address + 1, parts, Some((to, DELAYS[usize::from(delay)]))));
            }
            Instruction::Jump { address: to } => open.push((to, parts, next)),
            Instruction::Branch { address: to } => {
                open.push((to, parts.clone(), next));
                open.push((address + 1, parts, next));
            }
            _ => open.push((address + 1, parts, next)),
        }
    }
    ended
}

/// The earliest instant, of all runs up to some seconds, at which a way takes too much.
fn earliest(project: &Project, code: &[Instruction]) -> Option<u64> {
    let most = u64::from(project.supplies[0].most);
    let mut open = std::collections::BTreeSet::from([(0, 0)]);
    while let Some((at, address)) = open.pop_first() {
        for (parts, next) in ways(project, code, address) {
            if parts.iter().sum::<u64>() > most {
                return Some(at);
            }
            let next = next.map(|(address, delay)| (at + delay, address));
            open.extend(next.filter(|(at, _)| *at < 20_000_000));
        }
    }
    None
}

/// The run goes from instant to instant as the code does, and takes too much with its last instruction only.
fn must_be_a_run(project: &Project, code: &[Instruction], run: &HeavyRun, context: &str) {
    for (number, visit) in run.instants.iter().enumerate() {
        let mut next = None;
        for (step, address) in visit.addresses.iter().enumerate() {
            let follower = visit.addresses.get(step + 1).copied();
            match code[usize::from(*address)] {
                Instruction::Return {} => assert_eq!(follower, None, "{context}"),
                Instruction::Jump { address: to } => {
                    assert!(follower.is_none_or(|next| next == to), "{context}")
                }
                Instruction::Branch { address: to } => {
                    assert!(follower.is_none_or(|next| next == to || next == address + 1), "{context}");
                }
                Instruction::Future { delay, address: to } => {
                    next = Some((visit.at + DELAYS[usize::from(delay)], to));
                    assert!(follower.is_none_or(|next| next == address + 1), "{context}");
                }
                _ => assert!(follower.is_none_or(|next| next == address + 1), "{context}"),
            }
        }
        if let Some(after) = run.instants.get(number + 1) {
            assert_eq!(next, Some((after.at, after.addresses[0])), "{context}");
        }
    }
    let last = run.instants.last().expect("an instant");
    let parts: Vec<_> =
        last.addresses.iter().map(|address| taken(project, code[usize::from(*address)])).collect();
    assert_eq!(run.parts.iter().map(|part| u64::from(*part)).collect::<Vec<_>>(), parts, "{context}");
    let all: u64 = parts.iter().sum();
    let most = u64::from(run.most);
    assert!(all > most && all - parts.last().expect("a part") <= most, "{context}");
}

#[test]
fn the_run_to_an_instant_that_is_too_heavy_is_the_shortest() {
    let (mut found, mut late, mut light) = (0, 0, 0);
    for seed in 0..400 {
        let mut random = High::new(seed + 1);
        let project = landing().with(|system| {
            let supply = &mut system.supplies[0];
            supply.drivers.iter_mut().for_each(|driver| *driver = 100 + random.below(900));
            (supply.instruction, supply.most) = (10, 1300 + random.below(1700));
        });
        let code = random_code(&mut random);
        let program = Program {
            code: code.iter().map(|instruction| instruction.encode()).collect(),
            durations: DELAYS.map(Duration::from_ticks).to_vec(),
            start: 0,
            certificate: Vec::new(),
            ..project.alternatives[0].clone()
        };
        let project = project.with(|system| system.alternatives = vec![program]);
        let (_, bytes) = containers(&project).pop().expect("a container");
        let context = format!("seed {seed}: {code:?}");
        let is_heavy = matches!(read_and_check(&project, 0, &bytes), Err(Refused::Heavy(_)));
        let run = heavy_run(&project, 0, &bytes);
        assert_eq!(
            run.as_ref().map(|run| run.instants.last().expect("one").at),
            earliest(&project, &code),
            "{context}"
        );
        if let Some(run) = &run {
            assert!(is_heavy, "{context}");
            must_be_a_run(&project, &code, run, &context);
            (found, late) = (found + 1, late + usize::from(run.instants.len() > 1));
        } else {
            light += 1;
        }
    }
    assert!(found > 100 && late > 30 && light > 30, "{found} found, {late} of them later, {light} not");
}
