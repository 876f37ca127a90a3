//! The threads beside those of tasks: of the description, of native drivers, and the idle thread.

use beryl_abi::Duration;

use super::Join;
use super::held::{holds, uses};
use crate::assembly::{Budget, Function, Periodic, Pool, Role, Sporadic, Thread};
use crate::description::{IDLE, OnOverrun, Sharing, Timing, Waits};
use crate::quantity::Bytes;

/// Bytes of the idle thread's stack: an exception frame and the smallest region that has subregions to spare.
const IDLE_STACK: Bytes = Bytes::new(128);
/// Bytes of a driver thread's stack where the description says nothing.
const DRIVER_STACK: Bytes = Bytes::new(512);

impl Join<'_> {
    pub(super) fn add_threads(&mut self) {
        let tick = self.description.board.board.tick;
        // What isn't released by time may find the processor asleep.
        let wake = self.assembly.longest_wake();
        let description = self.description;
        let sharing = Sharing::all(&description.processes, &description.groups, &description.bands);
        self.assembly.sharing = sharing.iter().map(Sharing::called).collect();
        for row in &description.threads {
            let entry = row.entry.value.clone();
            let (role, best, worst) = match &row.timing {
                Timing::Free { deadline, sporadic } => {
                    // Where it may come again before, it shall be done by then: so it is proved, and so it
                    // has its turn.
                    let again = sporadic.map(|times| times.separation.value);
                    let deadline = deadline.map(|deadline| deadline.value).into_iter().chain(again).min();
                    let deadline = deadline.map(|deadline| deadline.rounded_down(tick));
                    let sporadic = sporadic.map(|times| Sporadic {
                        separation: times.separation.rounded_down(tick),
                        jitter: times.jitter.rounded_up(tick).plus(wake),
                        worst: times.worst.rounded_up(tick),
                    });
                    (Role::Free { entry, deadline, sporadic }, Duration::ZERO, Duration::FOREVER)
                }
                Timing::Periodic(times) => {
                    let role = Role::Periodic(Periodic {
                        entry,
                        period: times.period.rounded_down(tick),
                        offset: times.offset.rounded_down(tick),
                        deadline: times.deadline.rounded_down(tick),
                        catch_up: times.catch_up,
                    });
                    (role, times.best.rounded_down(tick), times.worst.rounded_up(tick))
                }
            };
            let on_overrun = match &row.timing {
                Timing::Periodic(times) => times.on_overrun.map(|reaction| reaction.value),
                Timing::Free { .. } => None,
            };
            let on_overrun = on_overrun.unwrap_or(OnOverrun::Counts);
            let band = row.band.value.index();
            let process = row.process.value.index();
            let shared = sharing.iter().position(|sharing| sharing.has(row));
            let common = shared.and_then(|index| sharing.get(index)).map(|sharing| *sharing.budget);
            self.assembly.threads.push(Thread {
                name: row.name.value.clone(),
                process,
                band,
                place: row.priority.unwrap_or_else(|| self.slots.next(band)),
                priorities: row.priorities,
                stack: row.stack.value,
                role,
                best,
                worst,
                on_overrun,
                budget: row.budget.or(common).map(|budget| Budget {
                    amount: budget.amount.value.rounded_down(tick),
                    every: budget.every.value.rounded_down(tick),
                    on_spent: budget.on_spent,
                    rule: budget.rule,
                    pool: shared.map(|shared| Pool { shared, is_purse: false }),
                }),
                tells: row.tells.as_ref().map(|told| told.value.clone()),
                uses: uses(&row.uses),
                holds: holds(&row.holds, tick),
                argument: row.argument.as_ref().map(|argument| argument.value.clone()),
                is_policed: row.on_hold.is_some(),
                waits: row.waits,
                rank: 0,
                level: 0,
                highest_ceiling: 0,
            });
        }
    }

    /// A budget that several threads share stands with the most urgent of them.
    pub(super) fn choose_purses(&mut self) {
        for shared in 0..self.assembly.sharing.len() {
            let members = self.assembly.pool(shared);
            let purse = members.min_by_key(|(_, thread)| (thread.band, u8::MAX - thread.most()));
            let Some(purse) = purse.map(|(index, _)| index) else { continue };
            if let Some(budget) = self.assembly.threads.get_mut(purse).and_then(|row| row.budget.as_mut()) {
                budget.pool = Some(Pool { shared, is_purse: true });
            }
        }
    }

    pub(super) fn add_driver_threads(&mut self, functions: Vec<Vec<Function>>) {
        for (index, functions) in functions.into_iter().enumerate() {
            if functions.is_empty() {
                continue;
            }
            let row = &self.description.processes[index];
            let best = functions.iter().map(|function| function.best).min().unwrap_or_default();
            let worst = functions.iter().map(|function| function.worst).max().unwrap_or_default();
            self.assembly.processes[index].driver_thread = Some(self.assembly.threads.len());
            self.assembly.threads.push(Thread {
                name: format!("{} drivers", row.name.value),
                process: index,
                band: 0,
                place: 0,
                priorities: None,
                stack: row.driver_stack.as_ref().map_or(DRIVER_STACK, |stack| stack.value),
                role: Role::Drivers,
                best,
                worst,
                on_overrun: OnOverrun::Counts,
                budget: None,
                tells: None,
                uses: Vec::new(),
                holds: Vec::new(),
                argument: None,
                is_policed: false,
                waits: Waits::Freely,
                rank: 0,
                level: 0,
                highest_ceiling: 0,
            });
            self.assembly.processes[index].functions = functions;
        }
    }

    /// The idle thread: in a band of its own below all others, with code of the first process.
    pub(super) fn add_idle_thread(&mut self) {
        self.assembly.threads.push(Thread {
            name: IDLE.to_owned(),
            process: 0,
            band: self.assembly.bands.len() - 1,
            place: 0,
            priorities: None,
            stack: IDLE_STACK,
            role: Role::Idle,
            best: Duration::ZERO,
            worst: Duration::FOREVER,
            on_overrun: OnOverrun::Counts,
            budget: None,
            tells: None,
            uses: Vec::new(),
            holds: Vec::new(),
            argument: None,
            is_policed: false,
            waits: Waits::Freely,
            rank: 0,
            level: 0,
            highest_ceiling: 0,
        });
    }
}
