//! Supervisors: a report is a message and the time of day.

use beryl_abi::call::{FOREVER, POLL};
use beryl_abi::{CallNumber, Instant, Report as Words};
use beryl_user::call::CallError;
use beryl_user::mailbox::MailboxId;
use beryl_user::supervisor::{Incident, Report, Supervisor};

use crate::script::Event::Call;
use crate::script::{SHARED, Script};

const RECEIVE: CallNumber = CallNumber::MailboxReceive;

/// Who is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watched {
    Guess,
    Steady,
}

fn supervisor() -> Supervisor<Watched> {
    const ROWS: &[(Watched, Incident)] =
        &[(Watched::Guess, Incident::Overrun), (Watched::Steady, Incident::Miss)];
    // SAFETY: no kernel is behind it.
    unsafe { Supervisor::new(MailboxId(4), 3, ROWS) }
}

#[test]
fn a_report_has_a_name_and_says_how_often_and_when() {
    let [first, second] = Words { number: 4, count: 7, at: Instant::from_ticks(0x1_0000_0005) }.words();
    let host = Script::answering(SHARED, [[0, first, second], [0, 9, 1]]);
    let (report, events) = host.run(|| supervisor().hear());
    let last = Instant::from_ticks(0x1_0000_0005);
    assert_eq!(report, Ok(Report { who: Watched::Steady, what: Incident::Miss, count: 7, last }));
    assert_eq!(events, [Call(RECEIVE, [4, 0, 0, FOREVER], 0), Call(CallNumber::Time, [0; 4], 0)]);
}

#[test]
fn who_does_not_wait_is_told_that_there_is_none() {
    let host = Script::answering(SHARED, [[CallError::WouldBlock as u32, 0, 0]]);
    let (report, events) = host.run(|| supervisor().try_hear());
    assert_eq!(report, Err(CallError::WouldBlock));
    assert_eq!(events, [Call(RECEIVE, [4, 0, 0, POLL], 0)]);
}
