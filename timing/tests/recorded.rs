//! Every program in `right/` gives its recorded listing, and every one in `wrong/` its recorded diagnostics.
//!
//! `BERYL_BLESS=1 cargo test -p beryl-timing --test recorded` records what comes out now: read it before you keep it.
//! A program of several files separates them by lines `// file: name.tdl`.

use beryl_timing::{Diagnostics, Source, code, compile};
use miette::{GraphicalReportHandler, GraphicalTheme};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[test]
fn right_programs_give_their_listings() {
    check("right", |sources| match compile(sources) {
        Ok(model) => model.to_string(),
        Err(diagnostics) => panic!("a right program is refused:\n{}", render(&diagnostics)),
    });
}

#[test]
fn wrong_programs_give_their_diagnostics() {
    check("wrong", |sources| match compile(sources) {
        Ok(model) => panic!("a wrong program of {:?} compiles:\n{model}", sources[0].name),
        Err(diagnostics) => render(&diagnostics),
    });
}

#[test]
fn each_code_has_a_wrong_program() {
    let mut seen = BTreeSet::new();
    for path in programs("wrong") {
        let diagnostics = compile(&sources(&path)).expect_err("a wrong program");
        seen.extend(diagnostics.iter().map(|diagnostic| diagnostic.problem().code));
    }
    let missing: Vec<_> = code::ALL.iter().filter(|code| !seen.contains(*code)).collect();
    assert!(missing.is_empty(), "no program in tests/wrong gives {missing:?}");
}

fn check(folder: &str, run: impl Fn(&[Source]) -> String) {
    let bless = env::var_os("BERYL_BLESS").is_some();
    let mut differences = String::new();
    for program in programs(folder) {
        let found = run(&sources(&program));
        let record = program.with_extension("txt");
        if bless {
            fs::write(&record, &found).expect("the record can be written");
        }
        let expected = fs::read_to_string(&record).unwrap_or_default();
        if found != expected {
            differences += &format!("{}\n{}", record.display(), difference(&expected, &found));
        }
    }
    assert!(differences.is_empty(), "recorded (-) and found (+) differ:\n{differences}");
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let files = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut programs: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "tdl")).collect();
    programs.sort();
    assert!(!programs.is_empty(), "no programs");
    programs
}

fn sources(path: &Path) -> Vec<Source> {
    let text = fs::read_to_string(path).expect("a readable program");
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    let mut parts = text.split("// file: ");
    let first = Source { name, text: parts.next().unwrap_or_default().to_owned() };
    let rest: Vec<Source> = parts
        .map(|part| part.split_once('\n').expect("a text behind the name"))
        .map(|(name, text)| Source { name: name.to_owned(), text: text.to_owned() })
        .collect();
    if rest.is_empty() { vec![first] } else { rest }
}

fn render(diagnostics: &Diagnostics) -> String {
    let theme = GraphicalTheme::none();
    let handler = GraphicalReportHandler::new_themed(theme).with_width(110).with_links(false);
    let mut out = String::new();
    handler.render_report(&mut out, diagnostics).expect("a rendering");
    let lines: Vec<&str> = out.lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

/// Lines that only one of the two has, by position.
fn difference(expected: &str, found: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (expected.lines().collect(), found.lines().collect());
    let mut out = String::new();
    for line in 0..old.len().max(new.len()) {
        match (old.get(line), new.get(line)) {
            (old, new) if old == new => {}
            (old, new) => {
                out += &old.map_or(String::new(), |old| format!("  -{old}\n"));
                out += &new.map_or(String::new(), |new| format!("  +{new}\n"));
            }
        }
    }
    out
}
