//! Deepest stacks of assembly, each counted by hand, and of a compiled program, measured by it.

mod program;

use std::collections::BTreeMap;

use beryl_code::stack::{Stacks, Unknown};
use beryl_code::{Image, ImageError, image};
use program::{assembly, compile};

/// Name, code, and the bytes that it needs at most.
const COUNTED: &[(&str, &str, u32)] = &[
    ("leaf", "movs r0, #1\n bx lr", 0),
    ("pushes", "push {r4, r5, lr}\n pop {r4, r5, pc}", 12),
    ("makes_room", "push {r7, lr}\n sub sp, #24\n add sp, #24\n pop {r7, pc}", 32),
    ("much_room", "push.w {r4-r11, lr}\n subw sp, sp, #1300\n addw sp, sp, #1300\n pop.w {r4-r11, pc}", 1336),
    ("one_register", "str r8, [sp, #-4]!\n nop\n ldr r8, [sp], #4\n bx lr", 4),
    // 8, and 12 of the deeper call.
    ("calls", "push {r7, lr}\n bl leaf\n bl pushes\n pop {r7, pc}", 20),
    ("calls_two_deep", "push {r4, lr}\n bl calls\n pop {r4, pc}", 28),
    // Its own room is given back before the other function takes it.
    ("tail_call", "push {r7, lr}\n sub sp, #8\n add sp, #8\n pop.w {r7, lr}\n b.w pushes", 16),
    ("deeper_tail_call", "push {r7, lr}\n pop.w {r7, lr}\n b.w calls", 20),
    ("conditional_tail_call", "cmp r0, #0\n beq.w calls\n bx lr", 20),
    // Room behind a branch only; both ways meet without it.
    ("late_room", "cbz r0, 1f\n push {r4-r7, lr}\n pop.w {r4-r7, lr}\n1: bx lr", 20),
    (
        "early_return",
        "push {r4, lr}\n cmp r0, #0\n it ne\n popne {r4, pc}\n sub sp, #8\n add sp, #8\n pop {r4, pc}",
        16,
    ),
    ("rounds", "push {r4, lr}\n movs r4, #3\n1: bl pushes\n subs r4, #1\n bne 1b\n pop {r4, pc}", 20),
    (
        "switch",
        "push {r7, lr}\n cmp r0, #1\n bhi 9f\n tbb [pc, r0]\n1: .byte (2f-1b)/2, (3f-1b)/2
            2: nop\n b 9f\n3: bl makes_room\n9: pop {r7, pc}",
        40,
    ),
    ("waits_for_ever", "push {r4-r7, lr}\n b .", 20),
    ("traps", "sub sp, #16\n udf #0", 16),
    // What stands behind a call that never comes back isn't reached: here a word that is no instruction, and `circle`.
    ("never_back", "push {r4, lr}\n bl traps\n .word 0xffffffff", 24),
    ("never_back_at_the_end", "push {r4, lr}\n bl traps", 24),
    ("circle", "push {r4, lr}\n bl circle_again\n pop {r4, pc}", 0),
    ("circle_again", "push {r4, lr}\n bl circle\n pop {r4, pc}", 0),
    ("into_a_circle", "push {r4, lr}\n bl circle\n pop {r4, pc}", 0),
    ("through_a_register", "push {r4, lr}\n blx r3\n pop {r4, pc}", 20),
    ("computes", "mov r4, sp\n sub.w r4, r4, r0\n mov sp, r4\n bx lr", 0),
    ("grows_in_rounds", "1: push {r0}\n subs r1, #1\n bne 1b\n bx lr", 0),
    ("grows_on_condition", "cmp r0, #0\n it ne\n pushne {r4}\n bx lr", 0),
    ("no_instruction", ".word 0xffffffff", 0),
];

const UNKNOWN: [&str; 7] = [
    "circle",
    "circle_again",
    "into_a_circle",
    "computes",
    "grows_in_rounds",
    "grows_on_condition",
    "no_instruction",
];

fn names() -> Vec<&'static str> {
    COUNTED.iter().map(|(name, ..)| *name).collect()
}

#[test]
fn stacks_are_as_deep_as_counted() {
    let functions: Vec<_> = COUNTED.iter().map(|(name, body, _)| (*name, *body)).collect();
    let program = compile("counted", "s", &names(), &assembly(&functions));
    let file = image::parse(&program.elf).expect("an image");
    let image = Image::new(&file).expect("symbols");
    let indirect =
        BTreeMap::from([("through_a_register".to_owned(), vec!["pushes".to_owned(), "leaf".to_owned()])]);
    let mut stacks = Stacks::new(&image, &indirect).expect("names that are there");
    for (name, _, bytes) in COUNTED.iter().filter(|(name, ..)| !UNKNOWN.contains(name)) {
        assert_eq!(stacks.depth(name), Ok(*bytes), "{name}");
    }
    let why = UNKNOWN.map(|name| stacks.depth(name).expect_err(name));
    let circle = ["circle", "circle_again", "circle"].map(str::to_owned).to_vec();
    assert_eq!(why[0], Unknown::Recursion(circle.clone()));
    assert_eq!(why[2], Unknown::Recursion(circle));
    for (name, why) in UNKNOWN.iter().zip(&why).skip(3).take(3) {
        assert!(matches!(why, Unknown::Computed { function, .. } if function == name), "{name}: {why}");
    }
    assert!(matches!(&why[6], Unknown::Unreadable { .. }), "{}", why[6]);

    let mut stacks = Stacks::new(&image, &BTreeMap::new()).expect("no names");
    let why = stacks.depth("through_a_register").expect_err("nobody says where it leads");
    assert!(matches!(&why, Unknown::Indirect { instruction, .. } if instruction == "blx r3"), "{why}");
    assert_eq!(stacks.depth("absent"), Err(ImageError::NoSymbol("absent".to_owned()).into()));
}
