//! Longest paths where it is known what a path begins with and what its code has found out, each counted by hand.

#[path = "../../../kernel/ports/code/tests/program/mod.rs"]
mod program;

use std::sync::LazyLock;

use beryl_path::{Begins, Entry, Facts, Request, longest_step};
use program::{Program, assembly, compile};

/// A tag in its caller's memory: 1 after six instructions, 0 after two and twenty.
const CHOOSE: &str = "cmp r1, #0\n beq 1f\n movs r2, #1\n strb r2, [r0]\n bx lr\n\
    1: movs r2, #0\n strb r2, [r0]\n .rept 20\n nop\n .endr\n bx lr";

/// Functions that others call: they don't count by themselves.
const CALLED: &[(&str, &str)] = &[
    ("choose", CHOOSE),
    ("store_unknown", "strb r1, [r0]\n bx lr"),
    ("store_anywhere", "ldr r2, [r3]\n strb r1, [r2]\n bx lr"),
    ("store_above", "str r1, [sp]\n bx lr"),
    ("keep_four", "push {r4, lr}\n movs r4, #9\n pop {r4, pc}"),
    ("answer", "cmp r1, #0\n it eq\n moveq r0, #7\n beq 1f\n movs r0, #8\n1: bx lr"),
];

/// Name, code, and the longest path.
const COUNTED: &[(&str, &str, u64)] = &[
    // What is compared twice is the same: cmp, bne, nine, cmp, bne, bx; or cmp, bne, cmp, bne, seven, bx.
    (
        "the_same_twice",
        "cmp r0, #1\n bne 1f\n .rept 9\n nop\n .endr\n1: cmp r0, #1\n beq 2f\n .rept 7\n nop\n .endr\n2: bx lr",
        14,
    ),
    // push, sub, mov, bl, choose: cmp, beq, movs, strb, twenty, bx; ldrb, cmp, bne, add, pop. Not the ten for
    // the other tag.
    (
        "a_tag_in_memory",
        "push {r7, lr}\n sub sp, #8\n mov r0, sp\n bl choose\n ldrb r1, [sp]\n cmp r1, #1\n bne 1f\n \
         .rept 10\n nop\n .endr\n1: add sp, #8\n pop {r7, pc}",
        4 + 25 + 5,
    ),
    // The result is in a register: push, bl, cmp, it, moveq, beq, movs, bx, cmp, bne, ten, pop.
    (
        "a_tag_in_a_register",
        "push {r4, lr}\n bl answer\n cmp r0, #8\n bne 1f\n .rept 10\n nop\n .endr\n1: cmp r0, #7\n bne 2f\n \
         .rept 3\n nop\n .endr\n2: pop {r4, pc}",
        2 + 6 + 2 + 10 + 2 + 1,
    ),
    // A condition decides which of two is set: cmp, ite, two, cmp, bne, nine, cmp, bne, bx.
    (
        "one_of_two",
        "cmp r0, #0\n ite eq\n moveq r1, #1\n movne r1, #2\n cmp r1, #1\n bne 1f\n .rept 9\n nop\n .endr\n\
         1: cmp r1, #2\n bne 2f\n .rept 8\n nop\n .endr\n2: bx lr",
        4 + 2 + 9 + 2 + 1,
    ),
    // Bits of a word: movs, orr, uxtb, cmp, bne, bx; the byte is known, so no nops.
    (
        "bits",
        "movs r1, #3\n orr r0, r1, r0, lsl #8\n uxtb r0, r0\n cmp r0, #3\n bne 1f\n bx lr\n1: .rept 20\n nop\n .endr\n bx lr",
        6,
    ),
    // What is saved comes back: movs, bl, push, movs, pop, cmp, bne, pop; with the first push.
    (
        "saved",
        "push {r4, lr}\n movs r4, #2\n bl keep_four\n cmp r4, #2\n bne 1f\n pop {r4, pc}\n1: .rept 20\n nop\n .endr\n pop {r4, pc}",
        9,
    ),
    // All of what follows may be either, so the longer way counts. A byte that a called function wrote.
    (
        "an_unknown_byte",
        "push {r7, lr}\n sub sp, #8\n movs r2, #1\n strb r2, [sp]\n mov r0, sp\n bl store_unknown\n ldrb r1, [sp]\n \
         cmp r1, #1\n beq 1f\n .rept 10\n nop\n .endr\n1: add sp, #8\n pop {r7, pc}",
        6 + 2 + 3 + 10 + 2,
    ),
    // A pointer that is computed with, here and where it is passed.
    (
        "a_lost_pointer",
        "push {r7, lr}\n sub sp, #8\n movs r2, #1\n strb r2, [sp]\n mov r0, sp\n add r0, r3\n strb r1, [r0]\n ldrb r1, [sp]\n \
         cmp r1, #1\n beq 1f\n .rept 10\n nop\n .endr\n1: add sp, #8\n pop {r7, pc}",
        8 + 2 + 10 + 2,
    ),
    (
        "an_index",
        "push {r7, lr}\n sub sp, #8\n movs r2, #1\n strb r2, [sp]\n mov r0, sp\n strb r1, [r0, r3]\n ldrb r1, [sp]\n \
         cmp r1, #1\n beq 1f\n .rept 10\n nop\n .endr\n1: add sp, #8\n pop {r7, pc}",
        7 + 2 + 10 + 2,
    ),
    // A pointer that is stored where others find it.
    (
        "a_shared_pointer",
        "push {r7, lr}\n sub sp, #8\n movs r2, #1\n strb r2, [sp]\n mov r0, sp\n str r0, [r3]\n bl store_anywhere\n \
         ldrb r1, [sp]\n cmp r1, #1\n beq 1f\n .rept 10\n nop\n .endr\n1: add sp, #8\n pop {r7, pc}",
        7 + 3 + 3 + 10 + 2,
    ),
    // A pointer that is kept on the stack, which the called function finds there.
    (
        "a_kept_pointer",
        "push {r7, lr}\n sub sp, #16\n movs r2, #1\n strb r2, [sp, #8]\n add r0, sp, #8\n str r0, [sp]\n bl through_stack\n \
         ldrb r1, [sp, #8]\n cmp r1, #1\n beq 1f\n .rept 10\n nop\n .endr\n1: add sp, #16\n pop {r7, pc}\n \
         .size a_kept_pointer, . - a_kept_pointer\n .global through_stack\n .type through_stack,%function\n .thumb_func\n\
         through_stack: ldr r2, [sp]\n strb r1, [r2]\n bx lr",
        7 + 3 + 3 + 10 + 2,
    ),
    // Where arguments are passed on the stack, who is called may write.
    (
        "an_argument",
        "push {r7, lr}\n sub sp, #8\n movs r2, #1\n str r2, [sp]\n bl store_above\n ldr r1, [sp]\n cmp r1, #1\n beq 1f\n \
         .rept 10\n nop\n .endr\n1: add sp, #8\n pop {r7, pc}",
        5 + 2 + 3 + 10 + 2,
    ),
    // What a round changes isn't known before it: two rounds of four, and ten: movs, movs, then cmp.
    (
        "changed_in_rounds",
        "movs r1, #0\n movs r2, #2\n1: cmp r1, #1\n beq 2f\n movs r1, #1\n subs r2, #1\n bne 1b\n bx lr\n\
         2: .rept 10\n nop\n .endr\n bx lr",
        2 + 5 + 2 + 10 + 1,
    ),
    (
        "stored_in_rounds",
        "push {r7, lr}\n sub sp, #8\n movs r1, #0\n strb r1, [sp]\n movs r2, #2\n1: ldrb r1, [sp]\n cmp r1, #1\n beq 2f\n movs r1, #1\n \
         strb r1, [sp]\n subs r2, #1\n bne 1b\n b 3f\n2: .rept 10\n nop\n .endr\n3: add sp, #8\n pop {r7, pc}",
        5 + 7 + 3 + 10 + 2,
    ),
    // A number that a table hasn't got isn't believed: the table may be longer than it seems. movs, tbb, two, bx.
    (
        "beyond_the_table",
        "movs r0, #7\n tbb [pc, r0]\n1: .byte (2f-1b)/2, (3f-1b)/2\n2: nop\n bx lr\n3: nop\n nop\n bx lr",
        5,
    ),
    // Short instructions that are covered set no flags: cmp, itt, movs, adds, beq decided by cmp.
    (
        "covered",
        "movs r1, #5\n cmp r0, #0\n itt eq\n moveq r2, #0\n addeq r1, #1\n bne 1f\n cmp r1, #6\n bne 2f\n nop\n bx lr\n\
         1: bx lr\n2: .rept 20\n nop\n .endr\n bx lr",
        10,
    ),
];

/// A table by the call's number; the frame's first word; the same where somebody has written there; the
/// exception's number.
const ROOTS: &[(&str, &str)] = &[
    (
        "by_number",
        "cmp r0, #3\n bhs 9f\n tbb [pc, r0]\n1: .byte (2f-1b)/2, (3f-1b)/2, (4f-1b)/2, 0\n2: nop\n b 9f\n3: nop\n nop\n b 9f\n\
         4: nop\n nop\n nop\n nop\n nop\n b 9f\n9: bx lr",
    ),
    ("by_frame", "mrs r3, psp\n ldrd r0, r1, [r3]\n cmp r0, #2\n bne 1f\n .rept 9\n nop\n .endr\n1: bx lr"),
    (
        "by_changed_frame",
        "mrs r3, psp\n str r1, [r3]\n ldr r0, [r3]\n cmp r0, #2\n bne 1f\n .rept 9\n nop\n .endr\n1: bx lr",
    ),
    ("by_exception", "mrs r0, ipsr\n subs r0, #16\n cmp r0, #2\n bne 1f\n .rept 9\n nop\n .endr\n1: bx lr"),
    ("one_of_many", "cmp r0, #199\n beq 1f\n bx lr\n1: .rept 20\n nop\n .endr\n bx lr"),
    ("by_way_of_another", "push {r4, lr}\n bl by_changed_frame\n bl by_frame\n pop {r4, pc}"),
];

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let counted = COUNTED.iter().map(|(name, code, _)| (*name, *code));
    let all: Vec<_> = counted.chain(CALLED.iter().copied()).chain(ROOTS.iter().copied()).collect();
    let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
    compile("known", "s", &names, &assembly(&all))
});

fn measure(entries: Vec<Entry>) -> Vec<u64> {
    let rounds = ["changed_in_rounds", "stored_in_rounds"].map(|name| (name.to_owned(), 1));
    let request = Request {
        entries,
        symbol_bounds: rounds.into(),
        source_roots: vec![PROGRAM.folder.clone()],
        ..Request::default()
    };
    let report = longest_step(&PROGRAM.elf, &request).expect("every path is bounded");
    report.steps.iter().map(|step| step.instructions).collect()
}

#[test]
fn what_the_code_has_found_out_is_known_further_on() {
    let found = measure(COUNTED.iter().map(|(name, ..)| (*name).into()).collect());
    let names = COUNTED.iter().map(|(name, ..)| *name);
    let found: Vec<_> = names.clone().zip(found).collect();
    let expected: Vec<_> = names.zip(COUNTED.iter().map(|(.., count)| *count)).collect();
    assert_eq!(found, expected);
}

fn with(symbol: &str, facts: Facts) -> Entry {
    Entry { facts, ..symbol.into() }
}

#[test]
fn a_path_knows_which_call_it_is_in() {
    let unknown = Facts::default();
    let call = |number| Facts { call: Some(number), ..unknown };
    let exception = |number| Facts { exception: Some(number), ..unknown };
    let by_number = [call(0), call(1), call(2), call(3), call(u32::MAX), unknown];
    assert_eq!(measure(by_number.map(|facts| with("by_number", facts)).into()), [6, 7, 10, 3, 3, 10]);
    let by_frame = [call(2), call(3), exception(2), unknown];
    assert_eq!(measure(by_frame.map(|facts| with("by_frame", facts)).into()), [14, 5, 14, 14]);
    assert_eq!(measure([call(2), call(3)].map(|facts| with("by_changed_frame", facts)).into()), [15, 15]);
    let by_exception = [exception(18), exception(17), call(3), unknown];
    assert_eq!(measure(by_exception.map(|facts| with("by_exception", facts)).into()), [14, 5, 14, 14]);
    // push, bl, fifteen, bl, fourteen, pop, since the other has changed the frame.
    assert_eq!(measure(vec![with("by_way_of_another", call(3))]), [2 + 15 + 1 + 14 + 1]);
}

/// However many calls there are, and in whichever order they are asked about.
#[test]
fn what_is_known_of_a_call_is_known_behind_many_others() {
    let call = |number| with("one_of_many", Facts { call: Some(number), ..Facts::default() });
    let counted = |number| if number == 199 { 2 + 20 + 1 } else { 3 };
    let numbers = || (0..400).chain([199, 0]);
    assert_eq!(measure(numbers().map(call).collect()), numbers().map(counted).collect::<Vec<_>>());
}

#[test]
fn only_steps_that_begin_as_asked_count() {
    let at = |begins| Entry { begins, ..Entry::from("by_number") };
    assert_eq!(measure(vec![at(Begins::AtEntry)]), [10]);
    let request = Request {
        entries: vec![at(Begins::AtBoundary)],
        source_roots: vec![PROGRAM.folder.clone()],
        ..Request::default()
    };
    let error = longest_step(&PROGRAM.elf, &request).expect_err("there is no boundary").to_string();
    assert!(error.contains("by_number") && error.contains("exclude less"), "{error}");
}
