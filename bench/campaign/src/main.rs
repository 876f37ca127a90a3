//! `./x bench campaign`: random systems against their proofs, run by the kernel, with each of its steps as
//! long as its charge.
#![deny(unsafe_code)]

mod aperiodic;
mod batches;
mod board;
mod bodies;
mod chained;
mod constant;
mod controls;
mod exact;
mod further;
mod held;
mod loading;
mod modules;
mod more;
mod nested;
mod page;
mod rooms;
#[expect(unsafe_code, reason = "whoever makes a handle of a lock knows that the words are its thread's own")]
mod section;
mod seeds;
mod shared;
mod summary;
mod supplied;
mod tables;
mod terms;
#[cfg(test)]
mod tests;
mod trial;
mod windowed;
mod world;
mod written;

use std::process::ExitCode;

use anyhow::Result;
use beryl_builder::board::{Board, MEASURED};
use clap::{Parser, Subcommand};

use batches::Progress;
use summary::Summary;
use written::{Kind, MORE, draw};

/// Draws random systems, proves each, and lets the kernel run those that are accepted, in virtual time: no
/// job may be late, and none may take longer than what is printed of it. Each step of the kernel takes what
/// the proof charges for it, or anything up to that.
#[derive(Parser)]
#[command(
    name = "campaign",
    after_help = "\
Examples:
  ./x bench campaign --systems 1000000 --seed 1       the whole, in batches
  ./x bench campaign --systems 100000 --seed 1000000000   from this seed on, systems have more: S code, events, messages
  ./x bench campaign --systems 100000 --seed 2000000000   and from this one on waits with limits, and conditions
  ./x bench campaign --systems 1000000 --resume       goes on where it was interrupted
  ./x bench campaign --systems 100000 --seed 3000000000   and from this one on threads with budgets instead
  ./x bench campaign --systems 100000 --seed 4000000000   and from this one on those come back by all rules
  ./x bench campaign --systems 100000 --seed 5000000000   and from this one on several threads share one
  ./x bench campaign --systems 100000 --seed 6000000000   and from this one on bands have windows instead
  ./x bench campaign --systems 100000 --seed 7000000000   and from this one on both windows and budgets
  ./x bench campaign --systems 100000 --seed 8000000000   and from this one on budgets of constant bandwidth instead
  ./x bench campaign --systems 100000 --seed 9000000000   and from this one on tasks that events release one after the other
  ./x bench campaign one 439                          the texts of one system, and what its runs show
  ./x bench campaign controls                         each term of the proof lowered on purpose: a broken promise is found
  ./x bench campaign board --systems 100 --seed 1     on the emulated board: no step is longer than it is charged
  ./x bench campaign board --on virt --systems 100    the same on a board with another processor
  ./x bench campaign sections --systems 40 --seed 1000000000   how long the kernel keeps others out, by the kind of object
  ./x bench campaign aperiodic                        soft work under budgets, dual priorities and by slack stealing
  ./x bench campaign sets --systems 10000             random sets of hard tasks beside soft work that is served so"
)]
struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// How many systems.
    #[arg(long, default_value_t = 1000, global = true)]
    systems: u64,
    /// The seed of the first; those of the others follow it.
    #[arg(long = "seed", default_value_t = 1, global = true)]
    first: u64,
    /// Go on behind the last batch that was done.
    #[arg(long, global = true)]
    resume: bool,
    /// Write what it came to, with exact tests and controls, to docs/measurements/campaign.md; or what is measured.
    #[arg(long, global = true)]
    record: bool,
}

#[derive(Subcommand)]
enum What {
    /// Prints the texts of the system of a seed, and what its runs show.
    One {
        /// The seed.
        seed: u64,
    },
    /// What exact tests refuse misses, and what they accept doesn't, with a kernel that takes no time.
    Exact {
        /// How many lists of threads.
        #[arg(default_value_t = EXACT)]
        count: u64,
    },
    /// Lowers each term of the proof on purpose, and looks for a promise that is broken then.
    Controls {
        /// How many systems are looked at for each at most.
        #[arg(default_value_t = CONTROLS)]
        most: u64,
    },
    /// Builds the systems, runs them on the emulated board, and holds each step of the kernel against what it
    /// is charged.
    Board {
        /// Another board than the one that they are drawn for.
        #[arg(long, value_parser = another)]
        on: Option<&'static Board>,
    },
    /// How long the kernel keeps everybody else out, by the kind of object, on the emulated board: one system
    /// that shares everything, and those drawn.
    Sections,
    /// How soon soft work beside hard tasks is done under budgets, and under dual priorities and by slack stealing, by a
    /// thread that changes priorities of others, beside the background: without costs, as charged, and with what is reckoned.
    Aperiodic {
        /// Every so many of the grid's applications.
        #[arg(long, default_value_t = 1)]
        every: usize,
    },
    /// Random sets of hard tasks with up to 95 % of the processor, as many as `--systems` says, beside soft work that is
    /// served in each of these ways on the kernel: whether a hard job is late.
    Sets,
    /// A part of a campaign, as JSON.
    #[command(hide = true)]
    Batch {
        /// The first seed.
        from: u64,
        /// How many.
        count: u64,
    },
}

/// Lists of threads for exact tests.
const EXACT: u64 = 2000;
/// Systems for controls.
const CONTROLS: u64 = 4000;

fn main() -> ExitCode {
    match campaign(&Arguments::parse()) {
        Ok(code) => code,
        Err(reason) => {
            eprintln!("error: {reason:#}");
            ExitCode::FAILURE
        }
    }
}

fn campaign(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.what {
        None => whole(arguments),
        Some(What::One { seed }) => {
            let written = draw(*seed, Kind::Any);
            println!("{}\n{}", written.description, written.timing);
            match trial::project(&written).map(|project| trial::promised(&project)) {
                Err(reason) => println!("unfit: {reason}"),
                Ok(Err(reason)) => println!("refused: {reason}"),
                Ok(Ok(promises)) => println!("{} promises", promises.len()),
            }
            let mut summary = Summary::default();
            held::one(*seed, &mut summary)?;
            Ok(tell(&summary))
        }
        Some(What::Exact { count }) => {
            let verdicts = exact::exact(arguments.first, *count)?;
            println!(
                "{} lists without a miss, as their tests say; {} with one, as theirs do",
                verdicts.accepted, verdicts.refused
            );
            Ok(ExitCode::SUCCESS)
        }
        Some(What::Controls { most }) => {
            let found = controls::controls(arguments.first, *most)?;
            print!("{}", page::controls(&found));
            Ok(if found.values().all(Option::is_some) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Some(What::Board { on }) => on_board(arguments, *on),
        Some(What::Sections) => {
            let sections = board::sections::sections(arguments.first, arguments.systems)?;
            println!("{}\n\n{}", sections.words(), sections.table());
            if arguments.record {
                page::write_sections(&sections)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Some(What::Sets) => {
            let tried = aperiodic::sets::sets(arguments.first, arguments.systems)?;
            println!(
                "{} sets, {} of them with 80 % of the processor or more; at {} points no set held\n{} runs, no hard job late; in \
                 {} of them slack is stolen as the kernel is charged, in {} dual priorities have gain time\n{} hard jobs in all",
                tried.sets, tried.heavy, tried.unfit, tried.runs, tried.charged, tried.gained, tried.jobs
            );
            Ok(ExitCode::SUCCESS)
        }
        Some(What::Aperiodic { every }) => {
            print!("{}", aperiodic::record::summary(*every, arguments.record)?);
            Ok(ExitCode::SUCCESS)
        }
        Some(What::Batch { from, count }) => {
            println!("{}", serde_json::to_string(&held::held(*from, *count)?)?);
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn whole(arguments: &Arguments) -> Result<ExitCode> {
    let mut progress = Progress::of(arguments.first, arguments.resume)?;
    progress.go_on(arguments.systems)?;
    if arguments.record {
        page::write_classes(&progress)?;
        if arguments.first < MORE {
            let verdicts = exact::exact(arguments.first, EXACT)?;
            page::write_controls(verdicts, &controls::controls(arguments.first, CONTROLS)?)?;
        }
    }
    Ok(tell(&progress.summary))
}

/// The board of a name, on which drawn systems can be built.
fn another(name: &str) -> Result<&'static Board, String> {
    Board::named(name).filter(|board| board.name == board::ELSEWHERE).ok_or_else(|| {
        format!("drawn systems run on {MEASURED}, if nothing is said, or on `{}`", board::ELSEWHERE)
    })
}

fn on_board(arguments: &Arguments, on: Option<&'static Board>) -> Result<ExitCode> {
    let tally = board::board(arguments.first, arguments.systems, on, arguments.resume)?;
    println!("{}\n\n{}\n{}", tally.words(), tally.table(), tally.bounds_table());
    tally.broken.iter().for_each(|broken| println!("broken: seed {}: {}", broken.seed, broken.said));
    if arguments.record {
        page::write_board(&tally, on)?;
    }
    Ok(if tally.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the results of systems.
fn tell(summary: &Summary) -> ExitCode {
    print!("{}", summary.table());
    println!(
        "{} systems: {} accepted, {} refused, {} unfit; {} runs, {} jobs",
        summary.systems, summary.accepted, summary.refused, summary.unfit, summary.runs, summary.jobs
    );
    for broken in &summary.broken {
        println!("broken: seed {}, run {}: {}", broken.seed, broken.run, broken.said);
    }
    if summary.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
