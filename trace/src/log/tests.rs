//! Statements in pieces, of several threads at once, with what goes missing in between.

use beryl_abi::log::{BEGIN, pieces};
use beryl_testing::{Draw, SplitMix64};
use object::write::{Object, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolKind, SymbolScope};

use super::*;

/// The section of a program with two statements: `{=u8} of {=str}` at 1, which is an `info`, and `end` at 2, an `error`.
fn section() -> Vec<u8> {
    let mut elf = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let section = elf.add_section(Vec::new(), b".defmt".to_vec(), SectionKind::ReadOnlyData);
    elf.append_section_data(section, &[0; 5], 1);
    let statement = |level: &str, text: &str| {
        format!(
            r#"{{"package":"p","tag":"defmt_{level}","data":"{text}","disambiguator":"0","crate_name":"p"}}"#
        )
    };
    let marks = ["_defmt_version_ = 4", "_defmt_encoding_ = rzcobs"].map(str::to_owned);
    let names = [statement("info", "{=u8} of {=str}"), statement("error", "end")].into_iter().chain(marks);
    for (value, name) in (1..).zip(names) {
        let (kind, scope) = (SymbolKind::Data, SymbolScope::Linkage);
        let (section, flags) = (SymbolSection::Section(section), SymbolFlags::None);
        elf.add_symbol(Symbol {
            name: name.into_bytes(),
            value,
            size: 1,
            kind,
            scope,
            weak: false,
            section,
            flags,
        });
    }
    elf.write().expect("a file")
}

fn names() -> Names {
    let thread = |name: &str, process: &str| {
        format!(r#"{{ "name": "{name}", "process": "{process}", "kind": "free" }}"#)
    };
    let threads = [thread("one", "p"), thread("two", "p"), thread("other", "q")].join(", ");
    let text = format!(
        r#"{{ "system": "s", "tick": {{ "nanoseconds": 40, "ticks": 1 }}, "processes": ["p", "q"], "threads": [{threads}],
            "drivers": [], "programs": [] }}"#
    );
    Names::parse(&text).expect("names")
}

fn event(time: u64, thread: u8, event: u16, value: u32) -> Event {
    let told = DecodedNote::Event { thread: ThreadId(thread), event, value };
    Event { time: Instant::from_ticks(time), happening: Happening::Note(told) }
}

fn lost(time: u64) -> Event {
    Event { time: Instant::from_ticks(time), happening: Happening::Note(DecodedNote::Lost { count: 3 }) }
}

/// The events of a statement, each a tick after the one before.
fn said(time: u64, thread: u8, parts: &[&[u8]]) -> Vec<Event> {
    let bytes = parts.iter().flat_map(|part| pieces(part));
    let all = std::iter::once((BEGIN, 0)).chain(bytes);
    (time..).zip(all).map(|(time, (number, value))| event(time, thread, number, value)).collect()
}

fn first(time: u64, thread: u8, number: u8, text: &str) -> Vec<Event> {
    let length = u32::try_from(text.len()).expect("short").to_le_bytes();
    said(time, thread, &[&[1, 0], &[number], &length, text.as_bytes()])
}

fn statements() -> Statements {
    Statements::of_processes([("p", section().as_slice())].into_iter())
}

fn read(events: &[Event]) -> Log {
    Log::of(events, &names(), &statements())
}

fn texts(log: &Log) -> Vec<(u64, u8, Level, &str)> {
    let row = |entry: &Entry| (entry.time.ticks(), entry.thread.0, entry.level);
    log.entries
        .iter()
        .map(|entry| {
            let (time, thread, level) = row(entry);
            (time, thread, level, entry.text.as_str())
        })
        .collect()
}

fn counted(log: &Log) -> Vec<(u8, Illegible, u64)> {
    log.illegible.iter().map(|((thread, why), count)| (thread.0, why.clone(), *count)).collect()
}

#[test]
fn statements_of_threads_that_preempt_each_other_come_apart() {
    let (one, two) = (first(0, 0, 7, "one and only"), said(0, 1, &[&[2, 0]]));
    // However far the first has come when the second is told in the middle.
    for place in 0..=one.len() {
        let (before, behind) = one.split_at(place);
        let events = [before, two.as_slice(), behind].concat();
        let log = read(&events);
        let mut all = texts(&log);
        all.sort_by_key(|row| row.1);
        assert_eq!(all, [(0, 0, Level::Info, "7 of one and only"), (0, 1, Level::Error, "end")], "{place}");
        assert_eq!(counted(&log), []);
    }
}

#[test]
fn what_has_a_gap_is_counted_once_and_what_comes_behind_is_read() {
    let (one, next) = (first(0, 0, 7, "one and only"), first(50, 0, 8, "next"));
    // The events from `from` on are lost, up to `to`.
    for from in 0..one.len() {
        for to in from + 1..=one.len() {
            let events = [&one[..from], &[lost(40)], &one[to..], &next].concat();
            let log = read(&events);
            assert_eq!(texts(&log), [(50, 0, Level::Info, "8 of next")], "{from} to {to}");
            // Of what is lost as a whole, nobody knows but the count of lost notes.
            let cut = if from == 0 && to == one.len() { vec![] } else { vec![(0, Illegible::Cut, 1)] };
            assert_eq!(counted(&log), cut, "{from} to {to}");
        }
    }
}

#[test]
fn a_loss_behind_a_statement_leaves_it_whole() {
    let events = [first(0, 0, 7, "one"), vec![lost(20)], said(30, 0, &[&[2, 0]])].concat();
    let log = read(&events);
    assert_eq!(texts(&log), [(0, 0, Level::Info, "7 of one"), (30, 0, Level::Error, "end")]);
    assert_eq!(counted(&log), []);
}

#[test]
fn what_stands_for_nothing_is_counted_with_the_reason() {
    // A number that no statement has, one byte too many, and a process of which nothing is known.
    let events = [said(0, 0, &[&[9, 0]]), said(10, 1, &[&[2, 0], &[0]]), said(20, 2, &[&[2, 0]])].concat();
    let log = read(&events);
    assert_eq!(texts(&log), []);
    let unknown = Unreadable::Missing("q".to_owned()).to_string();
    assert_eq!(
        counted(&log),
        [(0, Illegible::Wrong, 1), (1, Illegible::Wrong, 1), (2, Illegible::Unknown(unknown), 1)]
    );
    let damaged = Statements::parse(r#"{ "all": "AAAA" }"#).expect("it has the form");
    let log = Log::of(&said(0, 0, &[&[2, 0]]), &names(), &damaged);
    let counted = counted(&log);
    let [(_, Illegible::Unknown(why), 1)] = counted.as_slice() else { panic!("{log:?}") };
    assert!(why.starts_with("the statements of process `p` are damaged: "), "{why}");
}

#[test]
fn bytes_that_a_process_forges_are_refused_and_no_more() {
    let mut random = SplitMix64(22);
    for _ in 0..20_000 {
        let length = random.next() % 24;
        let bytes: Vec<u8> = (0..length).map(|_| random.next().to_le_bytes()[0] % 4).collect();
        let log = read(&said(0, 0, &[&bytes]));
        assert_eq!(log.entries.len() + log.illegible.len(), 1, "{bytes:?}");
    }
}

#[test]
fn statements_are_kept_as_text() {
    let kept = statements();
    let text = kept.to_json().expect("text");
    assert_eq!(Statements::parse(&text).expect("the same"), kept);
    assert!(Table::parse(&section()).is_ok_and(|table| table.is_some_and(|table| !table.is_empty())));
}
