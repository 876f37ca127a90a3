//! Critical sections of libraries: the thread's own word, raised to the ceiling that the host knows, and nothing where it knows
//! none.

use std::panic::{AssertUnwindSafe, catch_unwind};

use beryl_abi::CallNumber;
use beryl_user::critical_section::{enter, leave};

use crate::script::Event::{Call, Mark, Point};
use crate::script::{Script, WORDS};

#[test]
fn sections_nest_and_the_last_to_be_left_lets_the_word_fall() {
    let host = Script::answering(WORDS, [[0; 3]]);
    host.set_section(Some(6));
    let ((), events) = host.run(|| {
        let outer = enter();
        let inner = enter();
        host.mark("inside");
        // SAFETY: the last that was entered.
        unsafe { leave(inner) };
        assert_eq!(host.word(WORDS), 6);
        host.set(WORDS + 4, 5);
        // SAFETY: the other one.
        unsafe { leave(outer) };
    });
    assert_eq!(host.word(WORDS), 0);
    let all = [Point(0), Point(6), Mark("inside"), Point(6), Point(6), Call(CallNumber::Preempt, [0; 4], 0)];
    assert_eq!(events, all);
}

#[test]
fn who_shares_with_nobody_touches_nothing() {
    let host = Script::without_kernel(WORDS);
    host.set_section(Some(0));
    let ((), events) = host.run(|| {
        let before = enter();
        // SAFETY: the last that was entered.
        unsafe { leave(before) };
    });
    assert_eq!((events, host.word(WORDS)), (vec![], 0));
}

#[test]
fn who_may_enter_none_panics_before_anything_is_raised() {
    let host = Script::without_kernel(WORDS);
    let (result, events) = host.run(|| catch_unwind(AssertUnwindSafe(enter)));
    let said = result.expect_err("a panic");
    let said = said.downcast_ref::<&str>().copied().or(said.downcast_ref::<String>().map(String::as_str));
    assert!(said.is_some_and(|said| said.contains("may enter no critical section")), "{said:?}");
    assert_eq!((events, host.word(WORDS)), (vec![], 0));
}
