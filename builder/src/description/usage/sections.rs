//! The rules for those who are stopped when they stay inside a lock for too long.

use beryl_kernel::Budget;
use beryl_timing::Help;
use miette::SourceSpan;

use super::super::diagnostic::{Problem, Reporter};
use super::super::readable::Parts;
use super::super::{Lock, Placed, Use, code};
use super::users::User;
use crate::quantity::Nanoseconds;

/// Who is stopped for staying inside must use a lock, and it must be known of each how long it may: no longer than the
/// kernel can count.
pub(super) fn check(users: &[User<'_>], parts: &Parts, reporter: &mut Reporter) {
    let Some(board) = &parts.board else { return };
    let most = u64::from(Budget::LONGEST).saturating_mul(board.board.tick.get());
    for user in users {
        let Some(reaction) = user.on_hold.map(|reaction| reaction.place) else { continue };
        let locks = user.uses.iter().filter_map(|used| match used.value {
            Use::Lock(index) => Some((parts.objects.locks.get(index)?, used)),
            _ => None,
        });
        let locks: Vec<(&Lock, &Placed<Use>)> = locks.collect();
        if locks.is_empty() {
            takes_none(user, reaction, reporter);
        }
        for (lock, used) in locks {
            match hold(user, lock, used.value) {
                None => is_unknown(user, lock, (used.place, reaction), reporter),
                Some(hold) if hold.value.get() > most => {
                    is_too_long(hold, Nanoseconds::new(most), reaction, reporter);
                }
                Some(_) => {}
            }
        }
    }
}

/// How long somebody holds a lock, if that is described.
fn hold(user: &User<'_>, lock: &Lock, used: Use) -> Option<Placed<Nanoseconds>> {
    user.holds.iter().find(|hold| hold.used == used).map(|hold| hold.time).or(lock.hold)
}

fn takes_none(user: &User<'_>, reaction: SourceSpan, reporter: &mut Reporter) {
    reporter.report(Problem {
        code: code::CONFLICT,
        place: reaction,
        message: format!("`{}` takes no lock, so it never stays inside one", user.name.value),
        label: "no use".to_owned(),
        help: Help::from("write `\"believe\"`, or add a lock to its `uses`").or(reaction, "\"believe\""),
    });
}

fn is_unknown(
    user: &User<'_>,
    lock: &Lock,
    (place, reaction): (SourceSpan, SourceSpan),
    reporter: &mut Reporter,
) {
    let problem = Problem {
        code: code::MISSING,
        place,
        message: format!("how long `{}` may stay inside `{}` isn't known", user.name.value, lock.name.value),
        label: "no `hold`".to_owned(),
        help: Help::from(format!(
            "add `hold = \"50us\"` to [lock.{}], or write `\"believe\"`",
            lock.name.value
        ))
        .or(reaction, "\"believe\""),
    };
    reporter.report_with(problem, reaction, "for which it would be stopped");
}

fn is_too_long(hold: Placed<Nanoseconds>, most: Nanoseconds, reaction: SourceSpan, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::RANGE,
        place: hold.place,
        message: format!(
            "the kernel can't see to {}: it counts sections in less than 2^29 ticks",
            hold.value
        ),
        label: "out of range".to_owned(),
        help: Help::from(format!("write at most \"{most}\", or `on_hold = \"believe\"`"))
            .or(reaction, "\"believe\""),
    };
    reporter.report_with(problem, reaction, "for which somebody would be stopped");
}
