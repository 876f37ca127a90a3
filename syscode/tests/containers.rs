//! The container: what goes in comes out, and nothing that was damaged does.

mod programs;

use beryl_abi::Duration;
use beryl_syscode::container::{Container, ContainerError, Content, Exception};
use beryl_syscode::{Condition, PortId, Relation};
use beryl_testing::{Draw, XorShiftStar as Random};
use programs::{DRIVERS, DURATIONS, FLIGHT, LIMITS, TASKS, content, words};

fn flight() -> Vec<u8> {
    let code = words(FLIGHT);
    let mut bytes = Vec::new();
    Container::write(&Content { completions: &[(1, 17)], start: 3, ..content(&code) }, &mut bytes);
    bytes
}

#[test]
fn what_was_written_is_read() {
    let bytes = flight();
    let container = Container::read(&bytes).expect("a fresh container is sound");
    assert_eq!(container.start(), 3);
    assert_eq!(container.limits(), LIMITS);
    assert!(container.durations().eq(DURATIONS));
    assert!(container.code().eq(words(FLIGHT)));
    assert!(container.completions().eq([(1, 17)]));
    assert_eq!(container.names().next(), Some("Helicopter"));
    assert!(container.tasks().eq(TASKS));
    assert!(container.drivers().eq(DRIVERS));
}

#[test]
fn random_contents_come_back_whole() {
    for seed in 0..500 {
        let mut random = Random::from_zero(seed);
        let mut numbers =
            |bound: usize| -> Vec<u64> { (0..random.below(bound)).map(|_| random.next()).collect() };
        let code: Vec<_> = numbers(50).into_iter().map(|number| number as u32).collect();
        let durations: Vec<_> = numbers(9).into_iter().map(|ticks| Duration::from_ticks(ticks + 1)).collect();
        let completions: Vec<_> =
            numbers(5).into_iter().map(|number| (number as u8, (number >> 8) as u16)).collect();
        let names: Vec<_> = numbers(6).into_iter().map(|number| format!("{:x}é", number)).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let certificate: Vec<_> = numbers(7).into_iter().map(|number| number as u32).collect();
        let (tasks, drivers) = names.split_at(names.len() / 2);
        let content = Content {
            certificate: &certificate,
            module: "M",
            start: 7,
            durations: &durations,
            code: &code,
            completions: &completions,
            tasks,
            drivers,
            ..Content::default()
        };
        let mut bytes = Vec::new();
        Container::write(&content, &mut bytes);
        let container = Container::read(&bytes).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(container.durations().eq(durations.iter().copied()), "seed {seed}");
        assert!(container.code().eq(code.iter().copied()), "seed {seed}");
        assert!(container.completions().eq(completions.iter().copied()), "seed {seed}");
        assert!(container.certificate().eq(certificate.iter().copied()), "seed {seed}");
        assert!(container.tasks().eq(tasks.iter().copied()), "seed {seed}");
        assert!(container.drivers().eq(drivers.iter().copied()), "seed {seed}");
    }
}

/// The flight controller with all parts that the second version has.
fn whole() -> Vec<u8> {
    with_certificate(&[])
}

/// And with numbers that only the third version has.
fn certified() -> Vec<u8> {
    with_certificate(&CERTIFICATE)
}

const CERTIFICATE: [u32; 4] = [u32::MAX, 250_000, 1, 0];

fn with_certificate(certificate: &[u32]) -> Vec<u8> {
    let code = words(FLIGHT);
    let content = Content {
        conditions: &CONDITIONS,
        handlers: &HANDLERS,
        ports: &["height", "speed"],
        thread_places: 3,
        trigger_places: 2,
        completions: &[(1, 17)],
        certificate,
        ..content(&code)
    };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    bytes
}

const CONDITIONS: [Condition; 3] =
    [Condition::Clock(1), Condition::Compare(PortId(1), Relation::Less, -3), Condition::Changed(PortId(0))];
const HANDLERS: [(Exception, u16); 2] = [(Exception::Share, 4), (Exception::Safety, 9)];

#[test]
fn what_only_the_second_version_has_is_read() {
    let bytes = whole();
    let container = Container::read(&bytes).expect("a fresh container is sound");
    assert_eq!(&bytes[..4], b"BSC2");
    assert!(container.code().eq(words(FLIGHT)));
    assert!(container.conditions().eq(CONDITIONS));
    assert!(container.handlers().eq(HANDLERS));
    assert!(container.completions().eq([(1, 17)]));
    assert!(container.tasks().eq(TASKS));
    assert!(container.drivers().eq(DRIVERS));
    assert!(container.ports().eq(["height", "speed"]));
    assert_eq!((container.thread_places(), container.trigger_places()), (3, 2));
    assert_eq!(container.certificate_length(), 0);
}

#[test]
fn a_certificate_comes_back_and_nothing_else_changes() {
    let (bytes, without) = (certified(), whole());
    let container = Container::read(&bytes).expect("a fresh container is sound");
    assert_eq!(&bytes[..4], b"BSC3");
    assert_eq!(bytes.len(), without.len() + 4 + 4 * CERTIFICATE.len());
    assert!(container.certificate().eq(CERTIFICATE));
    assert_eq!(container.certificate_length(), CERTIFICATE.len());
    let one_by_one = [0, 1, 2, 3, 4, u16::MAX].map(|number| container.certified(number));
    assert_eq!(one_by_one, [Some(u32::MAX), Some(250_000), Some(1), Some(0), None, None]);
    let without = Container::read(&without).expect("a fresh container is sound");
    assert!(container.code().eq(without.code()));
    assert!(container.durations().eq(without.durations()));
    assert!(container.conditions().eq(without.conditions()));
    assert!(container.handlers().eq(without.handlers()));
    assert!(container.completions().eq(without.completions()));
    assert!(container.names().eq(without.names()));
    // It belongs to the program, not to what the program and its image have in common.
    assert_eq!(container.interface(), without.interface());
    let reopened = Container::reopen(&bytes).expect("the same");
    assert!(reopened.certificate().eq(CERTIFICATE));
}

#[test]
fn a_program_without_a_schedule_may_have_a_certificate() {
    let code = words(FLIGHT);
    let mut bytes = Vec::new();
    Container::write(&Content { certificate: &[7], ..content(&code) }, &mut bytes);
    let container = Container::read(&bytes).expect("a fresh container is sound");
    assert_eq!((&bytes[..4], container.certified(0)), (b"BSC3".as_slice(), Some(7)));
    assert_eq!((container.thread_places(), container.trigger_places()), (0, 1));
}

#[test]
fn versions_that_nobody_has_written_are_refused() {
    for digit in (0..=u8::MAX).filter(|digit| !(b'1'..=b'3').contains(digit)) {
        let mut bytes = certified();
        bytes[3] = digit;
        assert_eq!(Container::read(&sealed(bytes)).map(|_| ()), Err(ContainerError::NotSystemCode));
    }
}

/// A certificate that takes more than there is, or less, leaves names that don't fit.
#[test]
fn a_certificate_of_another_length_is_refused() {
    for count in (0..=u16::MAX).filter(|count| usize::from(*count) != CERTIFICATE.len()) {
        let mut bytes = certified();
        bytes[24..26].copy_from_slice(&count.to_le_bytes());
        let bytes = sealed(bytes);
        let answer = Container::read(&bytes);
        assert!(matches!(answer, Err(ContainerError::Malformed { .. })), "{count}: {answer:?}");
    }
}

#[test]
fn programs_without_a_schedule_are_still_of_the_first_version() {
    let bytes = flight();
    assert_eq!(&bytes[..4], b"BSC1");
    let container = Container::read(&bytes).expect("a fresh container is sound");
    assert_eq!((container.thread_places(), container.trigger_places()), (0, 1));
    assert_eq!((container.conditions().count(), container.ports().count()), (0, 0));
}

#[test]
fn conditions_and_handlers_that_mean_nothing_are_refused() {
    let bytes = whole();
    let conditions = 24 + DURATIONS.len() * 8 + FLIGHT.len() * 4 + 4;
    for (offset, error) in [
        (conditions + 8, ContainerError::Condition { number: 1 }),
        (conditions + 28, ContainerError::Malformed { offset: conditions + 28 }),
    ] {
        let mut damaged = bytes.clone();
        damaged[offset] = 99;
        assert_eq!(Container::read(&sealed(damaged)).map(|_| ()), Err(error));
    }
}

#[test]
fn every_truncation_is_refused() {
    every_truncation_of(&flight());
    every_truncation_of(&whole());
    every_truncation_of(&certified());
}

fn every_truncation_of(bytes: &[u8]) {
    for length in 0..bytes.len() {
        let error = Container::read(&bytes[..length]).expect_err("a part of a container");
        assert!(
            matches!(error, ContainerError::Truncated { found, .. } if found == length),
            "{length}: {error}"
        );
    }
}

#[test]
fn every_flipped_bit_is_found() {
    every_flipped_bit_of(&flight());
    every_flipped_bit_of(&whole());
    every_flipped_bit_of(&certified());
}

fn every_flipped_bit_of(bytes: &[u8]) {
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.to_vec();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let error = Container::read(&damaged).expect_err("a damaged container");
        let kind = match bit / 8 {
            // Another version: its checksum tells.
            3 if (b'1'..=b'3').contains(&damaged[3]) => matches!(error, ContainerError::Corrupted { .. }),
            0..4 => matches!(error, ContainerError::NotSystemCode),
            4..8 => {
                matches!(error, ContainerError::Truncated { .. } | ContainerError::Malformed { offset: 4 })
            }
            _ => matches!(error, ContainerError::Corrupted { .. }),
        };
        assert!(kind, "bit {bit}: {error}");
    }
}

#[test]
fn bytes_behind_the_end_are_refused() {
    let mut bytes = flight();
    bytes.push(0);
    assert!(matches!(Container::read(&bytes), Err(ContainerError::Malformed { offset: 4 })));
}

/// Makes the checksum fit, so that what lies below it is reached.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len();
    bytes[4..8].copy_from_slice(&u32::try_from(length).unwrap().to_le_bytes());
    let checksum = crc32fast::hash(&bytes[..length - 4]).to_le_bytes();
    bytes[length - 4..].copy_from_slice(&checksum);
    bytes
}

#[test]
fn damage_with_a_fitting_checksum_is_read_without_a_panic() {
    let originals = [flight(), whole(), certified()];
    let mut refused = 0;
    for seed in 0..50_000 {
        let mut random = Random::from_zero(seed);
        let mut bytes = originals[random.below(3)].clone();
        bytes.truncate(28 + random.below(bytes.len() - 27));
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        bytes[..3].copy_from_slice(b"BSC");
        let bytes = sealed(bytes);
        match Container::read(&bytes) {
            Ok(container) => {
                let parts = container.code().count() * 4 + container.durations().count() * 8;
                let parts = parts + container.certificate().count() * 4;
                assert!(parts + container.completions().count() * 4 <= bytes.len(), "seed {seed}");
                assert!(container.names().count() > container.tasks().count(), "seed {seed}");
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 10_000, "{refused}");
}

#[test]
fn durations_that_would_keep_the_machine_at_one_instant_are_refused() {
    let code = words(FLIGHT);
    for (ticks, answer) in [
        (0, Err(ContainerError::Duration { number: 1 })),
        (1, Ok(())),
        (1 << 55, Ok(())),
        ((1 << 55) + 1, Err(ContainerError::Duration { number: 1 })),
        (u64::MAX, Err(ContainerError::Duration { number: 1 })),
    ] {
        let durations = [DURATIONS[0], Duration::from_ticks(ticks)];
        let mut bytes = Vec::new();
        Container::write(&Content { durations: &durations, ..content(&code) }, &mut bytes);
        assert_eq!(Container::read(&bytes).map(|_| ()), answer, "{ticks} ticks");
    }
}

#[test]
fn a_name_that_is_no_text_is_refused_with_its_place() {
    let mut bytes = flight();
    let at = bytes.windows(10).position(|window| window == b"Helicopter").expect("the name is there");
    bytes[at + 2] = 0xFF;
    assert_eq!(
        Container::read(&sealed(bytes)).map(|_| ()),
        Err(ContainerError::Malformed { offset: at - 1 })
    );
}

#[test]
fn long_names_are_cut_at_a_character() {
    let long = "é".repeat(200);
    let mut bytes = Vec::new();
    Container::write(&Content { module: &long, ..content(&[]) }, &mut bytes);
    let container = Container::read(&bytes).expect("a cut name is a name");
    assert_eq!(container.names().next(), Some("é".repeat(127).as_str()));
}
