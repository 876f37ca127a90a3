//! The shortest run to what a program is refused for.

mod random;

use std::collections::BTreeSet;

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_assembler::{Program, Way, assemble};
use beryl_syscode::check::{Reason, Refusal, Rights, Structure};
use beryl_syscode::{Container, Instruction};
use beryl_testing::{Draw, XorShiftStar as Random};
use random::program;

/// What the checker says.
fn refused(program: &Program) -> Option<(Refusal, Way)> {
    let bytes = program.to_bytes();
    let container = Container::read(&bytes).ok()?;
    let mut marks = vec![0; container.length()];
    let refusal = Structure::new(container, Rights::ALL, &mut marks).run().err()?;
    Some((refusal, Way::to(container, Rights::ALL, refusal)))
}

/// The reason and the addresses of the run.
#[track_caller]
fn way(text: &str) -> (Reason, Vec<usize>, Vec<usize>) {
    let program = assemble(text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let (refusal, way) = refused(&program).expect("it is wrong");
    let addresses = |steps: &[beryl_assembler::Step]| steps.iter().map(|step| step.address).collect();
    (refusal.reason, addresses(&way.steps), addresses(&way.other))
}

#[test]
fn a_run_reads_as_the_code_does() {
    let text =
        "task t\ndriver d\na: call d\nbranch b\ncall d\nb: future 5, c\nreturn\nc: release t, 5\njump a\n";
    let (refusal, way) = refused(&assemble(text).expect("right")).expect("it is wrong");
    assert_eq!(refusal, Refusal { address: 6, reason: Reason::Backward });
    let expected = "  the shortest run that comes there:
             0  call     d
             1  branch   @3
             3  future   5 ticks, @5
    later    5  release  t, 5 ticks
             6  jump     @0
";
    assert_eq!(way.to_string(), expected);
}

#[test]
fn the_run_is_the_one_that_breaks_the_rule() {
    // The short way sets one trigger, the long one two.
    let two = "driver d\ntriggers 1\na: branch b\ncall d\nfuture 5, a\nb: future 5, a\nreturn";
    assert_eq!(way(two), (Reason::Triggers, vec![0, 1, 2, 3], vec![]));
    let phases = "driver d\na: branch b\nphase releases\nb: phase actuators\nfuture 5, a\nreturn";
    assert_eq!(way(phases), (Reason::Phase, vec![0, 1, 2], vec![]));
    // The start is in place of a trigger, each trigger sets its own: the second activation runs out.
    let later = "triggers 2\na: future 5, b\nfuture 5, b\nreturn\nb: future 5, b\nfuture 6, b\nreturn";
    assert_eq!(way(later), (Reason::Triggers, vec![0, 3, 4], vec![]));
    let endless = "task t\nthreads 1\na: fork b\nreturn\nb: dispatch t\nfork b\nreturn";
    assert_eq!(way(endless), (Reason::Endless, vec![0, 2, 3], vec![]));
}

#[test]
fn two_runs_that_disagree_are_both_shown() {
    let text = "driver d\nhandle safety, h\na: call d\nfuture 5, a\nh: call d\nreturn";
    let (reason, first, second) = way(text);
    assert_eq!((reason, first, second), (Reason::Disagreement, vec![0, 1, 2], vec![2]));
}

#[test]
fn code_that_nothing_leads_to_is_said_to_be_so() {
    let program = assemble("a: return\ncall #7\nreturn").expect("right");
    let (_, way) = refused(&program).expect("there is no such driver");
    assert_eq!(way.steps, []);
    assert_eq!(way.to_string(), "  nothing leads to this instruction, but all code has to be code\n");
}

/// Where an instruction may lead, whatever is known.
fn successors(program: &Program, address: usize) -> BTreeSet<usize> {
    let Some(instruction) = program.code.get(address).and_then(|word| Instruction::decode(*word)) else {
        return BTreeSet::new();
    };
    let next = address + 1;
    let to = |to: u16| usize::from(to);
    match instruction {
        Instruction::Jump { address } | Instruction::Change { address } => BTreeSet::from([to(address)]),
        Instruction::Branch { address }
        | Instruction::Late { address, .. }
        | Instruction::Owed { address, .. }
        | Instruction::Offender { address, .. }
        | Instruction::Future { address, .. }
        | Instruction::Next { address, .. }
        | Instruction::Beat { address, .. }
        | Instruction::When { address, .. }
        | Instruction::Fork { address } => BTreeSet::from([next, to(address)]),
        Instruction::DispatchUntil { otherwise, .. } => BTreeSet::from([next, next + usize::from(otherwise)]),
        Instruction::Return {}
        | Instruction::Resume {}
        | Instruction::Retry {}
        | Instruction::Postpone { .. }
        | Instruction::Tolerate { .. } => BTreeSet::new(),
        _ => BTreeSet::from([next]),
    }
}

/// Programs that make sense here and there.
fn likely(random: &mut Random) -> Program {
    let length = 4 + random.below(25);
    let word = |(address, random): (usize, &mut Random)| {
        let ahead = (address + 1 + random.below(4)) as u16;
        let instruction = match random.below(24) {
            0..9 => Instruction::Call { driver: DriverId(random.below(40) as u16 / 39) },
            9..12 => Instruction::Branch { address: ahead },
            12..14 => Instruction::Release { task: ThreadId(0), deadline: 0 },
            14..17 => Instruction::Future { delay: 0, address: random.below(length) as u16 },
            17 => Instruction::Phase { phase: random.below(5) as u8 },
            18 => Instruction::Jump { address: ahead.saturating_sub(random.below(8) as u16 / 7 * 5) },
            19 => Instruction::Dispatch { task: ThreadId(0) },
            20 => Instruction::Fork { address: random.below(length) as u16 },
            _ => Instruction::Return {},
        };
        instruction.encode()
    };
    Program {
        code: (0..length).map(|address| word((address, random))).collect(),
        durations: vec![Duration::from_ticks(5)],
        tasks: vec!["t".to_owned()],
        drivers: vec!["d".to_owned()],
        trigger_places: 1 + random.below(3) as u8,
        thread_places: random.below(3) as u8,
        ..Program::default()
    }
}

/// How far an instruction is from where the program is entered, whatever is known on the way.
fn distance(program: &Program, entries: &BTreeSet<usize>, address: usize) -> Option<usize> {
    let mut reached = entries.clone();
    for steps in 0..=program.code.len() {
        if reached.contains(&address) {
            return Some(steps);
        }
        reached.extend(reached.clone().iter().flat_map(|from| successors(program, *from)));
    }
    None
}

/// Random programs: each run begins at an entry, goes where the code leads, and ends at the fault. Where the
/// rule doesn't ask what came before, none is shorter.
#[test]
fn runs_begin_at_an_entry_and_go_where_the_code_leads() {
    let (mut runs, mut longer, mut shortest) = (0, 0, 0);
    for seed in 0..12_000 {
        let mut random = Random::new(seed);
        let program = if seed % 4 == 0 { program(&mut random) } else { likely(&mut random) };
        let Some((refusal, way)) = refused(&program) else { continue };
        let addresses: Vec<_> = way.steps.iter().map(|step| step.address).collect();
        let entries = program.completions.iter().map(|(_, address)| *address);
        let entries: BTreeSet<_> = entries
            .chain(program.handlers.iter().map(|(_, address)| *address))
            .chain([program.start])
            .map(usize::from)
            .collect();
        let Some(first) = addresses.first() else {
            // Only what is wrong by itself is refused where nothing leads.
            assert_eq!(distance(&program, &entries, refusal.address), None, "seed {seed}: {refusal}");
            continue;
        };
        assert!(entries.contains(first), "seed {seed}: {addresses:?}");
        for pair in addresses.windows(2) {
            assert!(successors(&program, pair[0]).contains(&pair[1]), "seed {seed}: {addresses:?}");
        }
        // Where two runs meet, both go one instruction further.
        let last = addresses.len() - 1 - usize::from(!way.other.is_empty());
        assert_eq!(addresses[last], refusal.address, "seed {seed}: {refusal} {addresses:?}");
        let asks_nothing = [Reason::Opcode, Reason::Driver, Reason::Address, Reason::Backward];
        // What belongs into handlers only is refused elsewhere, whatever its address is.
        let word = program.code.get(refusal.address).and_then(|word| Instruction::decode(*word));
        let is_of_handlers = matches!(word, Some(Instruction::Offender { .. }));
        if asks_nothing.contains(&refusal.reason) && !is_of_handlers {
            assert_eq!(distance(&program, &entries, refusal.address), Some(last), "seed {seed}: {refusal}");
            shortest += 1;
        }
        runs += 1;
        longer += usize::from(addresses.len() > 3);
    }
    assert!(runs > 3000 && longer > 300 && shortest > 300, "{runs} runs, {longer} long, {shortest} shortest");
}
