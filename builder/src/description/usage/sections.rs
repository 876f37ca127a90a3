//! The rules for those who are stopped when they stay inside a lock for too long, or keep a client waiting.

use beryl_kernel::Budget;
use beryl_timing::Help;
use miette::SourceSpan;

use super::super::diagnostic::{Problem, Reporter};
use super::super::objects::Count;
use super::super::readable::Parts;
use super::super::{Placed, Use, code};
use super::users::User;
use crate::quantity::Nanoseconds;

/// Who is stopped for keeping others waiting must use a lock or serve an endpoint, and it must be known of each for how long it
/// may: no longer than the kernel can count. Of several endpoints it can't be told for which of them a server works.
pub(super) fn check(users: &[User<'_>], parts: &Parts, reporter: &mut Reporter) {
    let Some(board) = &parts.board else { return };
    let most = u64::from(Budget::LONGEST).saturating_mul(board.board.tick.get());
    for user in users {
        let Some(reaction) = user.on_hold.map(|reaction| reaction.place) else { continue };
        let locks: Vec<Inside<'_>> = user.uses.iter().filter_map(|used| inside(parts, used)).collect();
        if locks.is_empty() {
            takes_none(user, reaction, reporter);
        }
        let served = user.uses.iter().filter(|used| matches!(used.value, Use::Serve(_)));
        if let Some(second) = served.clone().nth(1) {
            serves_several(user, second, reaction, reporter);
        }
        for lock in locks {
            match hold(user, &lock) {
                None => is_unknown(user, &lock, reaction, reporter),
                Some(hold) if hold.value.get() > most => {
                    is_too_long(hold, Nanoseconds::new(most), reaction, reporter);
                }
                Some(_) => {}
            }
        }
    }
}

/// What somebody may be inside of: a ceiling lock, a semaphore that has an owner, or a request.
struct Inside<'a> {
    used: &'a Placed<Use>,
    section: &'static str,
    name: &'a str,
    hold: Option<Placed<Nanoseconds>>,
}

fn inside<'a>(parts: &'a Parts, used: &'a Placed<Use>) -> Option<Inside<'a>> {
    match used.value {
        Use::Lock(index) => {
            let lock = parts.objects.locks.get(index)?;
            Some(Inside { used, section: "lock", name: &lock.name.value, hold: lock.hold })
        }
        Use::Semaphore(index) => {
            let semaphore = parts.objects.semaphores.get(index)?;
            let has_owner = matches!(semaphore.count, Count::Binary { .. });
            let inside =
                || Inside { used, section: "semaphore", name: &semaphore.name.value, hold: semaphore.hold };
            has_owner.then(inside)
        }
        Use::Serve(index) => {
            let endpoint = parts.objects.endpoints.get(index)?;
            Some(Inside { used, section: "endpoint", name: &endpoint.name.value, hold: endpoint.hold })
        }
        _ => None,
    }
}

/// How long somebody holds a lock, if that is described.
fn hold(user: &User<'_>, lock: &Inside<'_>) -> Option<Placed<Nanoseconds>> {
    user.holds.iter().find(|hold| hold.used == lock.used.value).map(|hold| hold.time).or(lock.hold)
}

fn takes_none(user: &User<'_>, reaction: SourceSpan, reporter: &mut Reporter) {
    reporter.report(Problem {
        code: code::CONFLICT,
        place: reaction,
        message: format!(
            "`{}` takes neither a lock nor a semaphore that has an owner, and serves nobody, so it keeps nobody waiting",
            user.name.value
        ),
        label: "no use".to_owned(),
        help: Help::from("write `\"believe\"`, or add a lock to its `uses`").or(reaction, "\"believe\""),
    });
}

fn serves_several(user: &User<'_>, second: &Placed<Use>, reaction: SourceSpan, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::CONFLICT,
        place: second.place,
        message: format!(
            "`{}` serves several endpoints, and the kernel counts one request of a thread",
            user.name.value
        ),
        label: "the second".to_owned(),
        help: Help::from("let a thread of its own serve it, or write `\"believe\"`")
            .or(reaction, "\"believe\""),
    };
    reporter.report_with(problem, reaction, "for which it would be stopped");
}

fn is_unknown(user: &User<'_>, lock: &Inside<'_>, reaction: SourceSpan, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::MISSING,
        place: lock.used.place,
        message: match lock.used.value {
            Use::Serve(_) => {
                format!(
                    "how long `{}` may work for a request of `{}` isn't known",
                    user.name.value, lock.name
                )
            }
            _ => format!("how long `{}` may stay inside `{}` isn't known", user.name.value, lock.name),
        },
        label: "no `hold`".to_owned(),
        help: Help::from(format!(
            "add `hold = \"50us\"` to [{}.{}], or write `\"believe\"`",
            lock.section, lock.name
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
