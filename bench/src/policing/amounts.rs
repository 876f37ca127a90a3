//! Amounts in instructions, as descriptions and proofs have them: of 1024 ns each, 25.6 ticks of the board.

use anyhow::{Context, Result};
use beryl_abi::Instant;

/// Nanoseconds of an instruction at the speed of the measured systems.
pub const NANOSECONDS: u64 = 1024;

/// So many instructions, as a time of a description.
pub fn time(instructions: u64) -> String {
    format!("{}ns", instructions * NANOSECONDS)
}

/// When so many instructions were executed: whole ticks if they are a multiple of five.
pub fn instant(instructions: u64) -> Instant {
    Instant::from_ticks(instructions * 128 / 5)
}

/// The instructions of so many ticks, rounded up.
pub fn instructions(ticks: u64) -> u64 {
    (ticks * 5).div_ceil(128)
}

/// How much each more of something takes: the slope of the line from the first point to the last, in tenths, and how far any
/// point is from that line.
///
/// # Errors
/// If there are fewer than two points.
pub fn slope(points: &[(u64, u64)]) -> Result<(u64, u64)> {
    let (first, last) = (points.first().context("no points")?, points.last().context("no points")?);
    let (across, up) = (last.0.saturating_sub(first.0), last.1.saturating_sub(first.1));
    let tenths = (up * 10 + across / 2).checked_div(across).context("one point")?;
    let on_line = |across: u64| first.1 + (across.saturating_sub(first.0) * tenths + 5) / 10;
    let furthest = points.iter().map(|(across, up)| up.abs_diff(on_line(*across))).max();
    Ok((tenths, furthest.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_times_and_ticks() {
        assert_eq!((time(2000), instant(2000).ticks()), ("2048000ns".to_owned(), 51_200));
        assert_eq!([0, 25, 26, 51_200, 51_201].map(instructions), [0, 1, 2, 2000, 2001]);
    }

    #[test]
    fn a_line_has_a_slope_and_what_is_beside_it_a_distance() {
        assert_eq!(slope(&[(1, 10), (3, 20), (5, 30)]).expect("a line"), (50, 0));
        assert_eq!(slope(&[(1, 10), (3, 27), (5, 30)]).expect("a line"), (50, 7));
        assert!(slope(&[(1, 10)]).is_err() && slope(&[]).is_err());
    }
}
