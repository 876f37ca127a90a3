//! Programs that arrive with handlers, and with triggers on events: which are accepted, and what they do then.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{Duration, Line, ThreadId};
use beryl_generator::certificate;
use beryl_kernel::{Held, System};
use beryl_syscode::check::time::Parts;
use beryl_syscode::container::Content;
use beryl_syscode::{Condition, Container, Exception, Instruction, PortId, Relation};

use super::slots::{SLOT, check, every_10, load};
use crate::assert_story;
use crate::host::Do::{At, Call, Interrupt, Write};
use crate::host::asks::check_slot;
use crate::host::code::{RETURN, call, future, release, when};
use crate::host::draft::{Draft, Queue, Swapping};
use crate::host::{EFFECTS, Rig, play, without};

const PERIOD: Instruction = Instruction::Period {};
const SECOND: ThreadId = ThreadId(1);
const LINE: Line = Line(5);

/// The port at which programs may look where there is one.
const PORT: PortId = PortId(0);

/// A program for the slot.
fn program(
    durations: &[u64],
    conditions: &[Condition],
    code: &[Instruction],
    handler: Option<u16>,
    certificate: &[u32],
) -> Vec<u8> {
    let durations: Vec<_> = durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
    let code: Vec<_> = code.iter().map(|instruction| instruction.encode()).collect();
    let handlers: Vec<_> = handler.map(|address| (Exception::Safety, address)).into_iter().collect();
    let looks = |condition: &Condition| matches!(condition, Condition::Changed(_) | Condition::Compare(..));
    let ports: &[&str] = if conditions.iter().any(looks) { &["port"] } else { &[] };
    let content = Content {
        module: "m",
        ports,
        durations: &durations,
        conditions,
        code: &code,
        handlers: &handlers,
        tasks: &["first", "second"],
        drivers: &["copy"],
        certificate,
        ..Content::default()
    };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    bytes
}

/// The system of `slots`, whose programs may wait for an interrupt.
fn system() -> System<Swapping> {
    let mut system = every_10();
    system.program_slots[0].terms.lines = &[LINE];
    system
}

/// The same with a program that copies a value to a port every 7 ticks, at which programs may look.
fn system_with_port() -> System<Swapping> {
    let mut draft = Draft::<Swapping>::new(&[Queue::Dynamic(2), Queue::Fixed]);
    draft.task(2, 0, 0);
    draft.task(2, 0, 0);
    draft.free(1, 1, 1);
    let copy = draft.copy(ThreadId::NONE, 0x100, 0x104, 4);
    let module = draft.program(&[10], &[PERIOD, release(ThreadId(0), 0), future(0, 0), RETURN]);
    draft.program(&[7], &[call(copy), future(0, 0), RETURN]);
    draft.port(0, 0x104, Held::Word);
    let bytes = program(&[], &[Condition::Changed(PORT)], &[], None, &[]);
    draft.slot(module, Container::read(&bytes).expect("a fresh container").interface());
    let mut system = draft.finish().0;
    system.program_slots[0].terms.ports = 1;
    system
}

/// The loader has loaded a program, and it was checked; what the kernel says of it.
fn checked(bytes: &[u8]) -> (Rig<Swapping>, String) {
    checked_by(&system(), bytes)
}

/// The same in another system.
fn checked_by(system: &System<Swapping>, bytes: &[u8]) -> (Rig<Swapping>, String) {
    let mut rig = play(system, &[Call(Complete), At(1)]);
    load(bytes).into_iter().for_each(|step| rig.step(step));
    let (answer, _) = check(&mut rig);
    (rig, answer)
}

/// The same with the certificate that the generator finds for it.
fn certified(durations: &[u64], conditions: &[Condition], code: &[Instruction]) -> (Rig<Swapping>, String) {
    certified_by(&system(), durations, conditions, code)
}

/// The same in another system.
fn certified_by(
    system: &System<Swapping>,
    durations: &[u64],
    conditions: &[Condition],
    code: &[Instruction],
) -> (Rig<Swapping>, String) {
    let bytes = program(durations, conditions, code, None, &[]);
    let row = system.program_slots[0];
    let programs = [Container::read(&bytes).expect("a fresh container")];
    let parts = Parts {
        programs: &programs,
        tasks: row.terms.times,
        touches: &[0; 16],
        policies: row.terms.policies,
        losses: row.terms.losses,
    };
    let numbers = certificate(&parts).unwrap_or(vec![10]);
    checked_by(system, &program(durations, conditions, code, None, &numbers))
}

/// What happens behind the check.
fn story(rig: &mut Rig<Swapping>, script: &[crate::host::Do]) -> Vec<String> {
    let begin = rig.host().log.len();
    script.iter().for_each(|step| rig.step(*step));
    let mut story = without(rig.host().log.split_off(begin), &EFFECTS);
    story.retain(|line| !line.contains(" switch ") && !line.contains(": Complete"));
    story
}

#[test]
fn a_program_that_arrives_brings_its_handler() {
    let code = [PERIOD, release(SECOND, 0), future(0, 0), RETURN, Instruction::Resume {}];
    let (mut rig, answer) = checked(&program(&[5], &[], &code, Some(4), &[]));
    assert_eq!(answer, "Accepted");
    // The job of 10 isn't done at 15, and goes on.
    let script = [At(10), Call(Complete), check_slot(SLOT), At(15), At(20), Call(Complete), At(25)];
    assert_story(
        &story(&mut rig, &script),
        &[
            "10 swap 0 to room 1 at 10",
            "10 release 1 at 10 by 15",
            "10 complete 1",
            "10 returns to 2: SlotCheck Running",
            "15 release 1 at 15 by 20",
            "20 violation 1 at 20",
            "20 complete 1",
            "25 release 1 at 25 by 30",
        ],
    );
}

/// Waits for the interrupt, releases a task, lets 6 ticks pass.
const BY_INTERRUPT: [Instruction; 6] = [PERIOD, when(0, 3), RETURN, release(SECOND, 0), future(0, 0), RETURN];

#[test]
fn a_program_that_keeps_events_apart_is_accepted_by_its_certificate() {
    let conditions = [Condition::Interrupt(LINE)];
    let (mut rig, answer) = certified(&[6], &conditions, &BY_INTERRUPT);
    assert_eq!(answer, "Accepted");
    let script = [
        At(10),
        check_slot(SLOT),
        At(13),
        Interrupt(5),
        Call(Complete),
        // closed until 19
        At(19),
        At(21),
        Interrupt(5),
        Call(Complete),
    ];
    assert_story(
        &story(&mut rig, &script),
        &[
            "10 swap 0 to room 1 at 10",
            "10 returns to 2: SlotCheck Running",
            "13 release 1 at 13 by 19",
            "13 complete 1",
            "21 release 1 at 21 by 27",
            "21 complete 1",
        ],
    );
    // Carried out, nobody can say when the interrupt comes.
    assert_eq!(
        checked(&program(&[5], &conditions, &BY_INTERRUPT, None, &[])).1,
        "Refused { reason: 1542, address: 1 }"
    );
}

#[test]
fn events_that_nothing_keeps_apart_or_that_are_not_the_slots_are_refused() {
    let interrupt = [Condition::Interrupt(LINE)];
    // Waits again at once.
    let again = [PERIOD, when(0, 3), RETURN, release(SECOND, 0), when(0, 3), RETURN];
    assert_eq!(certified(&[5], &interrupt, &again).1, "Refused { reason: 1542, address: 4 }");
    // 4 of 5 ticks, and one is lost at each instant.
    assert!(certified(&[5], &interrupt, &BY_INTERRUPT).1.starts_with("Refused { reason: 2048"));
    // Two instants, one right behind the other, that take more than one may.
    let mut heavy = BY_INTERRUPT.to_vec();
    heavy.insert(4, call(beryl_abi::DriverId(0)));
    heavy.insert(4, call(beryl_abi::DriverId(0)));
    heavy.insert(4, call(beryl_abi::DriverId(0)));
    assert_eq!(certified(&[6], &interrupt, &heavy).1, "Refused { reason: 1792, address: 1 }");
    // Somebody else's line.
    assert_eq!(
        certified(&[6], &[Condition::Interrupt(Line(6))], &BY_INTERRUPT).1,
        "Refused { reason: 2304, address: 0 }"
    );
}

/// What the program that waits for the port does where it becomes 9 at 21 and stays so.
fn story_of_port(condition: Condition) -> Vec<String> {
    let (mut rig, answer) = certified_by(&system_with_port(), &[6], &[condition], &BY_INTERRUPT);
    assert_eq!(answer, "Accepted");
    let (done, write) = (Call(Complete), Write(0x100, 9));
    let script = [
        At(7),
        At(10),
        check_slot(SLOT),
        At(14),
        At(15),
        write,
        At(21),
        done,
        At(27),
        At(28),
        done,
        At(34),
        At(35),
    ];
    let mut story = story(&mut rig, &script);
    story.retain(|line| line.contains("release") || line.contains("swap"));
    story
}

#[test]
fn a_program_that_arrives_may_wait_for_a_port() {
    // Once for each other value, at the instant at which it comes.
    assert_story(
        &story_of_port(Condition::Changed(PORT)),
        &["10 swap 0 to room 1 at 10", "21 release 1 at 21 by 27"],
    );
    // As long as it holds, at each instant at which somebody looks, but 6 ticks later at the earliest: it
    // waits again from 27 on.
    assert_story(
        &story_of_port(Condition::Compare(PORT, Relation::AtLeast, 9)),
        &[
            "10 swap 0 to room 1 at 10",
            "21 release 1 at 21 by 27",
            "28 release 1 at 28 by 34",
            "35 release 1 at 35 by 41",
        ],
    );
}

#[test]
fn ports_that_are_not_the_slots_or_that_nothing_keeps_apart_are_refused() {
    let system = system_with_port();
    let changed = [Condition::Changed(PORT)];
    let again = [PERIOD, when(0, 3), RETURN, release(SECOND, 0), when(0, 3), RETURN];
    assert_eq!(certified_by(&system, &[5], &changed, &again).1, "Refused { reason: 1542, address: 4 }");
    // Carried out, nobody can say when it changes.
    let bare = program(&[6], &changed, &BY_INTERRUPT, None, &[]);
    assert_eq!(checked_by(&system, &bare).1, "Refused { reason: 1542, address: 1 }");
    // Another port than those of the slot.
    let other = [Condition::Changed(PortId(1))];
    assert_eq!(certified_by(&system, &[6], &other, &BY_INTERRUPT).1, "Refused { reason: 2304, address: 0 }");
    // Names of another image: without its port a number could mean another one.
    let bytes = program(&[6], &[], &[PERIOD, release(SECOND, 0), future(0, 0), RETURN], None, &[]);
    assert_eq!(checked_by(&system, &bytes).1, "Refused { reason: 512, address: 0 }");
    // The image has none for programs of slots.
    let mut none = system_with_port();
    none.program_slots[0].terms.ports = 0;
    assert_eq!(certified_by(&none, &[6], &changed, &BY_INTERRUPT).1, "Refused { reason: 2304, address: 0 }");
}
