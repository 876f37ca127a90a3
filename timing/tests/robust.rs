//! The front end answers on any input: bytes, damaged programs, and programs that are large in one direction.
//! What can be formatted formats to a fixed point.
//!
//! proptest prints the input that fails, shrunk, and stores its seed beside this file.

use beryl_timing::{Source, code, compile, format};
use miette::{GraphicalReportHandler, GraphicalTheme};
use proptest::prelude::*;

const PROGRAMS: [&str; 14] = [
    include_str!("right/spine.tdl"),
    include_str!("right/helicopter.tdl"),
    include_str!("right/values.tdl"),
    include_str!("right/modes.tdl"),
    include_str!("right/slots.tdl"),
    include_str!("right/records.tdl"),
    include_str!("right/nested.tdl"),
    include_str!("right/giotto.tdl"),
    include_str!("right/asynchronous.tdl"),
    include_str!("right/arithmetic.tdl"),
    include_str!("right/conditions.tdl"),
    include_str!("right/imported_names.tdl"),
    include_str!("right/entering.tdl"),
    include_str!("right/slots_of_updates.tdl"),
];

/// Words that change much when they replace or join another.
const WORDS: [&str; 47] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ";",
    ",",
    ".",
    ":=",
    "=",
    "-",
    "+",
    "*",
    "/",
    "<",
    "==",
    "!=",
    "not",
    "and",
    "or",
    "module",
    "task",
    "mode",
    "start",
    "public",
    "if",
    "then",
    "uses",
    "freq",
    "slots",
    "|",
    "struct",
    "asynchronous",
    "trigger",
    "priority",
    "period",
    "taskfreq",
    "do",
    "driver",
    "gps",
    "0",
    "20ms",
    "18446744073709551616",
    "1e999",
    "'x'",
    "/*",
];

const NUMBERS: [&str; 9] = ["0", "1", "-1", "3", "0ms", "7us", "1e39", "4294967296", "9223372036854775808"];

/// Compiles and renders: neither may panic, and a refusal has something to say.
fn answers(text: &str) -> Option<Vec<&'static str>> {
    let source = |text: &str| Source { name: "random.tdl".to_owned(), text: text.to_owned() };
    if let Ok(formatted) = format(&source(text)) {
        assert_eq!(
            format(&source(&formatted)).ok(),
            Some(formatted),
            "the layout of {text:?} isn't a fixed point"
        );
    }
    let diagnostics = match compile(&[source(text)]) {
        Ok(model) => {
            assert!(!model.to_string().contains('?'), "an index of the model leads nowhere:\n{model}");
            return None;
        }
        Err(diagnostics) => diagnostics,
    };
    let mut out = String::new();
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::none());
    handler.render_report(&mut out, &diagnostics).expect("a rendering");
    for diagnostic in diagnostics.iter() {
        let problem = diagnostic.problem();
        assert!(code::ALL.contains(&problem.code));
        assert!(
            ![&problem.message, &problem.label, &problem.help.to_string()].iter().any(|text| text.is_empty())
        );
        assert!(
            problem.place.offset + problem.place.length <= text.len(),
            "{problem:?} is outside of the text"
        );
    }
    let codes: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.problem().code).collect();
    assert!(!codes.is_empty());
    Some(codes)
}

/// The program cut at its blanks and around its punctuation.
fn words(program: &str) -> Vec<&str> {
    let program =
        program.split_inclusive(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    program
        .flat_map(|piece| piece.split_at_checked(piece.len() - 1).map_or(vec![piece], |(a, b)| vec![a, b]))
        .collect()
}

#[derive(Clone, Debug)]
enum Damage {
    Delete(usize),
    Duplicate(usize),
    Replace(usize, usize),
    /// One number becomes another, so that the program stays readable and the checks behind the parser are reached.
    Number(usize, usize),
    Swap(usize, usize),
    Truncate(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<usize>;
    prop_oneof![
        4 => place().prop_map(Damage::Delete),
        4 => place().prop_map(Damage::Duplicate),
        4 => (place(), place()).prop_map(|(at, word)| Damage::Replace(at, word)),
        4 => (place(), place()).prop_map(|(at, number)| Damage::Number(at, number)),
        2 => (place(), place()).prop_map(|(one, other)| Damage::Swap(one, other)),
        1 => place().prop_map(Damage::Truncate),
    ]
}

fn apply(words: &mut Vec<&str>, damage: &Damage) {
    let Some(length) = Some(words.len()).filter(|&length| length > 0) else { return };
    match *damage {
        Damage::Delete(at) => drop(words.remove(at % length)),
        Damage::Duplicate(at) => words.insert(at % length, words[at % length]),
        Damage::Replace(at, word) => words[at % length] = WORDS[word % WORDS.len()],
        Damage::Number(at, number) => {
            let numbers =
                (0..length).filter(|&index| words[index].starts_with(|first: char| first.is_ascii_digit()));
            let numbers: Vec<_> = numbers.collect();
            if !numbers.is_empty() {
                words[numbers[at % numbers.len()]] = NUMBERS[number % NUMBERS.len()];
            }
        }
        Damage::Swap(one, other) => words.swap(one % length, other % length),
        Damage::Truncate(at) => words.truncate(at % length),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_get_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        answers(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words_get_an_answer(words in proptest::collection::vec(0..WORDS.len(), 0..80)) {
        let words: Vec<_> = words.into_iter().map(|word| WORDS[word]).collect();
        answers(&words.join(" "));
    }

    #[test]
    fn damaged_programs_get_an_answer(
        program in 0..PROGRAMS.len(),
        damages in proptest::collection::vec(damage(), 1..6),
    ) {
        let mut words = words(PROGRAMS[program]);
        for damage in &damages {
            apply(&mut words, damage);
        }
        answers(&words.concat());
    }
}

#[test]
fn cutting_loses_nothing() {
    for program in PROGRAMS {
        assert_eq!(words(program).concat(), program);
    }
}

#[test]
fn every_prefix_gets_an_answer() {
    for program in PROGRAMS {
        for (end, _) in program.char_indices() {
            answers(&program[..end]);
        }
    }
}

/// Not rendered: a line of a million characters is the renderer's burden, and takes it half a minute.
#[test]
fn nesting_has_no_depth_that_hurts() {
    for open in ["{", "[", "(", "-", "-(", "1+", "1*(", "module M {", "task t {", "start mode m [period = {"]
    {
        for start in [
            "",
            "module M { const a = ",
            "module M { start mode m [period = ",
            "module M { start mode m [period = 1s] { mode [freq = 1] if ",
        ] {
            let text = format!("{start}{}", open.repeat(100_000));
            assert!(compile(&[Source { name: "deep.tdl".to_owned(), text }]).is_err());
        }
    }
}

#[test]
fn an_array_has_a_longest_length() {
    let program = |count| {
        let elements = vec!["0"; count].join(",");
        format!("module M {{ const a = {{{elements}}}; start mode m [period = 1s] {{ }} }}")
    };
    assert_eq!(answers(&program(4096)), None);
    assert_eq!(answers(&program(4097)), Some(vec![code::ARRAY_LENGTH]));
}

#[test]
fn a_long_chain_of_imports_is_no_recursion() {
    let module = |index: usize, import: usize| {
        let import = if import == 0 { String::new() } else { format!("import M{import};") };
        format!("module M{index} {{ {import} start mode m [period = 1s] {{ }} }}\n")
    };
    let count = 20_000;
    let chain: String = (1..=count).map(|index| module(index, (index + 1) % (count + 1))).collect();
    assert_eq!(answers(&chain), None);
    let ring: String = (1..=count).map(|index| module(index, index % count + 1)).collect();
    assert_eq!(answers(&ring), Some(vec![code::IMPORT_CYCLE]));
}

#[test]
fn diagnostics_end_after_fifty() {
    assert_eq!(answers(&"? ".repeat(1000)).map(|codes| codes.len()), Some(50));
}

#[test]
fn no_sources_are_no_system() {
    let diagnostics = compile(&[]).expect_err("nothing to run");
    let codes: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.problem().code).collect();
    assert_eq!(codes, [code::EMPTY_SYSTEM]);
}
