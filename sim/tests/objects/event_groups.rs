//! Event groups: several who wait, taken bits, timeouts, and who may do what.

use beryl_abi::EventGroupId;
use beryl_kernel::EventGroup as Row;
use beryl_user::event_group::{Source, Waiter, all, any};

use crate::scenario::{ALL, Scenario, at_most, elsewhere, end, free, note, spend};

fn source() -> Source {
    // SAFETY: the first group; who may not set it is found out by the kernel.
    unsafe { Source::new(EventGroupId(0)) }
}

fn waiter() -> Waiter {
    // SAFETY: as above.
    unsafe { Waiter::new(EventGroupId(0)) }
}

fn tables(scenario: Scenario, sources: u32) -> Scenario {
    scenario.with(move |system| system.event_groups[0] = Row { sources, waiters: ALL })
}

/// Takes two bits, once both are there.
extern "C" fn both() -> ! {
    note(&format!("both: {:?}", waiter().wait(all(0b11).taking())));
    spend(3);
    end(&format!("both then: {:?}", waiter().wait_for(all(0b11), at_most(9))))
}

/// Looks for the second bit.
extern "C" fn second() -> ! {
    note(&format!("second: {:?}", waiter().wait(any(0b10))));
    spend(1);
    end(&format!("second then: {:?}", waiter().wait_for(any(0b10), at_most(2))))
}

extern "C" fn setter() -> ! {
    for bits in [0b1, 0b110] {
        spend(10);
        source().set(bits);
    }
    spend(4);
    end(&format!("setter clears: {:b}", source().clear(0b100)))
}

#[test]
fn one_set_wakes_all_and_what_one_takes_the_other_has_seen() {
    let scenario =
        Scenario::new().thread(elsewhere(free(3)), both).thread(free(2), second).thread(free(1), setter);
    let expected = [
        "20 both: Ok(7)",
        "23 second: Ok(7)", // it was asked at 20, too
        "26 second then: Err(TimedOut)",
        "28 setter clears: 100",
        "32 both then: Err(TimedOut)",
    ];
    assert_eq!(tables(scenario, ALL).notes(100), expected);
}

/// Who may only wait sets nothing.
extern "C" fn intruder() -> ! {
    source().set(u32::MAX);
    spend(5);
    end(&format!("intruder finds {:?}", waiter().wait_for(any(u32::MAX), at_most(2))))
}

#[test]
fn who_may_not_set_bits_sets_none() {
    let scenario = Scenario::new().thread(elsewhere(free(1)), intruder);
    assert_eq!(tables(scenario, 0b01).notes(100), ["7 intruder finds Err(TimedOut)"]);
}
