//! The table of records: each comes back from either form, and the reference page says what the table says.

use beryl_abi::kinds::Row;
use beryl_abi::words::{OfNote, OfTrace, Reader};
use beryl_abi::{Classes, DecodedNote, Happening, Instant, Kind, Note, Range, Record, ThreadId, Wrong};
use beryl_testing::{Draw, XorShift};

/// What a note and the time when it was written say.
fn of_note(note: Note, time: Instant) -> Result<Record, Wrong> {
    let kind = Kind::decode(note.kind()).ok_or(Wrong::Kind(note.kind()))?;
    let length = |words: &mut OfNote| Ok(Range::new(0, words.word()?));
    let words = OfNote::new(note.words, time);
    Record::read(kind, note.subject(), words, length, |note| {
        DecodedNote::read(note, time).map(|told| told.note())
    })
}

/// What the words of a trace say.
fn of_trace(words: &[u32]) -> Result<(Instant, Record), Wrong> {
    let (header, rest) = words.split_first().ok_or(Wrong::Length)?;
    let kind = Kind::decode(header & 0xFF).ok_or(Wrong::Kind(header & 0xFF))?;
    let mut own = OfTrace::new(rest);
    let time = own.instant()?;
    let value = |words: &mut OfTrace| words.value().map(|(length, _)| Range::new(0, length));
    let note = |note| DecodedNote::read(note, time).map(|told| told.note());
    Ok((time, Happening::read(kind, (header >> 8) as u16, own, value, note)?))
}

fn in_trace(record: Record, time: Instant) -> Vec<u32> {
    let mut words = Vec::new();
    record.encode(time, |word| words.push(word), |address| address);
    words
}

/// A word, every other one small.
fn word(random: &mut XorShift) -> u32 {
    let number = random.next();
    let word = (number >> 8) as u32;
    if number & 1 == 0 { word } else { word & 0xF }
}

/// Notes of a kind with whatever words, and when they were written; a value has a length that a header can count.
fn notes(row: &Row) -> impl Iterator<Item = (Note, Instant)> {
    let (kind, has_value) = (row.kind, row.value.is_some());
    let mut random = XorShift::behind(0x9E37_79B9_7F4A_7C15 ^ kind as u64);
    (0..300).map(move |_| {
        let time = Instant::from_ticks(u64::from(word(&mut random)) << 32 | u64::from(word(&mut random)));
        let (first, second) = (word(&mut random), word(&mut random));
        let second = if has_value { second & 0xFF } else { second };
        (Note::of(kind, (word(&mut random) & 0xFF) as u16, [first, second]), time)
    })
}

#[test]
fn every_record_comes_back_from_both_forms() {
    for row in Kind::ROWS {
        let mut read = 0;
        for (note, time) in notes(row) {
            let Ok(record) = of_note(note, time) else { continue };
            read += 1;
            assert_eq!(of_note(record.note(), time), Ok(record), "{row:?}");
            let words = in_trace(record, time);
            let (told_at, again) = of_trace(&words).expect("a record");
            assert_eq!((told_at, in_trace(again, time).get(..)), (time, Some(&words[..])), "{row:?}");
            assert_eq!(words.len(), 3 + own_words(row) + value_words(&record), "{row:?}");
        }
        assert!(read > 30, "{read} of {row:?}");
    }
}

#[test]
fn an_instant_in_a_note_is_the_one_nearest_to_when_it_was_written() {
    let task = ThreadId(3);
    for (time, instant) in [(5, 3), (3, 5), (0x1_0000_0001, 0xFFFF_FFF0), (0x7_8000_0000, 0x7_F000_0000)] {
        let [time, instant] = [time, instant].map(Instant::from_ticks);
        let record = Record::Release { task, instant, deadline: time };
        assert_eq!(of_note(record.note(), time), Ok(record));
    }
}

#[test]
fn another_number_of_words_is_no_record() {
    for row in Kind::ROWS {
        let (words, _) = notes(row)
            .find_map(|(note, time)| of_note(note, time).ok().map(|record| (in_trace(record, time), time)))
            .expect("a record");
        let longer = [&words[..], &[0]].concat();
        for wrong in [&words[..words.len() - 1], &longer] {
            let read = of_trace(wrong);
            assert!(matches!(read, Err(Wrong::Length | Wrong::Value { .. })), "{row:?}: {read:?}");
        }
    }
}

fn own_words(row: &Row) -> usize {
    let words: usize = row.fields.iter().map(|(_, _, words)| words).sum();
    if row.is_note { 2 } else { words + usize::from(row.value.is_some()) }
}

fn value_words(record: &Record) -> usize {
    match record {
        Record::Driver { value, .. } | Record::State { value, .. } => value.length.div_ceil(4) as usize,
        _ => 0,
    }
}

const PAGE: &str = include_str!("../../../docs/reference/trace.md");

/// The cells of the rows of a table on the reference page.
fn rows(columns: &str) -> Vec<Vec<&'static str>> {
    let table = PAGE.lines().skip_while(|line| !line.starts_with(columns)).skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// What stands in backquotes.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_page_has_every_kind_with_its_subject_and_its_words() {
    let tables = [rows("| kind | record |"), rows("| kind | note |")];
    for (is_note, table) in [false, true].into_iter().zip(tables) {
        let expected: Vec<_> = Kind::ROWS.iter().filter(|row| row.is_note == is_note).collect();
        assert_eq!(table.len(), expected.len());
        for (cells, row) in table.iter().zip(expected) {
            assert_eq!(cells[0], (row.kind as u32).to_string());
            assert_eq!(quoted(cells[1])[0], format!("{:?}", row.kind).to_lowercase(), "{cells:?}");
            assert_eq!(quoted(cells[2]), row.subject.into_iter().collect::<Vec<_>>(), "{cells:?}");
            assert_eq!(quoted(cells[3]), fields(row), "{cells:?}");
            assert_eq!(
                lengths(cells[3]),
                row.fields.iter().map(|(_, _, words)| *words).collect::<Vec<_>>(),
                "{cells:?}"
            );
        }
    }
}

/// What a row's fields and its value are called, in order.
fn fields(row: &Row) -> Vec<&'static str> {
    let fields = row.fields.iter().flat_map(|(field, other, _)| [Some(*field), *other]);
    fields.chain([row.value]).flatten().collect()
}

/// How many words a cell says of each of its fields, between semicolons: in brackets, or one.
fn lengths(cell: &str) -> Vec<usize> {
    let fields = cell.split(';').filter(|field| field.trim().starts_with('`'));
    let length = |field: &str| field.split(['(', ')']).find_map(|number| number.parse().ok()).unwrap_or(1);
    fields.map(length).collect()
}

#[test]
fn the_page_has_every_kind_in_its_class() {
    let halves =
        rows("| bit | class | kinds |").into_iter().flat_map(|row| [row[..3].to_vec(), row[4..].to_vec()]);
    let told: Vec<_> = halves.filter(|half| !half[0].is_empty()).collect();
    assert_eq!(told.len(), Classes::NAMED.len());
    for (word, class) in Classes::NAMED {
        let mut own: Vec<_> = Kind::ROWS
            .iter()
            .map(|row| row.kind)
            .filter(|kind| kind.class() == *class)
            .map(|kind| kind as u32)
            .collect();
        own.sort_unstable();
        let own: Vec<_> = own.iter().map(u32::to_string).collect();
        let expected = [class.0.trailing_zeros().to_string(), format!("`{word}`"), own.join(", ")];
        assert!(told.iter().any(|half| half[..] == expected), "the page doesn't have {expected:?}");
    }
}
