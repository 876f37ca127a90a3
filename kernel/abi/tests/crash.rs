//! The head of a crash record says how much of it is there.

use beryl_abi::crash::{Extent, HEAD, PARTS, PIECE, PIECES, STACK, STACK_WORDS, WORDS};
use beryl_abi::words::Word;
use beryl_abi::{CrashPart, Fault, FaultKind, ThreadId};

const THREAD: ThreadId = ThreadId(200);

#[test]
fn pieces_and_parts_are_all_of_a_record() {
    assert_eq!(usize::from(PIECES) * PIECE, WORDS);
    assert_eq!(usize::from(PARTS) * 2, WORDS);
    assert_eq!(usize::from(HEAD) * PIECE, usize::from(STACK) * PIECE + STACK_WORDS);
}

#[test]
fn an_extent_grows_by_what_is_written() {
    for kind in FaultKind::ALL {
        let begun = Extent::begin(THREAD, Fault { kind, address: 1, instruction: 2 });
        let nothing = Extent { kind, thread: THREAD, has_frame: false, has_others: false, stack: 0 };
        assert_eq!(Extent::of(begun), Ok(nothing));
        let written = [(0, 8), (1, 0), (2, 8), (3, 8), (4, 8), (5, 3)];
        let grown = written.iter().fold(begun, |extent, (piece, words)| Extent::with(extent, *piece, *words));
        assert_eq!(Extent::of(grown), Ok(Extent { has_frame: true, stack: 27, ..nothing }));
        let whole = Extent::with(grown, 1, 8);
        assert_eq!(Extent::of(whole), Ok(Extent { has_frame: true, has_others: true, stack: 27, ..nothing }));
    }
}

#[test]
fn what_no_record_can_say_is_none() {
    let good =
        Extent { kind: FaultKind::Data, thread: THREAD, has_frame: true, has_others: true, stack: 32 }.word();
    assert!(Extent::of(good).is_ok());
    assert!(Extent::of(good & !0xFF).is_err(), "no kind");
    assert!(Extent::of(good + (1 << 24)).is_err(), "more of a stack than there is room for");
    assert!(CrashPart::of(u32::from(PARTS - 1) << 8).is_ok());
    assert!(CrashPart::of(u32::from(PARTS) << 8).is_err(), "one part too many");
}
