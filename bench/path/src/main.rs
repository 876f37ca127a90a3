//! `beryl-path`: prints the longest step of a kernel image and the path that takes it.

#![forbid(unsafe_code)]

use std::path::PathBuf;

use anyhow::Context;
use beryl_path::{Begins, Entry, Facts, Request, longest_step};
use clap::Parser;

/// Bounds the longest step of a kernel, in executed instructions, from its linked image.
///
/// Sample:  beryl-path kernel.elf --entry SVCall --entry SysTick --bound LEVELS=4 --bound THREADS=8
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    /// The linked image, with symbols and line table
    image: PathBuf,
    /// An exception handler's symbol (repeat for several)
    #[arg(long = "entry", required = true, value_name = "SYMBOL")]
    entries: Vec<String>,
    /// The value of a name in `// bound: NAME`
    #[arg(long = "bound", value_name = "NAME=NUMBER", value_parser = number)]
    bounds: Vec<(String, u64)>,
    /// How often each loop jumps back in a function without annotated source
    #[arg(long = "symbol-bound", value_name = "FUNCTION=NUMBER", value_parser = number)]
    symbol_bounds: Vec<(String, u64)>,
    /// The possible targets of the calls through registers in a function
    #[arg(long = "indirect", value_name = "FUNCTION=TARGET,..", value_parser = targets)]
    indirect: Vec<(String, Vec<String>)>,
    /// A function that doesn't run in what is measured: paths into it don't count (repeat for several)
    #[arg(long, value_name = "FUNCTION")]
    exclude: Vec<String>,
    /// A function that looks at what is pending: each call of it is a step boundary (repeat for several)
    #[arg(long = "boundary", value_name = "FUNCTION")]
    boundaries: Vec<String>,
    /// The folder whose sources carry the annotations
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    source_root: PathBuf,
    /// The number of the call that the entries are gone through with
    #[arg(long, value_name = "NUMBER")]
    call: Option<u32>,
    /// The number of the active exception
    #[arg(long, value_name = "NUMBER")]
    exception: Option<u32>,
    /// Only what begins at an entry counts, not what begins at a step boundary
    #[arg(long)]
    only_from_entries: bool,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let path = arguments.image.display();
    let elf = std::fs::read(&arguments.image).with_context(|| format!("can't read {path}"))?;
    let begins = if arguments.only_from_entries { Begins::AtEntry } else { Begins::Anywhere };
    let facts = Facts { call: arguments.call, exception: arguments.exception, ..Facts::default() };
    let entry = |symbol: &String| Entry { begins, facts, ..Entry::from(symbol.as_str()) };
    let entries = arguments.entries.iter().map(entry).collect();
    let request = Request {
        entries,
        bounds: arguments.bounds.into_iter().collect(),
        symbol_bounds: arguments.symbol_bounds.into_iter().collect(),
        indirect: arguments.indirect.into_iter().collect(),
        excluded: arguments.exclude,
        boundaries: arguments.boundaries,
        source_roots: vec![arguments.source_root],
    };
    let report = longest_step(&elf, &request).with_context(|| format!("{path}: no bound"))?;
    if arguments.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!("{report}");
    }
    Ok(())
}

/// Splits at the last `=`, because names of functions may contain one.
fn pair(text: &str) -> Result<(String, &str), String> {
    let (name, value) = text.rsplit_once('=').ok_or("`=` is missing")?;
    Ok((name.to_owned(), value))
}

fn number(text: &str) -> Result<(String, u64), String> {
    let (name, value) = pair(text)?;
    let value = value.parse().map_err(|error| format!("`{value}`: {error}"))?;
    Ok((name, value))
}

fn targets(text: &str) -> Result<(String, Vec<String>), String> {
    let (name, value) = pair(text)?;
    Ok((name, value.split(',').map(|target| target.trim().to_owned()).collect()))
}
