//! Gusts: the wind over time, read from a table in CSV.

use thiserror::Error;

/// The first line of every table, which names the columns and their units.
const HEADING: &str = "time_s,horizontal_m_per_s,vertical_m_per_s";

/// The wind at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wind {
    /// From behind, m/s.
    pub horizontal: f64,
    /// From below, m/s.
    pub vertical: f64,
}

impl Wind {
    const CALM: Wind = Wind { horizontal: 0.0, vertical: 0.0 };
}

/// The wind over time: straight lines between the rows of a table, constant before its first and after its last.
#[derive(Clone, Debug, PartialEq)]
pub struct Gusts {
    /// Times in seconds, strictly increasing, each with its wind.
    rows: Vec<(f64, Wind)>,
}

/// Why a table of gusts was refused, and where.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("line {line}: {problem}")]
pub struct GustError {
    /// Line of the table, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: GustProblem,
}

/// What is wrong with a line of a table of gusts.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GustProblem {
    /// The first line doesn't name the columns.
    #[error("the heading is missing; write `{HEADING}`")]
    Heading,
    /// A row hasn't three fields.
    #[error(
        "{found} fields where a row has 3; write time, horizontal and vertical wind, separated by commas"
    )]
    Fields {
        /// How many fields the row has.
        found: usize,
    },
    /// A field isn't a finite number.
    #[error("`{text}` isn't a finite number; write it like `-1.5`")]
    Number {
        /// The field as it was written.
        text: String,
    },
    /// A time isn't later than the one before it.
    #[error("time {time} s doesn't come after {before} s; put the rows in the order of their times")]
    Order {
        /// Time of this row, s.
        time: f64,
        /// Time of the row before, s.
        before: f64,
    },
    /// The table has a heading only.
    #[error("the table has no rows; write at least one, like `0.0,0.0,0.0`")]
    NoRows,
}

impl Gusts {
    /// No wind at all.
    pub fn calm() -> Gusts {
        Gusts { rows: Vec::new() }
    }

    /// Reads a table: a heading, then rows of time in s, wind from behind and wind from below in m/s. Empty lines
    /// are passed over.
    pub fn parse(text: &str) -> Result<Gusts, GustError> {
        let mut lines = (1..).zip(text.lines());
        match lines.next() {
            Some((_, heading)) if heading.trim() == HEADING => {}
            _ => return Err(GustError { line: 1, problem: GustProblem::Heading }),
        }

        let mut rows: Vec<(f64, Wind)> = Vec::new();
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let at_line = |problem| GustError { line, problem };
            let (time, wind) = row(text).map_err(at_line)?;
            match rows.last() {
                Some(&(before, _)) if time <= before => {
                    return Err(at_line(GustProblem::Order { time, before }));
                }
                _ => rows.push((time, wind)),
            }
        }
        if rows.is_empty() {
            return Err(GustError { line: text.lines().count(), problem: GustProblem::NoRows });
        }
        Ok(Gusts { rows })
    }

    /// The same gusts, each so many seconds earlier.
    #[must_use]
    pub fn earlier(&self, seconds: f64) -> Gusts {
        Gusts { rows: self.rows.iter().map(|&(time, wind)| (time - seconds, wind)).collect() }
    }

    /// The wind at a time in s.
    pub fn at(&self, time: f64) -> Wind {
        let after = self.rows.partition_point(|&(row_time, _)| row_time <= time);
        let (earlier, later) = self.rows.split_at(after);
        match (earlier.last(), later.first()) {
            (Some(&from), Some(&to)) => between(from, to, time),
            (Some(&(_, wind)), None) | (None, Some(&(_, wind))) => wind,
            (None, None) => Wind::CALM,
        }
    }
}

fn row(text: &str) -> Result<(f64, Wind), GustProblem> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let &[time, horizontal, vertical] = fields.as_slice() else {
        return Err(GustProblem::Fields { found: fields.len() });
    };
    Ok((number(time)?, Wind { horizontal: number(horizontal)?, vertical: number(vertical)? }))
}

fn number(text: &str) -> Result<f64, GustProblem> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(GustProblem::Number { text: text.to_owned() }),
    }
}

/// The wind on the straight line from one row to the next.
fn between((from_time, from): (f64, Wind), (to_time, to): (f64, Wind), time: f64) -> Wind {
    let part = (time - from_time) / (to_time - from_time);
    Wind {
        horizontal: from.horizontal + part * (to.horizontal - from.horizontal),
        vertical: from.vertical + part * (to.vertical - from.vertical),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(rows: &str) -> String {
        Gusts::parse(&format!("{HEADING}\n{rows}")).unwrap_err().to_string()
    }

    #[test]
    fn wind_is_linear_between_rows_and_constant_outside() {
        let gusts = Gusts::parse(&format!("{HEADING}\r\n1.0, 0.0, 2.0\r\n\r\n3.0,4.0,-2.0\r\n")).unwrap();
        let winds = [0.0, 1.0, 1.5, 2.0, 3.0, 9.0].map(|time| gusts.at(time));
        let expected = [(0.0, 2.0), (0.0, 2.0), (1.0, 1.0), (2.0, 0.0), (4.0, -2.0), (4.0, -2.0)];
        assert_eq!(winds, expected.map(|(horizontal, vertical)| Wind { horizontal, vertical }));
        assert_eq!(Gusts::calm().at(5.0), Wind::CALM);
    }

    #[test]
    fn gusts_may_come_earlier() {
        let gusts = Gusts::parse(&format!("{HEADING}\n1.0,0.0,2.0\n3.0,4.0,-2.0\n")).unwrap();
        let earlier = gusts.earlier(0.5);
        for time in [0.0, 0.5, 1.25, 2.5, 9.0] {
            assert_eq!(earlier.at(time), gusts.at(time + 0.5), "{time}");
        }
    }

    #[test]
    fn a_heading_is_required() {
        for text in ["", "\n", "0.0,0.0,0.0\n", "time,horizontal,vertical\n0.0,0.0,0.0\n"] {
            let refused = Gusts::parse(text).unwrap_err();
            assert_eq!(refused, GustError { line: 1, problem: GustProblem::Heading }, "{text:?}");
        }
    }

    #[test]
    fn refusals_name_line_reason_and_proposal() {
        assert_eq!(
            refusal("0.0,0.0,0.0\n1.0,2.0\n"),
            "line 3: 2 fields where a row has 3; write time, horizontal and vertical wind, separated by commas"
        );
        assert_eq!(
            refusal("0.0,0.0,0.0,0.0\n"),
            "line 2: 4 fields where a row has 3; write time, horizontal and vertical wind, separated by commas"
        );
        assert_eq!(refusal("\n0.0,fast,0.0\n"), "line 3: `fast` isn't a finite number; write it like `-1.5`");
        assert_eq!(refusal("0.0,,0.0\n"), "line 2: `` isn't a finite number; write it like `-1.5`");
        assert_eq!(refusal("0.0,NaN,0.0\n"), "line 2: `NaN` isn't a finite number; write it like `-1.5`");
        assert_eq!(refusal("inf,0.0,0.0\n"), "line 2: `inf` isn't a finite number; write it like `-1.5`");
        assert_eq!(
            refusal("0.5,0.0,0.0\n0.5,1.0,0.0\n"),
            "line 3: time 0.5 s doesn't come after 0.5 s; put the rows in the order of their times"
        );
        assert_eq!(
            refusal("2.0,0.0,0.0\n1.0,1.0,0.0\n"),
            "line 3: time 1 s doesn't come after 2 s; put the rows in the order of their times"
        );
        assert_eq!(refusal(""), "line 1: the table has no rows; write at least one, like `0.0,0.0,0.0`");
    }
}
