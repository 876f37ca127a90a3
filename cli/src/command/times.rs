//! Times on the command line: the length of a run, and the part of it to show.

use beryl_builder::quantity::Nanoseconds;

/// How long a run is.
#[derive(clap::Args, Clone, Copy)]
pub struct Span {
    /// How long the run is, in virtual time.
    #[arg(long = "for", value_name = "TIME", default_value = "10s", value_parser = span)]
    pub length: Nanoseconds,
}

/// Which part of a run the timeline shows.
#[derive(clap::Args, Clone, Copy)]
pub struct Window {
    /// Where the timeline begins [two typical periods before the first trouble, or the start].
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub from: Option<Nanoseconds>,
    /// Where the timeline ends [two typical periods later, or behind the first trouble].
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub to: Option<Nanoseconds>,
}

/// Parses a time with its unit.
pub fn time(text: &str) -> Result<Nanoseconds, String> {
    Nanoseconds::read(text).map_err(|reason| format!("{reason}; write {}", Nanoseconds::NOTATION))
}

/// Parses the length of a run. An hour of records is more than a board's memory and a reader can take.
pub fn span(text: &str) -> Result<Nanoseconds, String> {
    const SHORTEST: Nanoseconds = Nanoseconds::new(1_000);
    const LONGEST: Nanoseconds = Nanoseconds::new(3_600_000_000_000);
    let length = time(text)?;
    match (SHORTEST..=LONGEST).contains(&length) {
        true => Ok(length),
        false => Err("a run has at least 1us and at most 3600s".to_owned()),
    }
}
