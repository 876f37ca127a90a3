//! The structural verifier: a refused program for each reason, accepted ones, and the property that
//! it stands for.

mod programs;

use beryl_syscode::Instruction::{self, Branch, Future, Jump, Phase, Return};
use beryl_syscode::verify::{Limits, Parts, Reason, VerifyError, verify};
use programs::{FLIGHT, LIMITS, Random, call, check, release, words};

const NEXT: Instruction = Future { delay: 0, address: 0 };

#[track_caller]
fn refused(code: &[Instruction], address: usize, reason: Reason) {
    assert_eq!(check(&words(code), &[]), Err(VerifyError { address, reason }));
}

#[test]
fn the_flight_controller_is_accepted() {
    assert_eq!(check(&words(FLIGHT), &[]), Ok(()));
}

#[test]
fn guarded_releases_and_code_for_completions_are_accepted() {
    let code = [call(0), Branch { address: 3 }, release(0, 0), NEXT, Return {}, call(1), Return {}];
    assert_eq!(check(&words(&code), &[5]), Ok(()));
    // code that nothing reaches need only be code
    assert_eq!(check(&words(&[NEXT, Return {}, Phase { phase: 0 }, Return {}]), &[]), Ok(()));
}

#[test]
fn a_program_without_instructions_or_with_too_many_is_refused() {
    let error = Err(VerifyError { address: 0, reason: Reason::Length });
    assert_eq!(check(&[], &[]), error);
    let return_ = Return {}.encode();
    assert_eq!(check(&vec![return_; 65536], &[]), error);
    let mut longest = vec![return_; 65535];
    longest[0] = NEXT.encode();
    assert_eq!(check(&longest, &[]), Ok(()));
}

#[test]
fn scratch_memory_shorter_than_the_code_is_refused() {
    let code = words(&[NEXT, Return {}]);
    let parts = Parts { code: &code, durations: 1, start: 0, completions: &[] };
    let answer = verify(&parts, LIMITS, &mut [Default::default()]);
    assert_eq!(answer, Err(VerifyError { address: 0, reason: Reason::Scratch }));
}

#[test]
fn unknown_opcodes_are_refused_even_where_nothing_goes() {
    for opcode in [0, 0x30, 0xFF] {
        let code = [NEXT.encode(), Return {}.encode(), opcode];
        assert_eq!(check(&code, &[]), Err(VerifyError { address: 2, reason: Reason::Opcode }));
    }
}

#[test]
fn names_outside_the_image_are_refused() {
    refused(&[call(10), NEXT, Return {}], 0, Reason::Driver);
    refused(&[call(9), release(2, 0), NEXT, Return {}], 1, Reason::Task);
    refused(&[release(1, 2), NEXT, Return {}], 0, Reason::Duration);
    refused(&[Future { delay: 2, address: 0 }, Return {}], 0, Reason::Duration);
}

#[test]
fn addresses_outside_the_program_are_refused() {
    refused(&[Future { delay: 0, address: 2 }, Return {}], 0, Reason::Address);
    refused(&[Jump { address: 9 }, Return {}], 0, Reason::Address);
    refused(&[NEXT, Branch { address: 3 }, Return {}], 1, Reason::Address);
    let code = words(&[NEXT, Return {}]);
    for (start, completions) in [(2, [].as_slice()), (0, &[2])] {
        let parts = Parts { code: &code, durations: 1, start, completions };
        let answer = verify(&parts, LIMITS, &mut [Default::default(); 2]);
        assert_eq!(answer, Err(VerifyError { address: 2, reason: Reason::Address }));
    }
}

#[test]
fn jumps_that_do_not_go_forward_are_refused() {
    refused(&[call(0), Jump { address: 0 }, Return {}], 1, Reason::Backward);
    refused(&[Jump { address: 0 }, Return {}], 0, Reason::Backward);
    refused(&[NEXT, Branch { address: 1 }, Return {}], 1, Reason::Backward);
}

#[test]
fn phases_that_do_not_come_later_are_refused() {
    refused(&[Phase { phase: 4 }, NEXT, Return {}], 0, Reason::Phase);
    refused(&[Phase { phase: 0 }, NEXT, Return {}], 0, Reason::Phase);
    refused(&[Phase { phase: 2 }, Phase { phase: 2 }, NEXT, Return {}], 1, Reason::Phase);
    refused(&[Phase { phase: 3 }, Phase { phase: 1 }, NEXT, Return {}], 1, Reason::Phase);
}

#[test]
fn a_second_trigger_is_refused() {
    refused(&[NEXT, NEXT, Return {}], 1, Reason::SecondTrigger);
    // waiting for a phase takes the place of the trigger
    refused(&[NEXT, Phase { phase: 1 }, Return {}], 1, Reason::SecondTrigger);
    // while a task completes, its program's trigger is pending already
    let code = words(&[NEXT, Return {}, NEXT, Return {}]);
    assert_eq!(check(&code, &[2]), Err(VerifyError { address: 2, reason: Reason::SecondTrigger }));
}

#[test]
fn an_activation_without_a_trigger_is_refused() {
    refused(&[call(0), Return {}], 1, Reason::NoTrigger);
    refused(&[Branch { address: 2 }, Jump { address: 3 }, NEXT, Return {}], 3, Reason::Disagreement);
}

#[test]
fn paths_that_meet_with_different_phases_or_triggers_are_refused() {
    // the instruction at fault is the one where they meet
    refused(&[Branch { address: 2 }, NEXT, Return {}], 2, Reason::Disagreement);
    refused(&[Branch { address: 2 }, Phase { phase: 1 }, NEXT, Return {}], 2, Reason::Disagreement);
    // an activation begins in the middle of another one, in another phase
    refused(&[Phase { phase: 1 }, Future { delay: 0, address: 1 }, Return {}], 1, Reason::Disagreement);
}

#[test]
fn code_that_runs_past_its_end_is_refused() {
    refused(&[NEXT], 0, Reason::End);
    refused(&[NEXT, Branch { address: 2 }, call(0)], 2, Reason::End);
}

#[test]
fn instructions_that_the_kernel_does_not_know_yet_are_refused() {
    for code in [Instruction::Dispatch { task: beryl_abi::ThreadId(0) }, Instruction::Terminate {}] {
        refused(&[NEXT, code, Return {}], 1, Reason::Unsupported);
        refused(&[NEXT, Return {}, code], 2, Reason::Unsupported);
    }
}

#[test]
fn every_reason_has_words_of_its_own() {
    use Reason::*;
    let reasons = [
        Length,
        Scratch,
        Opcode,
        Driver,
        Task,
        Duration,
        Address,
        Backward,
        Reason::Phase,
        SecondTrigger,
        NoTrigger,
        Disagreement,
        End,
        Unsupported,
    ];
    let texts: std::collections::BTreeSet<_> =
        reasons.map(|reason| VerifyError { address: 7, reason }.to_string()).into_iter().collect();
    assert_eq!(texts.len(), reasons.len(), "{texts:?}");
    assert!(texts.iter().all(|text| text.starts_with("instruction 7: ")), "{texts:?}");
}

/// What one activation did: the trigger that it left, or the phase that it waits for.
#[derive(Debug)]
enum End {
    Trigger(u16),
    Phase(u8, u16),
}

/// Runs one activation with random verdicts; panics where the verifier promised that it can't be.
fn activation(code: &[u32], start: u16, mut trigger: Option<u16>, random: &mut Random) -> End {
    let mut address = start;
    for _ in 0..code.len() {
        let next = address + 1;
        address = match Instruction::decode(code[usize::from(address)]).expect("an opcode") {
            Instruction::Call { driver } => {
                assert!(driver.0 < LIMITS.drivers);
                next
            }
            Instruction::Release { task, deadline } => {
                assert!(task.0 < LIMITS.tasks && deadline < 2);
                next
            }
            Instruction::Future { address: target, delay } => {
                assert!(delay < 2);
                assert_eq!(trigger.replace(target), None, "a second trigger");
                next
            }
            Instruction::Phase { phase } => {
                assert_eq!(trigger, None, "a phase and a trigger");
                return End::Phase(phase, next);
            }
            Instruction::Jump { address } => address,
            Instruction::Branch { .. } | Instruction::Late { .. } | Instruction::Owed { .. }
                if random.below(2) == 0 =>
            {
                next
            }
            Instruction::Branch { address }
            | Instruction::Late { address, .. }
            | Instruction::Owed { address, .. } => address,
            Instruction::Return {} => return End::Trigger(trigger.expect("a trigger")),
            other => panic!("{other:?} isn't carried out by the kernel"),
        };
    }
    panic!("the activation at {start} doesn't end");
}

/// Runs an accepted program for a while, as the kernel would.
fn run(code: &[u32], completions: &[u16], random: &mut Random) {
    let mut address = 0;
    let mut phase = 0;
    for _ in 0..40 {
        match activation(code, address, None, random) {
            End::Trigger(target) => (address, phase) = (target, 0),
            End::Phase(later, next) => {
                assert!(later > phase && later < 4, "phase {later} after {phase}");
                (address, phase) = (next, later);
            }
        }
        for completion in completions {
            let end = activation(code, *completion, Some(address), random);
            assert!(matches!(end, End::Trigger(target) if target == address), "{end:?}");
        }
    }
}

/// A word with small operands, so that some of them fit.
fn word(random: &mut Random, length: usize) -> u32 {
    let small = |random: &mut Random, bound| u32::try_from(random.below(bound)).unwrap();
    (1 + small(random, 7)) | small(random, 4) << 8 | small(random, length + 1) << 16
}

#[test]
fn random_programs_that_are_accepted_keep_what_the_verifier_promises() {
    let mut accepted = 0;
    for seed in 0..200_000 {
        let mut random = Random::new(seed);
        let length = 1 + random.below(7);
        let mut code: Vec<_> = (0..length).map(|_| word(&mut random, length)).collect();
        if seed % 2 == 0 {
            code.extend(words(&[NEXT, Return {}]));
        }
        let completions: Vec<_> =
            (0..random.below(2)).map(|_| u16::try_from(random.below(length)).unwrap()).collect();
        if check(&code, &completions).is_ok() {
            accepted += 1;
            println!("seed {seed}");
            run(&code, &completions, &mut random);
        }
    }
    assert!(accepted > 5000, "only {accepted}");
}

#[test]
fn mutations_of_a_valid_program_are_refused_or_harmless() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..30_000 {
        let mut random = Random::new(seed);
        let mut code = words(FLIGHT);
        for _ in 0..=random.below(3) {
            let at = random.below(code.len());
            match random.below(3) {
                0 => code[at] ^= 1 << random.below(32),
                1 => code[at] = word(&mut random, FLIGHT.len()),
                _ => {
                    code.remove(at);
                }
            }
        }
        match check(&code, &[]) {
            Ok(()) => {
                accepted += 1;
                println!("seed {seed}");
                run(&code, &[], &mut random);
            }
            Err(error) => {
                refused += 1;
                assert!(error.address <= code.len(), "seed {seed}");
            }
        }
    }
    assert!(accepted > 1000 && refused > 1000, "{accepted} accepted, {refused} refused");
}

#[test]
fn any_words_at_all_are_refused_with_a_reason_or_accepted() {
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let code: Vec<_> =
            (0..random.below(20)).map(|_| u32::try_from(random.next() & 0xFFFF_FFFF).unwrap()).collect();
        let limits = Limits { drivers: u16::MAX, tasks: u8::MAX };
        let start = u16::try_from(random.below(30)).unwrap();
        let parts = Parts { code: &code, durations: 256, start, completions: &[start] };
        let _ = verify(&parts, limits, &mut vec![Default::default(); random.below(25)]);
    }
}
