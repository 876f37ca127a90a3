//! The rules for the users of state messages: how often one writes, and how long the others read.

use super::super::diagnostic::{Problem, Reporter};
use super::super::{Rhythm, State, code};
use super::users::Place;

/// The depth of a state message follows from how often its writer writes, where it is read without the kernel.
pub(super) fn rhythm(state: &State, writer: &Place<'_>, reporter: &mut Reporter) {
    match &state.rhythm {
        None if !writer.user.has_period => reporter.report(Problem {
            code: code::MISSING,
            place: state.name.place,
            message: format!(
                "how often `{}` writes state message `{}` isn't known: the thread isn't periodic",
                writer.user.name.value, state.name.value
            ),
            label: "`period` is missing".to_owned(),
            help: "add `period`, the least distance of two writes, and `jitter` if some come later".into(),
        }),
        Some(Rhythm { period, .. }) if writer.user.has_period => {
            let problem = Problem {
                code: code::CONFLICT,
                place: period.place,
                message: "the period of the writes is that of the writer, which is periodic".to_owned(),
                label: "no use".to_owned(),
                help: "leave `period`, `jitter` and `catch_up` out".into(),
            };
            reporter.report_with(problem, writer.place, &format!("`{}`", writer.user.name.value));
        }
        _ => {}
    }
}

/// Readers without a deadline may be in the middle of a read for as long as the description says.
pub(super) fn window(state: &State, readers: &[Place<'_>], reporter: &mut Reporter) {
    let slow = readers.iter().find(|reader| !reader.user.has_period);
    if let (Some(reader), None) = (slow, &state.read_within)
        && state.kind.size() > 4
    {
        let problem = Problem {
            code: code::MISSING,
            place: state.name.place,
            message: format!(
                "how long a read of state message `{}` takes isn't known: `{}` isn't periodic",
                state.name.value, reader.user.name.value
            ),
            label: "`read_within` is missing".to_owned(),
            help: format!(
                "add `read_within`, the longest that a read may take with all that preempts it, or let it use \
                 \"{}.read_slow\"",
                state.name.value
            ).into(),
        };
        reporter.report_with(problem, reader.place, "this reader");
    }
}
