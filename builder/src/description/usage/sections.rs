//! The rules for those who are stopped when they stay inside a lock for too long.

use beryl_timing::Help;

use super::super::diagnostic::{Problem, Reporter};
use super::super::{Objects, Placed, Use, code};
use super::users::User;

/// Who is stopped for staying inside must use a lock, and it must be known of each how long it may.
pub(super) fn check(users: &[User<'_>], objects: &Objects, reporter: &mut Reporter) {
    for user in users {
        let Some(reaction) = user.on_hold else { continue };
        let locks: Vec<(usize, &Placed<Use>)> = user
            .uses
            .iter()
            .filter_map(|used| match used.value {
                Use::Lock(index) => Some((index, used)),
                _ => None,
            })
            .collect();
        if locks.is_empty() {
            reporter.report(Problem {
                code: code::CONFLICT,
                place: reaction.place,
                message: format!("`{}` takes no lock, so it never stays inside one", user.name.value),
                label: "no use".to_owned(),
                help: Help::from("write `\"believe\"`, or add a lock to its `uses`")
                    .or(reaction.place, "\"believe\""),
            });
        }
        for (index, used) in locks {
            let Some(lock) = objects.locks.get(index) else { continue };
            let is_known = lock.hold.is_some() || user.holds.iter().any(|hold| hold.used == used.value);
            if !is_known {
                let problem = Problem {
                    code: code::MISSING,
                    place: used.place,
                    message: format!(
                        "how long `{}` may stay inside `{}` isn't known",
                        user.name.value, lock.name.value
                    ),
                    label: "no `hold`".to_owned(),
                    help: Help::from(format!(
                        "add `hold = \"50us\"` to [lock.{}], or write `\"believe\"`",
                        lock.name.value
                    ))
                    .or(reaction.place, "\"believe\""),
                };
                reporter.report_with(problem, reaction.place, "for which it would be stopped");
            }
        }
    }
}
