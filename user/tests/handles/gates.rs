//! Locks that functions in C enter and leave by calls: whatever their order, what is entered is never let go.

use core::ptr::null_mut;

use beryl_abi::call::{CallError, FOREVER, SUCCESS};
use beryl_abi::{CallNumber, ConditionId};
use beryl_testing::{Draw, SplitMix64};
use beryl_user::c::{self, Entered, Gate};
use beryl_user::condition::Condition;
use beryl_user::lock::Lock;

use crate::script::Event::{Call, Point};
use crate::script::{SHARED, Script, WORDS};

const RAISED: u32 = CallError::Raised as u32;
const NOT_OWNER: u32 = CallError::NotOwner as u32;

fn gate(ceiling: u32, entered: &Entered) -> Gate<'_, i32> {
    // SAFETY: the words and the value lie in the script's memory, and nobody else uses them.
    Gate::new(unsafe { Lock::new(WORDS, ceiling, SHARED) }, entered)
}

fn enter(gate: &mut Gate<'_, i32>) {
    // SAFETY: a gate.
    assert_ne!(unsafe { c::enter(gate) }, null_mut());
}

fn leave(gate: &mut Gate<'_, i32>) -> u32 {
    // SAFETY: a gate.
    unsafe { c::leave(gate) }
}

fn wait(gate: &mut Gate<'_, i32>) -> u32 {
    // SAFETY: no kernel is behind the condition.
    unsafe { c::wait_inside(&mut Condition::new(ConditionId(3)), gate, FOREVER) }
}

#[test]
fn who_leaves_an_outer_lock_first_is_refused_and_stays_in_both() {
    for [outer, inner] in [[3, 5], [5, 3], [4, 4], [3, 0], [0, 3]] {
        let host = Script::without_kernel(WORDS);
        let ((), events) = host.run(|| {
            let entered = Entered::new();
            let [mut a, mut b] = [gate(outer, &entered), gate(inner, &entered)];
            let both = outer.max(inner);
            enter(&mut a);
            enter(&mut b);
            assert_eq!((leave(&mut a), host.word(WORDS)), (RAISED, both), "{outer} {inner}");
            assert_eq!((leave(&mut b), host.word(WORDS)), (SUCCESS, outer));
            assert_eq!((leave(&mut b), host.word(WORDS)), (NOT_OWNER, outer));
            assert_eq!((leave(&mut a), host.word(WORDS)), (SUCCESS, 0));
            assert_eq!((leave(&mut a), host.word(WORDS)), (NOT_OWNER, 0));
        });
        let raised = [Point(0), Point(outer), Point(outer.max(inner)), Point(outer)];
        let expected: &[_] = match (outer, inner) {
            (0, _) | (_, 0) => &[Point(0), Point(outer.max(inner))],
            _ => &raised,
        };
        assert_eq!(events, expected, "{outer} {inner}");
    }
}

#[test]
fn a_lock_that_is_entered_twice_is_left_once_both_are() {
    let host = Script::without_kernel(WORDS);
    let ((), events) = host.run(|| {
        let entered = Entered::new();
        let [mut a, mut b] = [gate(3, &entered), gate(5, &entered)];
        enter(&mut a);
        enter(&mut b);
        enter(&mut a);
        assert_eq!((leave(&mut a), host.word(WORDS)), (SUCCESS, 5));
        assert_eq!((leave(&mut a), host.word(WORDS)), (RAISED, 5));
        assert_eq!((leave(&mut b), host.word(WORDS)), (SUCCESS, 3));
        assert_eq!((leave(&mut a), host.word(WORDS)), (SUCCESS, 0));
    });
    assert_eq!(events, [Point(0), Point(3), Point(5), Point(3)]);
}

#[test]
fn who_waits_inside_is_in_no_other_lock() {
    for [outer, inner] in [[3, 5], [5, 3], [4, 4], [3, 0]] {
        let host = Script::answering(WORDS, [[0; 3]]);
        let (_, events) = host.run(|| {
            let entered = Entered::new();
            let [mut a, mut b] = [gate(outer, &entered), gate(inner, &entered)];
            assert_eq!(wait(&mut a), NOT_OWNER);
            enter(&mut a);
            enter(&mut b);
            assert_eq!([wait(&mut a), wait(&mut b)], [RAISED; 2], "{outer} {inner}");
            assert_eq!(leave(&mut b), SUCCESS);
            assert_eq!([wait(&mut b), wait(&mut a)], [NOT_OWNER, SUCCESS]);
            assert_eq!((leave(&mut a), host.word(WORDS)), (SUCCESS, 0));
        });
        let waits: Vec<_> = events.iter().filter(|event| matches!(event, Call(..))).collect();
        assert_eq!(waits, [&Call(CallNumber::ConditionWait, [3, 0, 0, FOREVER], outer)]);
    }
}

/// Whatever is entered and left, the word is the highest ceiling of what is entered, as a list of them has it.
#[test]
fn the_word_covers_what_is_entered() {
    for seed in 1..=200_u64 {
        let host = Script::without_kernel(WORDS);
        let ((), _) = host.run(|| random_walk(host, seed));
    }
}

fn random_walk(host: &Script, seed: u64) {
    let mut random = SplitMix64(seed);
    let entered = Entered::new();
    let ceilings = [2, 5, 3, 5];
    let mut gates = ceilings.map(|ceiling| gate(ceiling, &entered));
    // What is entered, in this order, and how many times.
    let mut inside: Vec<(usize, u32)> = Vec::new();
    for step in 0..60 {
        let which = random.below(gates.len());
        let place = inside.iter().position(|(gate, _)| *gate == which);
        if random.once_in(2) {
            enter(&mut gates[which]);
            match place {
                Some(place) => inside[place].1 += 1,
                None => inside.push((which, 1)),
            }
        } else {
            let expected = match place {
                None => NOT_OWNER,
                Some(place) if inside[place].1 > 1 => {
                    inside[place].1 -= 1;
                    SUCCESS
                }
                Some(place) if place + 1 < inside.len() => RAISED,
                Some(_) => inside.pop().map_or(NOT_OWNER, |_| SUCCESS),
            };
            assert_eq!(leave(&mut gates[which]), expected, "seed {seed}, step {step}");
        }
        let highest = inside.iter().map(|(gate, _)| ceilings[*gate]).max().unwrap_or(0);
        assert_eq!(host.word(WORDS), highest, "seed {seed}, step {step}");
    }
}
