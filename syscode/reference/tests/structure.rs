//! What the checker of structure promises, in the reference machine: no accepted program is trapped.

mod random;
mod scheduled;
mod show;

use std::collections::BTreeMap;

use beryl_assembler::Program;
use beryl_reference::Trap;
use beryl_syscode::Container;
use beryl_syscode::check::{Progress, Reason, Refusal, Rights, Shape, Structure};
use beryl_testing::{Draw, XorShiftStar as Random};
use random::{program, world};
use scheduled::{SCHEDULED, mutated, scheduled};
use show::run;

fn check(program: &Program) -> Result<Shape, Refusal> {
    check_with(program, Rights::ALL)
}

fn check_with(program: &Program, rights: Rights<'_>) -> Result<Shape, Refusal> {
    let bytes = program.to_bytes();
    let container = Container::read(&bytes).expect("a fresh container");
    Structure::new(container, rights, &mut vec![0; program.code.len()]).run()
}

/// Runs an accepted program in two worlds; nothing may trap it, but that threads which triggers begin may be too many.
fn is_not_trapped(program: &Program, shape: Shape, seed: u64) {
    for variant in 0..2 {
        match run(std::slice::from_ref(program), world(seed * 2 + variant), 60) {
            Ok(_) => {}
            Err(Trap::Threads { .. }) if shape.begins_threads => {}
            Err(trap) => panic!("seed {seed}: {trap:?}\n{}", beryl_assembler::disassemble(program)),
        }
    }
}

#[test]
fn random_programs_that_are_accepted_are_never_trapped() {
    let mut accepted = 0;
    for seed in 0..40_000 {
        let program = program(&mut Random::new(seed));
        if let Ok(shape) = check(&program) {
            accepted += 1;
            is_not_trapped(&program, shape, seed);
        }
    }
    assert!(accepted > 200, "only {accepted}");
}

#[test]
fn programs_with_schedules_are_accepted() {
    let answers = [0, 1, 2, 3].map(|number| check(&scheduled(number)).map(|shape| shape.begins_threads));
    assert_eq!(answers, [Ok(false), Ok(false), Ok(true), Ok(false)]);
}

#[test]
fn mutations_of_scheduled_programs_are_refused_or_never_trapped() {
    let (mut accepted, mut reasons) = (0, BTreeMap::new());
    for seed in 0..16_000 {
        let program = mutated(&mut Random::new(seed));
        match check(&program) {
            Ok(shape) => {
                accepted += 1;
                is_not_trapped(&program, shape, seed);
            }
            Err(refusal) => {
                let is_inside = refusal.address < program.code.len() || refusal.reason == Reason::Address;
                assert!(is_inside, "seed {seed}: {refusal}");
                *reasons.entry(refusal.reason.to_string()).or_insert(0) += 1;
            }
        }
    }
    assert!(accepted > 1_000, "only {accepted}");
    assert!(reasons.len() >= 12, "{reasons:#?}");
}

#[test]
fn any_words_at_all_are_refused_or_never_trapped() {
    let mut refused = 0;
    for seed in 0..20_000 {
        let random = &mut Random::new(seed);
        let code: Vec<_> = (0..random.below(20)).map(|_| random.next() as u32).collect();
        let start = u16::try_from(random.below(25)).expect("a small number");
        let program = Program { code, start, completions: vec![(0, start)], ..scheduled(0) };
        match check(&program) {
            Ok(shape) => is_not_trapped(&program, shape, seed),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 19_000, "only {refused}");
}

#[track_caller]
fn refused(text: &str, address: usize, reason: Reason) {
    let head = "task t0, t1\ndriver d0, d1\nport p0\n";
    let program = show::program(&format!("{head}{text}"));
    assert_eq!(check(&program), Err(Refusal { address, reason }), "{text}");
}

#[test]
fn each_reason_has_a_program_that_is_refused_for_it() {
    refused("", 0, Reason::Empty);
    refused("word 0x55", 0, Reason::Opcode);
    refused("call #2\nreturn", 0, Reason::Driver);
    refused("calls d0, 3\nreturn", 0, Reason::Driver);
    refused("calls d0, #0\nreturn", 0, Reason::Count);
    refused("releases t1, 5, 2\nreturn", 0, Reason::Task);
    refused("releases t1, 5, #0\nreturn", 0, Reason::Count);
    refused("release t0, #0\nreturn", 0, Reason::Duration);
    refused("threads 1\nidle #0\nreturn", 0, Reason::Condition);
    refused("conditions #3 == 1\nwhen #0, @1\nreturn", 0, Reason::Condition);
    refused("when release(t0), @1\nreturn", 0, Reason::Unsuitable);
    refused("threads 1\nidle round(5)\nreturn", 0, Reason::Unsuitable);
    refused("threads 1\nconditions #3 == 1\nidle #0\nreturn", 0, Reason::Condition);
    // Nobody knows how soon an event comes again: it isn't time that passes.
    refused("threads 1\nfork @2\nreturn\nidle change(p0)\nfork @2\nreturn", 3, Reason::Endless);
    refused("next interrupt(0), @1\nreturn", 0, Reason::Unsuitable);
    refused("when round(5), @1\nreturn", 0, Reason::Unsuitable);
    refused("next round(5, #7), @1\nreturn", 0, Reason::Duration);
    refused("beat #3, @1\nreturn", 0, Reason::Duration);
    refused("beat 5, @0\nreturn", 0, Reason::Backward);
    refused("next round(5), @0\nfuture 5, @0\nreturn", 1, Reason::Triggers);
    refused("handle safety, @1\nreturn\nround\nreturn", 1, Reason::Handler);
    refused("future 5, @7\nreturn", 0, Reason::Address);
    refused("threads 1\ndispatch t0, 5, @7\nreturn", 0, Reason::Address);
    refused("return\njump @0\nstart @1", 1, Reason::Backward);
    refused("phase switches\nphase outputs\nreturn", 1, Reason::Phase);
    refused("phase switches\nphase #4\nreturn", 1, Reason::Phase);
    refused("future 5, @3\nphase switches\nreturn\nreturn", 1, Reason::Phase);
    refused("future 5, @0\nfuture 6, @0\nreturn", 1, Reason::Triggers);
    refused("triggers 2\nfuture 5, @0\nfuture 6, @0\nreturn", 1, Reason::Triggers);
    refused("triggers 40\nreturn", 0, Reason::Triggers);
    refused("threads 70\nreturn", 0, Reason::Threads);
    refused("dispatch t0\nreturn", 0, Reason::Threads);
    refused("threads 1\nfork @2\nfork @3\nreturn\nreturn", 1, Reason::Threads);
    refused("threads 2\nfork @1\na: idle 5\nfork a\nidle 6\nreturn", 3, Reason::Threads);
    refused("threads 1\nfork a\nreturn\na: dispatch t0\nfork a\nreturn", 3, Reason::Endless);
    refused(
        "threads 1\nfork a\nreturn\na: idle release(t0)\ndispatch t1\nfork a\nreturn",
        4,
        Reason::Endless,
    );
    refused("resume\nreturn", 0, Reason::Handler);
    refused("handle safety, @0\nrelease t0, 5\nstart @2\nreturn\nreturn", 0, Reason::Handler);
    refused("threads 1\nidle 5\nrelease t0, 5\nreturn", 1, Reason::Thread);
    refused("complete t0, @1\ncall d0\ncall d0\nreturn", 0, Reason::Disagreement);
    refused("complete t0, @1\nreturn\nrelease t0, 5\nreturn", 1, Reason::Disagreement);
    refused("call d0", 0, Reason::End);
    // Who is in the way is known in a handler, and who was late to E code.
    refused("offender t0, @2\ncall d0\nreturn", 0, Reason::Handler);
    refused("handle safety, h\nreturn\nh: late t0, @2\nresume", 1, Reason::Handler);
    refused("handle safety, h\nreturn\nh: offender #2, @2\nresume", 1, Reason::Task);
    refused("a: call d0\nlate t0, a\nreturn", 1, Reason::Backward);
    refused("postpone 2", 0, Reason::Handler);
    // What is owed comes at the completion, once.
    refused("owed t0, @1\nreturn", 0, Reason::Handler);
    let completion = |code: &str| format!("complete t0, c\nreturn\nc: owed t0, e\n{code}\ne: return");
    assert!(
        check(&show::program(&format!("task t0, t1\ndriver d0\n{}", completion("call d0\nrelease t0, 5"))))
            .is_ok()
    );
    refused(&completion("release t0, 5\nrelease t0, 5"), 3, Reason::Disagreement);
    refused(&completion("release t1, 5"), 2, Reason::Disagreement);
    // A handler may leave the dispatch out, and then the thread comes round without end.
    let text = "threads 1\nfork a\nreturn\na: idle release(t0)\ndispatch t0\nfork a\nreturn\nh: resume";
    assert!(check(&show::program(&format!("task t0\n{text}"))).is_ok());
    refused(&format!("handle share, h\n{text}"), 4, Reason::Endless);
}

#[test]
fn programs_may_name_only_what_is_theirs() {
    let program = show::program("task t0, t1\ndriver d0, d1\ncall d1\nrelease t1, 5\nreturn");
    let refused = |address, reason| Err(Refusal { address, reason });
    let with = |tasks: u8, drivers: u8| check_with(&program, Rights { tasks: &[tasks], drivers: &[drivers] });
    assert!(with(0b10, 0b10).is_ok());
    assert_eq!(with(0b01, 0b10), refused(1, Reason::Task));
    assert_eq!(with(0b10, 0b01), refused(0, Reason::Driver));
    assert_eq!(check_with(&program, Rights { tasks: &[], drivers: &[] }), refused(0, Reason::Driver));
}

#[test]
fn checking_takes_three_steps_an_instruction_and_memory_of_a_word() {
    for number in 0..SCHEDULED.len() {
        let program = scheduled(number);
        let bytes = program.to_bytes();
        let container = Container::read(&bytes).expect("a fresh container");
        let mut marks = vec![0; program.code.len()];
        let mut check = Structure::new(container, Rights::ALL, &mut marks);
        let steps = (1..).find(|_| check.step() != Progress::Again).expect("it ends");
        assert_eq!(steps, 3 * program.code.len() + 4);
        let few = &mut marks[1..];
        let answer = Structure::new(container, Rights::ALL, few).run();
        assert_eq!(answer, Err(Refusal { address: 0, reason: Reason::Memory }));
    }
}
