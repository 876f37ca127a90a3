//! The simulation program that makes the runs the search asks for and reports the choices it met.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};

/// A choice of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The number of options.
    pub options: u8,
    /// Which one, from 0.
    pub pick: u8,
    /// The fingerprint of the state after it.
    pub print: u64,
}

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    /// How many states are known now.
    pub states: u64,
    /// The choices that were made.
    pub made: Vec<Choice>,
    /// The records.
    pub trace: Vec<u8>,
}

/// The program, waiting for orders.
pub struct Session {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Session {
    /// Starts the program.
    pub fn start(command: &mut Command) -> Result<Session> {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().context("can't start the simulation")?;
        let orders = child.stdin.take();
        let answers = child.stdout.take().context("the simulation has no output")?;
        Ok(Session { child, orders, answers: BufReader::new(answers) })
    }

    /// Runs it with these picks until `ticks`, or to the first trouble.
    pub fn run(&mut self, ticks: u64, picks: &[u8]) -> Result<Ran> {
        let picks: Vec<_> = picks.iter().map(u8::to_string).collect();
        let picks = if picks.is_empty() { "-".to_owned() } else { picks.join(".") };
        let orders = self.orders.as_mut().context("the simulation listens no more")?;
        writeln!(orders, "{ticks} trouble {picks}").context("the simulation has gone away")?;
        let mut line = String::new();
        self.answers.read_line(&mut line).context("the simulation has gone away")?;
        let line = line.trim_end();
        if let Some(reason) = line.strip_prefix("failed ") {
            bail!("the simulation stopped: {reason}");
        }
        let (states, bytes, made) = read(line)
            .ok_or_else(|| anyhow!("the simulation ended, or said what can't be read: `{line}`"))?;
        let mut trace = vec![0; bytes];
        self.answers.read_exact(&mut trace).context("the simulation has gone away")?;
        Ok(Ran { states, made, trace })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Without orders it ends by itself.
        self.orders = None;
        let _ = self.child.wait();
    }
}

/// Reads `ran CUT STATES BYTES MADE`.
fn read(line: &str) -> Option<(u64, usize, Vec<Choice>)> {
    let mut words = line.strip_prefix("ran ")?.split(' ').skip(1);
    let (states, bytes, made) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?);
    let made = match made {
        "-" => Some(Vec::new()),
        made => made.split(',').map(choice).collect(),
    };
    Some((states, bytes, made?))
}

fn choice(text: &str) -> Option<Choice> {
    let mut parts = text.split('.');
    Some(Choice {
        options: parts.next()?.parse().ok()?,
        pick: parts.next()?.parse().ok()?,
        print: u64::from_str_radix(parts.next()?, 16).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let made =
            vec![Choice { options: 2, pick: 1, print: 0xAB }, Choice { options: 3, pick: 0, print: 7 }];
        assert_eq!(read("ran 1 12 480 2.1.ab,3.0.7"), Some((12, 480, made)));
        assert_eq!(read("ran 0 0 0 -"), Some((0, 0, vec![])));
        for wrong in ["", "ran", "ran 1 2 3", "ran 1 2 x -", "ran 1 2 3 2.1", "sat 1 2 3 -"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
