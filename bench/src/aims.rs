//! The aims, and the figures of other kernels.

use crate::jobs::case;
use crate::metric;
use crate::row::Row;
use crate::step::{STATIC, STATIC_OBJECTS};

/// An aim, and what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The largest figure that meets the aim.
    pub most: u64,
    /// The figures of other kernels, none of which protects memory here.
    pub peer: Option<&'static str>,
}

/// How much more one job among 100 threads may cost than one among 5.
const GROWTH: u64 = 40;

/// The aim for a row, if there is one; `rows` are all measured rows.
pub fn aim(row: &Row, rows: &[Row]) -> Option<Aim> {
    let aim = |most, peer| Some(Aim { most, peer: Some(peer) });
    let alone = |most| Some(Aim { most, peer: None });
    match row.bench.as_str() {
        "null-call" => alone(16),
        "yield/same-process" => aim(44, "40 ChibiOS"),
        "yield/two-processes" => aim(44, "40 ChibiOS"),
        "ceiling-lock/pair" => aim(9, "35 RIOT"),
        "semaphore/pair" => aim(16, "26 ThreadX, ChibiOS"),
        "semaphore/pair-across" => aim(56, "26 ThreadX, ChibiOS"),
        "semaphore/handover" => aim(150, "150 ChibiOS"),
        "semaphore/full-cycle" if row.case.starts_with("early, fixed") => aim(259, "259 ChibiOS"),
        "semaphore/full-cycle" if row.case.starts_with("early") => aim(300, "259 ChibiOS"),
        "semaphore/wake" => aim(65, "51 ChibiOS"),
        "state-message/write-8" => alone(8),
        "state-message/read-8" => alone(12),
        "mailbox/pair-8" => aim(75, "81 ThreadX"),
        "mailbox/pair-32" => alone(110),
        "mailbox/wake-8" => aim(95, "119 ThreadX"),
        // This case sets and cancels a timer, so it has no aim.
        "endpoint/round-trip" if !row.case.contains("limit") => alone(150),
        "trace/stored" => aim(40, "61 Feather-Trace"),
        "interrupt/from-idle" => alone(80),
        "notification/there" | "notification/poll" | "semaphore/poll" | "mailbox/poll" => alone(30),
        "interrupt/to-thread" => aim(75, "96 ChibiOS"),
        "metric/cooperative" => aim(55, "58 FreeRTOS, 66 ThreadX"),
        "metric/preemptive" => aim(175, "182 ThreadX, 272 FreeRTOS"),
        "metric/message-16" => aim(120, "124 ThreadX, 195 FreeRTOS"),
        "metric/synchronisation" if row.case == metric::WITHIN => aim(52, "52 ThreadX, 120 FreeRTOS"),
        "metric/synchronisation" => aim(60, "52 ThreadX, 120 FreeRTOS"),
        "metric/interrupt" if row.case == metric::CALLED => aim(110, "95 ThreadX, 122 FreeRTOS"),
        "metric/interrupt" => aim(200, "95 ThreadX, 122 FreeRTOS"),
        "metric/interrupt-preemption" => aim(235, "238 ThreadX, 351 FreeRTOS"),
        "machine/s-code" if row.case == "100" => alone(200),
        "machine/e-code" => alone(60),
        "machine/code-bytes" if row.case == "100" => alone(2500),
        "release/to-task" => alone(350),
        "kernel/step" if row.case == STATIC => aim(300, "5 (RTX5) to 1524"),
        "kernel/step" if row.case == STATIC_OBJECTS => aim(600, "5 (RTX5) to 1524"),
        "size/kernel-text" => aim(13_000, "1.7 to 6.8 kB"),
        "size/machine-text" if row.case == crate::machine_text::WHOLE => alone(16_000),
        "size/data-per-thread" => aim(112, "40 to 180"),
        _ if row.case == case("fixed") => job(row, rows),
        _ if row.case == case("dynamic") => job_by_deadline(row),
        _ => None,
    }
}

/// The aims for periodic jobs in a fixed band, like those of the peers.
fn job(row: &Row, rows: &[Row]) -> Option<Aim> {
    let aim = |most, peer| Some(Aim { most, peer });
    match row.bench.as_str() {
        "job/one/15" => aim(200, Some("263 lilos, 273 ChibiOS")),
        "job/one/100" => {
            let five = rows.iter().find(|five| five.bench == "job/one/5" && five.case == row.case)?;
            aim(five.figures.max + GROWTH, None)
        }
        "job/all/15" => aim(120, Some("125 ChibiOS")),
        "job/all/100" => aim(150, None),
        _ => None,
    }
}

/// The aims for periodic jobs in a dynamic band.
fn job_by_deadline(row: &Row) -> Option<Aim> {
    match row.bench.as_str() {
        "job/one/15" | "job/all/15" => Some(Aim { most: 240, peer: None }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(bench: &str, case: &str, value: u64) -> Row {
        Row::instructions(bench, case, &[value]).expect("a value")
    }

    #[test]
    fn one_job_among_many_may_cost_a_little_more_than_among_few() {
        let rows = [row("job/one/5", "fixed band", 150), row("job/one/5", "dynamic band", 190)];
        let most = |bench, case, rows| aim(&row(bench, case, 0), rows).map(|aim| aim.most);
        assert_eq!(most("job/one/100", "fixed band", &rows[..]), Some(190));
        assert_eq!(most("job/one/100", "fixed band", &rows[1..]), None, "nothing to compare with");
        assert_eq!(most("job/one/100", "dynamic band", &rows[..]), None);
        assert_eq!(most("job/one/15", "fixed band", &[]), Some(200));
    }

    #[test]
    fn only_early_hand_over_has_an_aim() {
        let most = |case| aim(&row("semaphore/full-cycle", case, 0), &[]).map(|aim| aim.most);
        assert_eq!(most("early, fixed band, 3 threads"), Some(259));
        assert_eq!(most("standard, fixed band, 3 threads"), None);
    }
}
