//! The program `beryl`: check, simulate, build and run systems whose timing is a program.
#![forbid(unsafe_code)]

mod assertions;
mod bounded;
mod broken;
mod chains;
mod command;
mod console;
mod crashed;
mod faulted;
mod files;
mod home;
mod lacked;
mod measured;
mod nodes;
mod objects;
mod placed;
mod printed;
mod proof;
mod refused;
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{Parser, Subcommand, ValueEnum};

use console::Console;

/// The versions of all that may meet a counterpart of another version.
fn versions() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{}\ncrates  {} (calls, kernel, handles: one image has one of them)\ntraces  form {}, and earlier ones\nlink    {}",
            env!("CARGO_PKG_VERSION"),
            beryl_carried::DIGEST,
            beryl_trace::Form::NUMBER,
            beryl_link::message::VERSION
        )
    });
    &TEXT
}

/// Check, simulate, build and run systems whose timing is a program.
#[derive(Parser)]
#[command(version, long_version = versions(), after_help = AFTER_HELP, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Whether to use colours.
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
    /// Print results and diagnostics as JSON, one object a line.
    #[arg(long, global = true)]
    json: bool,
    /// Do it again whenever a file in the folders that are named changes.
    #[arg(long, global = true)]
    watch: bool,
}

const AFTER_HELP: &str = "\
Example:
  beryl new lamp                       make a project
  beryl check examples/helicopter      prove that it fits
  beryl plan examples/engine           propose bands and priorities
  beryl sim examples/helicopter        run ten seconds of it in virtual time
  beryl explore examples/helicopter    look at all its runs, up to a tenth of a second
  beryl run examples/helicopter        the same on the emulated board, and compare
  beryl compare examples/helicopter    the same on all boards, under all schedulers, at several speeds
  beryl measure examples/helicopter    count what jobs take there, and propose what to declare
  beryl debug examples/helicopter      the emulated board under gdb
  beryl attack examples/runaway        let each process in turn be hostile to the others
  beryl swap examples/landing land.tdl give a running system another program

Exit codes:
  0  done, and all is well
  1  refused, failed, or different: the message says what and why. A run has failed with any deadline miss, overrun
     (a job beyond its declared `worst`), lost release, skipped driver or fault, as its last line counts them
  2  the command line is wrong
  3  a tool that is needed isn't installed";

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Subcommand)]
enum Command {
    /// Make a project: a folder with a system that checks, simulates, runs and tests with a command each.
    New(command::new::New),
    /// Prove that a system fits: response times, margins, system code, memory regions.
    Check(command::check::Check),
    /// Propose bands and priorities, and say why.
    Plan(command::plan::Plan),
    /// Run a system in the simulator, in virtual time, on the real kernel.
    Sim(command::sim::Sim),
    /// Explore all runs of a small system: every execution time and interrupt that may come.
    Explore(command::explore::Explore),
    /// Put faults into runs on purpose, one each, and say whom they trouble.
    Faults(command::faults::Faults),
    /// Let each process in turn be hostile, and see that nobody else notices.
    Attack(command::attack::Attack),
    /// Run a system on an emulated board and compare it with its simulation.
    Run(command::run::Run),
    /// Run a system on an emulated board under gdb, with its symbols and its threads.
    Debug(command::debug::Debug),
    /// Count the instructions of each job on the emulated board, and propose what to declare.
    Measure(command::measure::Measure),
    /// Run a system on all boards, under all schedulers and at several speeds, and compare what it writes.
    Compare(command::compare::Compare),
    /// Run a suite of systems on the simulator and on their boards, and compare all that they did.
    Conformance(command::conformance::Suite),
    /// Give a running system another timing program: in the simulator, on the emulated board, or by a serial line.
    Swap(command::swap::Swap),
    /// Make a key pair for the link to boards.
    Keygen(command::keygen::Keygen),
    /// Run the unit tests of a system's crates.
    Test(command::test::Test),
    /// Build the image that is flashed.
    Build(command::build::Build),
    /// Make a container of system code from its text, or a text from a container.
    Assemble(command::assemble::Assemble),
    /// Give timing programs their one layout.
    Fmt(command::fmt::Fmt),
    /// Show what happened in a recorded run: statistics and a timeline.
    Trace(command::trace::Trace),
    /// Say what this machine has of what Beryl needs, and how to get what is missing.
    Doctor(command::doctor::Doctor),
    /// Print what a shell needs to complete the command line.
    Completions(command::completions::Completions),
    /// Print the manual page of the program, or of a command.
    Man(command::completions::Man),
}

/// The folder of a system, for every command that takes one.
#[derive(clap::Args, Clone)]
struct SystemFolder {
    /// The folder with the system's beryl.toml.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let console = Console::new(arguments.color, arguments.json);
    beryl_builder::toolchain::carry(home::crates);
    if arguments.watch {
        return watch::run(&console).unwrap_or_else(|failure| console.fail(&failure));
    }
    let outcome = match arguments.command {
        Command::New(new) => new.run(&console),
        Command::Test(test) => test.run(&console),
        Command::Doctor(doctor) => doctor.run(&console),
        Command::Completions(completions) => completions.run(&console),
        Command::Man(man) => man.run(&console),
        Command::Check(check) => check.run(&console),
        Command::Plan(plan) => plan.run(&console),
        Command::Sim(sim) => sim.run(&console),
        Command::Explore(explore) => explore.run(&console),
        Command::Faults(faults) => faults.run(&console),
        Command::Attack(attack) => attack.run(&console),
        Command::Run(run) => run.run(&console),
        Command::Debug(debug) => debug.run(&console),
        Command::Measure(measure) => measure.run(&console),
        Command::Compare(compare) => compare.run(&console),
        Command::Conformance(suite) => suite.run(&console),
        Command::Swap(swap) => swap.run(&console),
        Command::Keygen(keygen) => keygen.run(&console),
        Command::Build(build) => build.run(&console),
        Command::Assemble(assemble) => assemble.run(&console),
        Command::Fmt(fmt) => fmt.run(&console),
        Command::Trace(trace) => trace.run(&console),
    };
    let code = outcome.unwrap_or_else(|failure| console.fail(&failure));
    console.end(code)
}
