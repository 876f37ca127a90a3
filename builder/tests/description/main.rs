//! Right and wrong system descriptions, and what is said about them.
//!
//! Each file in `right` reads; each file in `wrong` gets the diagnostics recorded beside it (`BERYL_BLESS=1` records
//! them anew: read each).

use beryl_builder::description::Description;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

mod assertions;
mod damaged;
mod elsewhere;
mod meaning;
mod typed;
mod units;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/description").join(name)
}

fn descriptions(name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(name)).expect("the folder is there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.retain(|path| path.extension() == Some(OsStr::new("toml")));
    paths.sort();
    assert!(!paths.is_empty(), "{name} has no descriptions");
    paths
}

fn parse(path: &Path) -> Result<Description, String> {
    let text = fs::read_to_string(path).expect("it can be read");
    Description::parse("beryl.toml", &text).map_err(|diagnostics| rendered(&diagnostics))
}

fn rendered(diagnostic: &dyn Diagnostic) -> String {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(120);
    let mut text = String::new();
    handler.render_report(&mut text, diagnostic).expect("a text takes everything");
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn right_descriptions_are_read() {
    for path in descriptions("right") {
        if let Err(said) = parse(&path) {
            panic!("{}: {said}", path.display());
        }
    }
}

#[test]
fn descriptions_of_the_examples_are_read() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let folders = fs::read_dir(examples).expect("the folder is there");
    let paths = folders.map(|entry| entry.expect("it can be read").path().join("beryl.toml"));
    let paths: Vec<_> = paths.filter(|path| path.exists()).collect();
    assert!(!paths.is_empty());
    for path in paths {
        if let Err(said) = parse(&path) {
            panic!("{}: {said}", path.display());
        }
    }
}

#[test]
fn the_manuals_sample_is_read() {
    let manual = include_str!("../../src/description.rs").lines().filter_map(|line| line.strip_prefix("//!"));
    let sample =
        manual.skip_while(|line| line.trim() != "```toml").skip(1).take_while(|line| line.trim() != "```");
    // The thread's band isn't among what the sample shows of bands.
    let missing = "\n[[band]]\nname = \"background\"\npolicy = \"fixed\"\n";
    let text = sample.map(|line| format!("{line}\n")).collect::<String>() + missing;
    if let Err(diagnostics) = Description::parse("manual", &text) {
        panic!("{}", rendered(&diagnostics));
    }
}

#[test]
fn the_references_sample_is_read() {
    let reference = include_str!("../../../docs/reference/system-description.md");
    let samples = reference.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let whole = samples.into_iter().find(|sample| sample.contains("[board]"));
    let text = whole.expect("a sample of a whole system");
    let read = Description::parse("reference", text).unwrap_or_else(|wrong| panic!("{}", rendered(&wrong)));
    assert_eq!(read.threads.iter().map(|thread| thread.uses.len()).collect::<Vec<_>>(), [3, 2, 2]);
}

#[test]
fn wrong_descriptions_get_their_diagnostics() {
    let bless = std::env::var_os("BERYL_BLESS").is_some();
    for path in descriptions("wrong") {
        let said = parse(&path).expect_err(&path.display().to_string());
        let recorded = path.with_extension("txt");
        if bless {
            fs::write(&recorded, &said).expect("the folder can be written");
        }
        let expected = fs::read_to_string(&recorded).unwrap_or_default();
        assert_eq!(said, expected, "{}", path.display());
    }
}

#[test]
fn a_file_that_is_not_there() {
    let diagnostics = Description::load(Path::new("no/such/beryl.toml")).expect_err("it isn't there");
    let problems: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.problem()).collect();
    assert_eq!(
        problems.iter().map(|problem| problem.code).collect::<Vec<_>>(),
        ["beryl::description::unreadable"]
    );
    assert!(problems[0].message.starts_with("no/such/beryl.toml can't be read"), "{}", problems[0].message);
}
