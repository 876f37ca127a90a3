//! Times of jobs, and the rules for those that the kernel itself keeps: whole ticks, and not too many of them.

use super::budget;
use super::diagnostic::{Problem, Reporter};
use super::on_overrun::check_worst;
use super::readable::Parts;
use super::section::Section;
use super::sharing::Sharing;
use super::{Periodic, Placed, Sporadic, Timing, code};
use crate::quantity::Nanoseconds;
use beryl_timing::Help;
use miette::SourceSpan;

/// The kernel compares low words of instants, so what it waits for is at most 2^30 ticks away.
const MOST_TICKS: u64 = beryl_abi::call::LONGEST_WAIT as u64;

/// The best and the worst case.
pub(super) fn best_and_worst(
    section: &Section<'_>,
    reporter: &mut Reporter,
) -> Option<(Nanoseconds, Placed<Nanoseconds>)> {
    let best: Option<Placed<Nanoseconds>> = section.optional("best", reporter);
    let worst: Placed<Nanoseconds> = section.required("worst", reporter)?;
    reporter.check_times(best, worst);
    Some((best.map_or(Nanoseconds::ZERO, |best| best.value), worst))
}

/// Checks the times of tasks, threads, interrupts and state messages.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    let Some(board) = &parts.board else { return };
    let tick = board.board.tick;
    for thread in &parts.threads {
        thread.watchdog.iter().for_each(|within| length("a watchdog", *within, tick, reporter));
        match &thread.timing {
            Timing::Free { deadline, sporadic } => {
                deadline.iter().for_each(|deadline| length("a deadline", *deadline, tick, reporter));
                sporadic.iter().for_each(|times| self::sporadic(times, *deadline, tick, reporter));
            }
            Timing::Periodic(times) => periodic(times, tick, reporter),
        }
    }
    let own = parts.threads.iter().filter_map(|thread| thread.budget.as_ref());
    let shared = Sharing::all(&parts.processes, &parts.groups, &parts.bands);
    for budget in own.chain(shared.iter().map(|sharing| sharing.budget)) {
        length("a budget", budget.amount, tick, reporter);
        length("the period of a budget", budget.every, tick, reporter);
        budget::check(budget, tick, reporter);
    }
    for slice in parts.bands.iter().filter_map(|band| band.scheme.slice()) {
        length("a slice", slice, tick, reporter);
    }
    for restarts in parts.processes.iter().filter_map(|process| process.restarts) {
        length("a stretch", restarts.within, tick, reporter);
    }
    held(parts, reporter);
    for task in &parts.tasks {
        check_worst(task.on_overrun, task.worst, tick, reporter);
    }
    for deadline in parts.tasks.iter().filter_map(|task| task.deadline) {
        length("a deadline", deadline, tick, reporter);
    }
    for separation in parts.objects.interrupts.iter().filter_map(|interrupt| interrupt.separation) {
        length("a separation", separation, tick, reporter);
    }
    for separation in parts.objects.gates.iter().map(|gate| gate.separation) {
        length("a separation", separation, tick, reporter);
    }
    for within in parts.objects.limits.iter().map(|limit| limit.within) {
        length("a stretch", within, tick, reporter);
    }
    for sleep in &parts.sleeps {
        length("a wake-up", sleep.wake, tick, reporter);
        sleep.least.iter().for_each(|least| length("a sleep", *least, tick, reporter));
    }
    if let Some(partitions) = &parts.partitions {
        length("a frame", partitions.frame, tick, reporter);
        for window in &partitions.windows {
            whole("the beginning of a window", window.from, tick, reporter);
            whole("the end of a window", window.until, tick, reporter);
        }
    }
    for rhythm in parts.objects.states.iter().filter_map(|state| state.rhythm.as_ref()) {
        positive("a period", rhythm.period, reporter);
    }
}

/// No thread holds anything for longer than its jobs take.
fn held(parts: &Parts, reporter: &mut Reporter) {
    let tasks = parts.tasks.iter().map(|task| (&task.holds, Some(task.worst)));
    let threads = parts.threads.iter().map(|thread| match &thread.timing {
        Timing::Periodic(times) => (&thread.holds, Some(times.worst)),
        Timing::Free { sporadic, .. } => (&thread.holds, sporadic.map(|times| times.worst)),
    });
    for (holds, worst) in tasks.chain(threads) {
        let Some(worst) = worst else { continue };
        for hold in holds.iter().filter(|hold| hold.time.value > worst.value) {
            let problem = Problem {
                code: code::CONFLICT,
                place: hold.time.place,
                message: format!(
                    "it is held for {}, longer than a job takes, {}",
                    hold.time.value, worst.value
                ),
                label: "longer".to_owned(),
                help: "correct one of the two; both are execution times".into(),
            };
            reporter.report_with(problem, worst.place, "than this");
        }
    }
}

fn sporadic(
    times: &Sporadic,
    deadline: Option<Placed<Nanoseconds>>,
    tick: Nanoseconds,
    reporter: &mut Reporter,
) {
    let Sporadic { separation, jitter, .. } = *times;
    length("a separation", separation, tick, reporter);
    let due = deadline.filter(|deadline| deadline.value < separation.value).unwrap_or(separation);
    if jitter.value >= due.value {
        let problem = Problem {
            code: code::CONFLICT,
            place: jitter.place,
            message: format!("{} late, it would be past its deadline of {}", jitter.value, due.value),
            label: "too late".to_owned(),
            help: "write a jitter below the deadline; that counts from the earliest instant in the proof"
                .into(),
        };
        reporter.report_with(problem, due.place, "of this");
    }
}

fn periodic(times: &Periodic, tick: Nanoseconds, reporter: &mut Reporter) {
    check_worst(times.on_overrun, times.worst, tick, reporter);
    let Periodic { period, offset, deadline, catch_up, .. } = *times;
    length("a period", period, tick, reporter);
    if offset.place != period.place {
        whole("an offset", offset, tick, reporter);
    }
    if deadline.place != period.place {
        length("a deadline", deadline, tick, reporter);
    }
    if deadline.value > period.value && catch_up == 0 {
        let problem = Problem {
            code: code::CONFLICT,
            place: deadline.place,
            message: format!(
                "a deadline of {} lies beyond the next release, after {}, which is skipped while a job is at work",
                deadline.value, period.value
            ),
            label: "longer".to_owned(),
            help: Help::from("write a deadline up to the period, or add `catch_up = 1`")
                .or(deadline.place, format!("\"{}\"", period.value)),
        };
        reporter.report_with(problem, period.place, "than this");
    }
}

/// A positive number of whole ticks.
fn length(what: &str, time: Placed<Nanoseconds>, tick: Nanoseconds, reporter: &mut Reporter) {
    if positive(what, time, reporter) {
        whole(what, time, tick, reporter);
    }
}

fn positive(what: &str, time: Placed<Nanoseconds>, reporter: &mut Reporter) -> bool {
    let positive = time.value > Nanoseconds::ZERO;
    if !positive {
        let help = Help::from("write a time, such as \"1ms\"").or(time.place, "\"1ms\"");
        out_of_range(time, format!("{what} of no time at all can't be kept"), help, reporter);
    }
    positive
}

fn whole(what: &str, time: Placed<Nanoseconds>, tick: Nanoseconds, reporter: &mut Reporter) {
    let (time_ns, tick_ns) = (time.value.get(), tick.get().max(1));
    let most = Nanoseconds::new(MOST_TICKS.saturating_mul(tick_ns));
    if time.value > most {
        let message = format!("the kernel can't keep {what} of {}: it counts at most 2^30 ticks", time.value);
        let help = Help::from(format!("write at most \"{most}\"")).or(time.place, format!("\"{most}\""));
        out_of_range(time, message, help, reporter);
    } else if time_ns % tick_ns != 0 {
        let below = Nanoseconds::new(time_ns / tick_ns * tick_ns);
        let above = Nanoseconds::new(below.get().saturating_add(tick_ns));
        let message = format!("{} isn't a whole number of the board's ticks of {tick}", time.value);
        let nearest = match below {
            Nanoseconds::ZERO => Help::from(format!("the shortest that is: \"{above}\"")),
            below => Help::from(format!("the nearest that are: \"{below}\" and \"{above}\""))
                .or(time.place, format!("\"{below}\"")),
        };
        out_of_range(time, message, nearest.or(time.place, format!("\"{above}\"")), reporter);
    }
}

fn out_of_range(time: Placed<Nanoseconds>, message: String, help: Help<SourceSpan>, reporter: &mut Reporter) {
    reporter.report(Problem {
        code: code::RANGE,
        place: time.place,
        message,
        label: "out of range".to_owned(),
        help,
    });
}
