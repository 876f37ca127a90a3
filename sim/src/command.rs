//! The command line of a generated simulation program.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use beryl_abi::{DriverId, Instant, Line, ThreadId};
use beryl_kernel::{Charges, Sizes};

use crate::console::Printed;
use crate::costs::Costs;
use crate::environment::{Access, Direction};
use crate::explore::{picks, serve};
use crate::fiber::is_in_application;
use crate::nodes::Trouble;
use crate::peer::{Nobody, Peer};
use crate::piped::{END, Piped};
use crate::place;
use crate::scenario::{Past, Scenario};
use crate::simulation::{Options, Outcome, Simulation, run_as_far_as_it_goes};
use crate::times::ExecutionTimes;
use crate::trace::Stop;

const HELP: &str = "\
Runs this system in the simulator, in virtual time.

Options:
  --ticks N                   the run ends at this instant (required)
  --times worst|best|random   execution times of jobs and drivers [worst]; a number from 0 to 1000 is so
                              many thousandths of the way from the best to the worst; `chosen:N`: as
                              picked, among the worst, the best and N between
  --costs none|worst|random   how long each step of the kernel takes, up to what the proof charges [none]
  --picks P.P.P               what is picked where there is a choice, from 0; behind its end always 0
  --chances LINE@N,...        at instant N the interrupt LINE may come: a choice, 0 for no
  --keep aN,lN,sN             what of the past is part of the state: all of thread N, the last of thread N, the
                              spread of driver N
  --faults F,F                what goes wrong: drop:LINE@N, delay:LINE@N+D, again:LINE@N+D, raise:LINE@N,
                              flip:ADDRESS.BIT@N, stop:THREAD@N
  --hostile P@S@K.K@L.L@N:X.N:X  process P does misdeeds of the kinds K, drawn with the seed S; its devices have the
                              interrupt lines L, and it may send the containers X, in hexadecimal, to the slots N
                              (without any the last part may be missing); kinds are spin, call, flood, clock, wait, keep, forge, storm,
                              swap, fault
  --misdeeds FILE             write how many misdeeds of each kind there were, and the faults, to FILE
  --memory FILE               write the system's memory at the end to FILE
  --explore merge|all         answers orders from standard input with runs that stop at states that are
                              known, compared or not
  --seed S                    seed of random execution times and random steps of the kernel [0]
  --plant-seed S              seed of the environment [0]
  --loss N                    of a thousand frames on the bus between nodes, so many are lost [0]
  --corrupt N                 of a thousand frames that aren't lost, so many arrive corrupt [0]
  --drift N                   clocks of nodes are up to N parts per million too fast or too slow [what the
                              description says]
  --stop WHAT                 the run ends at the first miss, violation, fault, overrun, stray or, with
                              trouble, at the first of all these
  --trace FILE                write the kernel's records to FILE
  --accesses FILE             write the values exchanged with the environment to FILE
  --calls FILE                write the names of the system calls that were made to FILE, one a line
  --console FILE              write the console's lines to FILE, each behind the tick at which it was begun and
                              the number of the thread that did, instead of to standard output
  --places FILE               write where faults happened to FILE, a line each: tick, thread, then `panic`, file, line and
                              words, or `instruction` and its distance from the program's beginning
  --peer nobody|pipe          who is at the other end of the console's line [nobody]; a pipe's is asked
                              on standard output and answers on standard input

Console text goes to standard output, unless there is a peer to hear it or a file for it; then the environment's report.

Exit codes: 0 the run went to its end; 1 so it did, and the environment found something wrong;
2 wrong arguments; 3 the simulation couldn't begin or go on; 4 a file couldn't be written; 5 a thread's code
doesn't end, and all that came before is in the files.

Example: --ticks 250000000 --times random --seed 3 --trace trace.bin
";

/// The options of a simulation program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) options: Options,
    pub(crate) plant_seed: u64,
    /// The seed of everything else.
    pub(crate) seed: u64,
    /// Of a thousand frames on the bus, how many are lost.
    loss: u32,
    /// Of a thousand frames that aren't, how many arrive corrupt.
    corrupt: u32,
    /// By how many parts per million clocks of nodes may be wrong, if not as described.
    drift: Option<u32>,
    trace: Option<PathBuf>,
    accesses: Option<PathBuf>,
    calls: Option<PathBuf>,
    pub(crate) console: Option<PathBuf>,
    misdeeds: Option<PathBuf>,
    memory: Option<PathBuf>,
    places: Option<PathBuf>,
    has_peer: bool,
    scenario: Scenario,
    /// Whether runs are requested one by one, and if so, whether their states are compared.
    explores: Option<bool>,
}

/// The body of a generated simulation program: reads the command line, makes the simulation (`make` gets the
/// environment's seed), runs it, and writes what was asked for. `charges` are those of the proof. Exit codes
/// are in `--help`.
///
/// The file of `--accesses` is a sequence of little-endian words for each value: channel (bit 31: an
/// actuator's), length in bytes, nanoseconds (low, high), then the value, padded to words.
pub fn main<'a, S: Sizes>(charges: Charges, make: impl Fn(u64) -> Simulation<'a, S>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help") {
        return finish(0, HELP);
    }
    let request = match Request::parse(&arguments, charges) {
        Ok(request) => request,
        Err(reason) => return complain(2, &format!("{reason}; see --help")),
    };
    if let Some(merges) = request.explores {
        let Request { options, scenario, plant_seed, .. } = &request;
        let (orders, answers) = (io::stdin().lock(), io::stdout().lock());
        return match serve(&make, *plant_seed, options, scenario, merges, orders, answers) {
            Ok(()) => ExitCode::SUCCESS,
            Err(reason) => complain(2, &reason),
        };
    }
    let peer: Box<dyn Peer> = match request.has_peer {
        true => Box::new(Piped::new(io::stdin().lock(), io::stdout().lock())),
        false => Box::new(Nobody),
    };
    place::keep_panics(is_in_application);
    let (outcome, endless) =
        match run_as_far_as_it_goes(make(request.plant_seed), peer, &request.options, &request.scenario) {
            Ok(outcome) => outcome,
            Err(error) => return complain(3, &error.to_string()),
        };
    if request.has_peer {
        // It is no failure of the run if the peer has gone away.
        let _ = io::stdout().lock().write_all(&END);
    }
    if let Err(reason) = request.write_files(&outcome) {
        return complain(4, &reason);
    }
    if let Some(error) = endless {
        return complain(5, &error.to_string());
    }
    // A peer has heard the console already.
    let is_told = request.has_peer || request.console.is_some();
    let console = if is_told { "" } else { &outcome.console };
    match &outcome.environment {
        Ok(report) => finish(0, &format!("{console}{report}")),
        Err(report) => finish(1, &format!("{console}{report}")),
    }
}

impl Request {
    pub(crate) fn parse(arguments: &[String], charges: Charges) -> Result<Request, String> {
        let (mut ticks, mut times, mut costs, mut seed, mut plant_seed) = (None, "worst", "none", 0, 0);
        let (mut trace, mut accesses, mut calls, mut console) = (None, None, None, None);
        let (mut misdeeds, mut memory, mut places) = (None, None, None);
        let (mut stop, mut peer, mut loss, mut corrupt) = (None, "nobody", 0, 0);
        let mut drift = None;
        let (mut scenario, mut explores) = (Scenario::default(), None);
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let value = rest.next().ok_or_else(|| format!("`{name}` needs a value"))?;
            match name.as_str() {
                "--ticks" => ticks = Some(number(name, value)?),
                "--times" => times = value,
                "--costs" => costs = value,
                "--seed" => seed = number(name, value)?,
                "--loss" => loss = of_a_thousand(name, value)?,
                "--corrupt" => corrupt = of_a_thousand(name, value)?,
                "--drift" => drift = Some(parts_per_million(name, value)?),
                "--plant-seed" => plant_seed = number(name, value)?,
                "--trace" => trace = Some(PathBuf::from(value)),
                "--stop" => stop = Some(stop_at(value)?),
                "--accesses" => accesses = Some(PathBuf::from(value)),
                "--calls" => calls = Some(PathBuf::from(value)),
                "--console" => console = Some(PathBuf::from(value)),
                "--misdeeds" => misdeeds = Some(PathBuf::from(value)),
                "--places" => places = Some(PathBuf::from(value)),
                "--memory" => memory = Some(PathBuf::from(value)),
                "--peer" => peer = value,
                "--picks" => scenario.picks = picks(value).ok_or_else(|| wrong(name, value, "0.1.0"))?,
                "--chances" => scenario.chances = list(name, value, "5@1000,5@2000", chance)?,
                "--keep" => scenario.keep = list(name, value, "a3,l4,s5", past)?,
                "--hostile" => {
                    let hostile = value.parse().map_err(|()| wrong(name, value, "1@7@spin.call@4"))?;
                    scenario.hostile = Some(hostile);
                }
                "--faults" => scenario.harms = list(name, value, "drop:4@1000", |text| text.parse().ok())?,
                "--explore" => {
                    explores = Some(match value.as_str() {
                        "merge" => true,
                        "all" => false,
                        _ => return Err(wrong(name, value, "merge")),
                    });
                }
                _ => return Err(format!("unknown option `{name}`")),
            }
        }
        let times = match times {
            "worst" => ExecutionTimes::Worst,
            "best" => ExecutionTimes::Best,
            "random" => ExecutionTimes::Random { seed },
            other => match other.strip_prefix("chosen:").map(str::parse) {
                Some(Ok(between)) => ExecutionTimes::Chosen { between },
                Some(Err(_)) => return Err(wrong("--times", other, "chosen:0")),
                None => ExecutionTimes::Between { thousandths: thousandths(other)? },
            },
        };
        let costs = match costs {
            "none" => Costs::None,
            "worst" => Costs::Worst(charges),
            "random" => Costs::Random { charges, seed },
            other => return Err(format!("`--costs {other}`: none, worst or random is possible")),
        };
        let has_peer = match peer {
            "nobody" => false,
            "pipe" => true,
            other => return Err(format!("`--peer {other}`: nobody or pipe is possible")),
        };
        let until = Instant::from_ticks(ticks.ok_or("`--ticks` is missing")?);
        Ok(Request {
            options: Options { times, costs, stop, borders: explores.is_none(), ..Options::until(until) },
            plant_seed,
            seed,
            loss,
            corrupt,
            drift,
            trace,
            accesses,
            calls,
            console,
            misdeeds,
            memory,
            places,
            has_peer,
            scenario,
            explores,
        })
    }

    /// What the bus between nodes does to its frames.
    pub(crate) fn trouble(&self) -> Trouble {
        Trouble { loss: self.loss, corrupt: self.corrupt, drift: self.drift, seed: self.seed }
    }

    /// The same with other files.
    pub(crate) fn with_files(&self, change: impl Fn(&Path) -> PathBuf) -> Request {
        let mut own = self.clone();
        let files = [
            &mut own.trace,
            &mut own.accesses,
            &mut own.calls,
            &mut own.console,
            &mut own.misdeeds,
            &mut own.memory,
            &mut own.places,
        ];
        files.into_iter().flatten().for_each(|path| *path = change(path));
        own
    }

    pub(crate) fn write_files(&self, outcome: &Outcome) -> Result<(), String> {
        let files = [
            (&self.trace, outcome.trace.clone()),
            (&self.accesses, encode(&outcome.accesses)),
            (&self.console, outcome.printed.iter().map(line).collect::<String>().into()),
            (&self.misdeeds, outcome.misdeeds.to_text().into()),
            (&self.memory, outcome.memory.clone()),
            (&self.places, outcome.places.iter().map(ToString::to_string).collect::<String>().into()),
            (&self.calls, outcome.calls.made().map(|call| format!("{call:?}\n")).collect::<String>().into()),
        ];
        for (path, bytes) in files {
            if let Some(path) = path {
                fs::write(path, bytes).map_err(|error| format!("can't write {}: {error}", path.display()))?;
            }
        }
        Ok(())
    }
}

/// A line of the console's file.
fn line(printed: &Printed) -> String {
    format!("{} {} {}\n", printed.at.ticks(), printed.thread.0, printed.text)
}

fn of_a_thousand(name: &str, value: &str) -> Result<u32, String> {
    let count = value.parse().ok().filter(|count| *count <= 1000);
    count.ok_or_else(|| format!("`{name} {value}`: 0 to 1000 is possible"))
}

fn parts_per_million(name: &str, value: &str) -> Result<u32, String> {
    let count = value.parse().ok().filter(|count| *count <= 10_000);
    count.ok_or_else(|| format!("`{name} {value}`: 0 to 10000 is possible"))
}

fn thousandths(value: &str) -> Result<u16, String> {
    let thousandths = value.parse().ok().filter(|thousandths| *thousandths <= 1000);
    thousandths.ok_or_else(|| format!("`--times {value}`: worst, best, random or 0 to 1000 is possible"))
}

fn stop_at(value: &str) -> Result<Stop, String> {
    let known = Stop::NAMES.iter().find(|(name, _)| *name == value).map(|(_, stop)| *stop);
    known.ok_or_else(|| {
        format!("`--stop {value}`: {} are possible", Stop::NAMES.map(|(name, _)| name).join(", "))
    })
}

/// A list separated by commas.
fn list<T>(name: &str, value: &str, example: &str, read: fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
    value.split(',').map(|item| read(item).ok_or_else(|| wrong(name, value, example))).collect()
}

fn chance(text: &str) -> Option<(Instant, Line)> {
    let (line, tick) = text.split_once('@')?;
    Some((Instant::from_ticks(tick.parse().ok()?), Line(line.parse().ok()?)))
}

fn past(text: &str) -> Option<Past> {
    let (what, number) = text.split_at_checked(1)?;
    Some(match what {
        "a" => Past::All(ThreadId(number.parse().ok()?)),
        "l" => Past::Last(ThreadId(number.parse().ok()?)),
        "s" => Past::Spread(DriverId(number.parse().ok()?)),
        _ => return None,
    })
}

fn wrong(name: &str, value: &str, example: &str) -> String {
    format!("`{name} {value}`: write it like `{name} {example}`")
}

fn number(name: &str, value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| format!("`{name} {value}`: not a whole number of at most 64 bits"))
}

fn encode(accesses: &[Access]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for Access { instant, direction, channel, value } in accesses {
        let actuator = if *direction == Direction::Write { 1 << 31 } else { 0 };
        let length = u32::try_from(value.len()).unwrap_or(u32::MAX);
        bytes.extend_from_slice(&(channel.number() | actuator).to_le_bytes());
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&instant.count().to_le_bytes());
        bytes.extend_from_slice(value);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}

/// Prints `text` and exits with `code`. It is no failure of the run if the reader has gone away.
pub(crate) fn finish(code: u8, text: &str) -> ExitCode {
    let mut output = io::stdout().lock();
    let newline = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let _ = write!(output, "{text}{newline}").and_then(|()| output.flush());
    ExitCode::from(code)
}

pub(crate) fn complain(code: u8, reason: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {reason}");
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::{Request, encode};
    use crate::{Access, Charges, Costs, Direction, ExecutionTimes, Nanoseconds, Stop};
    use beryl_abi::environment::Channel;

    fn parse(line: &str) -> Result<Request, String> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Request::parse(&arguments, Charges::NONE)
    }

    #[test]
    fn reads_a_whole_command_line() {
        let request =
            parse("--ticks 500 --times random --costs random --seed 3 --plant-seed 4 --stop miss --trace t --accesses a --calls c --peer pipe")
                .unwrap();
        assert_eq!(request.options.stop, Some(Stop::Miss));
        assert_eq!(request.options.until.ticks(), 500);
        assert_eq!(request.options.times, ExecutionTimes::Random { seed: 3 });
        assert_eq!(request.options.costs, Costs::Random { charges: Charges::NONE, seed: 3 });
        assert_eq!(request.plant_seed, 4);
        let files = [request.trace, request.accesses, request.calls];
        assert_eq!(files, ["t", "a", "c"].map(|file| Some(file.into())));
        assert!(request.has_peer && !parse("--ticks 1").unwrap().has_peer);
    }

    #[test]
    fn wrong_command_lines_are_refused_with_the_reason() {
        let cases = [
            ("", "`--ticks` is missing"),
            ("--ticks", "`--ticks` needs a value"),
            ("--ticks -1", "`--ticks -1`: not a whole number of at most 64 bits"),
            (
                "--ticks 99999999999999999999",
                "`--ticks 99999999999999999999`: not a whole number of at most 64 bits",
            ),
            ("--ticks 1 --peer me", "`--peer me`: nobody or pipe is possible"),
            (
                "--ticks 1 --stop never",
                "`--stop never`: miss, violation, fault, overrun, stray, trouble are possible",
            ),
            ("--ticks 1 --times 1001", "`--times 1001`: worst, best, random or 0 to 1000 is possible"),
            ("--ticks 1 --times usual", "`--times usual`: worst, best, random or 0 to 1000 is possible"),
            ("--ticks 1 --costs some", "`--costs some`: none, worst or random is possible"),
            ("--tocks 1", "unknown option `--tocks`"),
        ];
        for (line, reason) in cases {
            assert_eq!(parse(line), Err(reason.to_owned()), "{line}");
        }
    }

    #[test]
    fn accesses_are_words() {
        let access = Access {
            instant: Nanoseconds::new(0x1_0000_0002),
            direction: Direction::Write,
            channel: Channel::new(5),
            value: vec![7; 5],
        };
        let words: [u32; 6] = [0x8000_0005, 5, 2, 1, 0x0707_0707, 7];
        assert_eq!(encode(&[access]), words.map(u32::to_le_bytes).concat());
    }
}
