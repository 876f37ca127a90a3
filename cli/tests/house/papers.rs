//! The page about the papers: each paper has a row, each row of what is built names what shows it, and each test that it
//! names is there.

use std::collections::BTreeSet;
use std::fs;

use super::{root, sources};

const BUILT: &str = "built";
const IN_PART: &str = "in part";
const NOT_BUILT: &str = "not built";

/// The papers, in the order of the page: how a row about it begins where it has to be told from others, and its title.
const PAPERS: [(&str, &str); 25] = [
    ("EMERALDS", "EMERALDS: A Small-Memory Real-Time Microkernel"),
    ("The programmable microkernel", "A Programmable Microkernel for Real-Time Systems"),
    ("OSPERT 2007, 1", "Fitting Linux Device Drivers into an Analyzable Scheduling Framework"),
    ("OSPERT 2007, 2", "Experimental Results of Aperiodic Fixed-Priority Preemptive Policies in RT-Linux"),
    ("OSPERT 2007, 3", "Feather-Trace: A Light-Weight Event Tracing Toolkit"),
    ("OSPERT 2007, 4", "A Deterministic Infrastructure for Real-Time Distributed Systems"),
    (
        "OSPERT 2007, 5",
        "An OSEK/VDX Implementation of Synchronous Reactive Semantics Preserving Communication Protocols",
    ),
    (
        "OSPERT 2007, 6",
        "Coordinated Allocation and Scheduling of Multiple Resources in Real-Time Operating Systems",
    ),
    ("OSPERT 2007, 7", "Accurate Run-Time Prediction of Performance Degradation under Frequency Scaling"),
    ("OSPERT 2007, 8", "Run-Time Mechanisms for Property Preservation in (High-Integrity) Real-Time Systems"),
    ("OSPERT 2007, 9", "Lazy Scheduling and Direct Process Switch: Merit or Myths?"),
    ("EURASIP 2008, 1", "A Real-Time Programmer's Tour of General-Purpose L4 Microkernels"),
    ("EURASIP 2008, 2", "Hard Real-Time Performances in Multiprocessor-Embedded Systems Using ASMP-Linux"),
    (
        "EURASIP 2008, 3",
        "Design and Performance Evaluation of an Adaptive Resource Management Framework for Distributed Real-Time and Embedded Systems",
    ),
    ("EURASIP 2008, 4", "Reconfiguration Management in the Context of RTOS-Based HW/SW Embedded Systems"),
    (
        "EURASIP 2008, 5",
        "Assessing Task Migration Impact on Embedded Soft Real-Time Streaming Multimedia Applications",
    ),
    ("EURASIP 2008, 6", "A Real-Time Embedded Kernel for Nonvisual Robotic Sensors"),
    (
        "OSPERT 2014, 1",
        "ARM-Based SoC with Loosely Coupled Type Hardware RTOS for Industrial Network Systems",
    ),
    ("OSPERT 2014, 2", "Distributed Real-Time Fault Tolerance on a Virtualized Multi-Core System"),
    ("OSPERT 2014, 3", "Fast User Space Priority Switching"),
    (
        "OSPERT 2014, 4",
        "Implications of Multi-Core Processors on Safety-Critical Operating System Architectures",
    ),
    (
        "OSPERT 2014, 5",
        "Towards Hard Real-Time Control and Infotainment Applications in Automotive Platforms",
    ),
    ("OSPERT 2014, 6", "Mixed-Criticality on Multicore (MC²): A Status Report"),
    ("OSPERT 2014, 7", "A Platform for LEGO Mindstorms EV3 Based on an RTOS with MMU Support"),
    ("OSPERT 2014, 8", "Usable RTOS-APIs?"),
];

/// What the page's first table says of a paper.
struct Listed {
    title: String,
    state: String,
    /// The heading to which it leads.
    section: String,
}

fn page() -> String {
    fs::read_to_string(root().join("docs/papers.md")).expect("the page")
}

/// The cells of a row of a table.
fn cells(row: &str) -> Vec<String> {
    let row = row.replace("\\|", "/");
    row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// The rows of the tables in a text, without their heads.
fn rows(text: &str) -> Vec<Vec<String>> {
    let lines: Vec<_> = text.lines().collect();
    let behind = |place: usize| lines.get(place + 1).is_some_and(|next| next.starts_with("|---"));
    let is_row = |place: usize, line: &str| line.starts_with("| ") && !behind(place);
    lines
        .iter()
        .enumerate()
        .filter(|(place, line)| is_row(*place, line))
        .map(|(_, line)| cells(line))
        .collect()
}

/// What the first table lists.
fn listed(page: &str) -> Vec<Listed> {
    let first = page.split("\n## ").next().unwrap_or_default();
    let of = |row: Vec<String>| {
        let [_, _, title, _, here] =
            <[String; 5]>::try_from(row).unwrap_or_else(|row| panic!("{row:?} isn't about a paper"));
        let (state, rest) = here.split_once("](#").unwrap_or_else(|| panic!("{here} leads nowhere"));
        Listed {
            title: title.trim_matches('*').to_owned(),
            state: state.trim_start_matches('[').to_owned(),
            section: rest.trim_end_matches(')').to_owned(),
        }
    };
    rows(first).into_iter().map(of).collect()
}

/// The sections of the page: the place that a link names, and the text.
fn sections(page: &str) -> Vec<(String, &str)> {
    let place = |title: &str| title.to_lowercase().replace(' ', "-");
    let parts = page.split("\n## ").skip(1);
    parts.filter_map(|part| part.split_once('\n')).map(|(title, text)| (place(title), text)).collect()
}

/// The names in a text that are as long as those of tests.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split('`').skip(1).step_by(2);
    let is_name = |word: &&str| {
        word.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_') && word.matches('_').count() >= 3
    };
    words.filter(is_name)
}

/// The tests of the workspace.
fn tests() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in fs::read_dir(root()).expect("the workspace").map(|entry| entry.expect("readable").path()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !folder.is_dir() || name == "target" || name.starts_with('.') {
            continue;
        }
        for file in sources(&folder) {
            found.extend(tests_of(&fs::read_to_string(&file).expect("a source")));
        }
    }
    found
}

/// The tests of a source: the functions behind the attribute, whatever other attributes stand between.
fn tests_of(source: &str) -> Vec<String> {
    let function = |behind: &str| {
        let line = behind
            .lines()
            .map(str::trim)
            .find(|line| line.starts_with("fn ") || line.starts_with("pub fn "))?;
        let (name, _) = line.trim_start_matches("pub ").trim_start_matches("fn ").split_once('(')?;
        Some(name.to_owned())
    };
    source.split("#[test]\n").skip(1).filter_map(function).collect()
}

/// Whether a cell names what shows something: a test, or a page of measurements.
fn shows(cell: &str) -> bool {
    names(cell).next().is_some() || cell.contains("](measurements/")
}

#[test]
fn every_paper_has_its_row() {
    let titles: Vec<_> = listed(&page()).into_iter().map(|listed| listed.title).collect();
    assert_eq!(titles, PAPERS.map(|(_, title)| title));
}

#[test]
fn each_row_leads_to_the_section_that_its_state_asks_for() {
    let page = page();
    let sections: Vec<_> = sections(&page).into_iter().map(|(place, _)| place).collect();
    let mut led_to = BTreeSet::new();
    for Listed { title, state, section } in listed(&page) {
        assert!([BUILT, IN_PART, NOT_BUILT].contains(&state.as_str()), "{title}: `{state}` is no state");
        assert_eq!(state == NOT_BUILT, section == "not-built", "{title} is {state}");
        assert!(sections.contains(&section), "{title}: there is no section {section}");
        assert!(section == "not-built" || led_to.insert(section.clone()), "{section} is about two papers");
    }
    let others: Vec<_> =
        sections.iter().filter(|place| !led_to.contains(*place) && *place != "not-built").collect();
    assert_eq!(others, ["from-elsewhere"]);
}

#[test]
fn what_is_not_built_has_its_row_there() {
    let page = page();
    let states = listed(&page).into_iter().map(|listed| listed.state);
    let expected: Vec<_> = PAPERS
        .iter()
        .zip(states)
        .filter(|(_, state)| state == NOT_BUILT)
        .map(|((name, _), _)| *name)
        .collect();
    let sections = sections(&page);
    let (_, text) = sections.iter().find(|(place, _)| place == "not-built").expect("the section");
    let rows = rows(text);
    let found: Vec<_> = rows.iter().map(|row| row[0].split(':').next().unwrap_or_default()).collect();
    assert_eq!(found, expected);
}

/// Whoever claims something names what shows it; whoever doesn't says that it isn't there.
#[test]
fn what_is_built_is_shown_and_what_is_not_says_so() {
    let page = page();
    let about_papers: BTreeSet<_> = listed(&page).into_iter().map(|listed| listed.section).collect();
    for (place, text) in sections(&page) {
        if place == "not-built" || !about_papers.contains(&place) {
            continue;
        }
        let rows = rows(text);
        assert!(!rows.is_empty(), "{place} has no rows");
        for row in rows {
            let [_, here, shown, _] = row.as_slice() else { panic!("{place}: {row:?} has other columns") };
            let is_there = here != "open" && here != NOT_BUILT;
            assert_eq!(is_there, shows(shown), "{place}: {row:?}");
            assert!(is_there || shown == "none", "{place}: {row:?}");
        }
    }
}

#[test]
fn each_test_that_the_page_names_is_there() {
    let (page, tests) = (page(), tests());
    let unknown: Vec<_> = names(&page).filter(|name| !tests.contains(*name)).collect();
    assert!(names(&page).count() > 100, "the page names fewer tests than it did");
    assert!(unknown.is_empty(), "no tests have these names: {unknown:#?}");
}

#[test]
fn tests_are_found_behind_their_attributes() {
    let source = "#[test]\nfn one() {}\n#[test]\n#[ignore = \"long\"]\n/// No fn of its own.\nfn two() {}\nfn none() {}\n";
    assert_eq!(tests_of(source), ["one", "two"]);
    let text = "`a_b_c_d` and `a_b_c`, `wait_then()`, `a b_c_d_e`, `e_f_g_h`";
    assert_eq!(names(text).collect::<Vec<_>>(), ["a_b_c_d", "e_f_g_h"]);
    assert_eq!(rows("| a | b |\n|---|---|\n| c\\|d | e |\n"), [["c/d", "e"]]);
}
