//! How many steps the checks take: exactly as many as was said before for what they accept, and never more.

mod programs;

use beryl_abi::{DriverId, Duration};
use beryl_syscode::check::weight::{Costs, Weighed, Weight};
use beryl_syscode::check::{Progress, Rights, Structure, steps};
use beryl_syscode::container::{Content, Exception, Reading};
use beryl_syscode::{Condition, Container, Instruction};
use beryl_testing::{Draw, XorShiftStar as Random};
use programs::{FLIGHT, TASKS, content, words};

const COSTS: Costs<'static> =
    Costs { drivers: &[1; 300], instruction: 1, most: u32::MAX - 1, threads: u32::MAX };

/// The steps of reading, structure and weight, as far as they come, and whether all is well.
fn taken(bytes: &[u8]) -> ([u64; 3], bool) {
    let mut taken = [0; 3];
    let mut reading = Reading::BEGIN;
    let container = loop {
        taken[0] += 1;
        match reading.step(bytes) {
            Ok(None) => {}
            Ok(Some(container)) => break container,
            Err(_) => return (taken, false),
        }
    };
    let mut memory = vec![0xA5A5_A5A5; container.length()];
    let mut structure = Structure::new(container, Rights::ALL, &mut memory);
    loop {
        taken[1] += 1;
        match structure.step() {
            Progress::Again => {}
            Progress::Accepted(_) => break,
            Progress::Refused(_) => return (taken, false),
        }
    }
    let mut weight = Weight::BEGIN;
    loop {
        taken[2] += 1;
        match weight.step(&container, &COSTS, &mut memory) {
            Weighed::Again => {}
            Weighed::Most(_) => return (taken, true),
            Weighed::TooHeavy(_) => return (taken, false),
        }
    }
}

/// Compares with what was said before; answers whether all is well.
fn compare(bytes: &[u8], what: &str) -> bool {
    let (taken, is_well) = taken(bytes);
    let Ok(container) = Container::read(bytes) else {
        assert!(taken[0] <= steps::most_of(bytes.len()), "{what}: {taken:?}");
        return false;
    };
    let said = [steps::reading, steps::structure, steps::weight].map(|most| most(&container));
    assert_eq!(taken[0], said[0], "{what}");
    assert!(taken.iter().zip(said).all(|(taken, said)| *taken <= said), "{what}: {taken:?} of {said:?}");
    assert!(!is_well || taken == said, "{what}: {taken:?}, not {said:?}");
    assert!(said.iter().sum::<u64>() <= steps::most_of(bytes.len()), "{what}: {said:?}");
    is_well
}

fn container(code: &[u32], certificate: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    Container::write(&Content { certificate, ..content(code) }, &mut bytes);
    bytes
}

#[test]
fn the_flight_controller_takes_as_many_steps_as_was_said() {
    let bytes = container(&words(FLIGHT), &[]);
    assert!(compare(&bytes, "flight"));
    let length = FLIGHT.len() as u64;
    let (taken, _) = taken(&bytes);
    assert_eq!(taken[1..], [3 * length + 4, 2 * length + 2]);
    assert!(compare(&container(&words(FLIGHT), &[7; 9]), "with a certificate"));
}

#[test]
fn runs_of_drivers_are_weighed_one_by_one() {
    let names: Vec<_> = (0..255).map(|_| "").collect();
    let code = words(&[Instruction::Calls { first: DriverId(0), count: 255 }, Instruction::Return {}]);
    let durations = [Duration::from_ticks(1); 200];
    let conditions = [Condition::Clock(0); 255];
    let handlers = [(Exception::Safety, 1); 100];
    let content = Content {
        code: &code,
        drivers: &names,
        durations: &durations,
        conditions: &conditions,
        ..Content::default()
    };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    assert!(compare(&bytes, "a run"));
    assert_eq!(taken(&bytes).0[2], 2 * 2 + 2 + 254);
    bytes.clear();
    Container::write(&Content { handlers: &handlers, tasks: &TASKS, ..content }, &mut bytes);
    compare(&bytes, "handlers");
}

/// Random words, the flight controller with some of its words changed, and containers with bytes changed
/// under a checksum that fits.
#[test]
fn no_check_takes_more_steps_than_was_said() {
    let mut well = 0;
    for seed in 0..6_000 {
        let mut random = Random::from_zero(seed);
        let mut code = match random.below(3) {
            0 => (0..random.below(60)).map(|_| random.next() as u32).collect(),
            _ => words(FLIGHT),
        };
        for _ in 0..random.below(4) {
            let place = random.below(code.len() + 1);
            let shift = 8 * random.below(4);
            match code.get_mut(place) {
                Some(word) => *word ^= (random.next() as u32 & 0xFF) << shift,
                None => code.push(words(&[FLIGHT[random.below(FLIGHT.len())]])[0]),
            }
        }
        let certificate: Vec<_> = (0..random.below(5)).map(|_| random.next() as u32).collect();
        let mut bytes = container(&code, &certificate);
        if random.below(3) == 0 {
            let place = 4 + random.below(bytes.len() - 8);
            bytes[place] ^= random.next() as u8;
            let end = bytes.len() - 4;
            let (content, checksum) = bytes.split_at_mut(end);
            checksum.copy_from_slice(&crc32fast::hash(content).to_le_bytes());
        }
        well += usize::from(compare(&bytes, &format!("seed {seed}")));
    }
    assert!(well > 500, "{well} were well");
}
