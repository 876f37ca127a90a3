//! What a CMake target's options are to its files here. What says which texts are read goes on to the compiler, and what a compiler warns of.
//! How code is made is the builder's to say. What would give code another meaning than functions beside it have is refused.

/// Options of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// What goes on to the compiler.
    pub passed: Vec<String>,
    /// Which standard of the language it is written in, if the target says so.
    pub standard: Option<String>,
}

/// An option that keeps a target from being compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub option: String,
    pub why: &'static str,
}

/// They have a value, in the same word or in the next one, and say which texts are read.
const WITH_VALUE: [&str; 8] = ["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-I", "-D", "-U"];

/// They allow more of the language.
const LANGUAGE: [&str; 6] = [
    "-fms-extensions",
    "-fplan9-extensions",
    "-fgnu89-inline",
    "-fpermissive",
    "-ftemplate-depth=",
    "-fconstexpr-",
];

/// They change values, or how types lie in memory.
const MEANING: [&str; 17] = [
    "-fsigned-char",
    "-fno-unsigned-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-funsigned-bitfields",
    "-fno-signed-bitfields",
    "-fsingle-precision-constant",
    "-ffast-math",
    "-funsafe-math-optimizations",
    "-fassociative-math",
    "-freciprocal-math",
    "-ffinite-math-only",
    "-fno-signed-zeros",
    "-ftrapv",
    "-fno-wrapv",
    "-mms-bitfields",
];
const CONTRACTION: [&str; 2] = ["-ffp-contract=fast", "-ffp-contract=on"];

/// How code is made, linked or looked at: by the beginnings of words.
const MADE: [&str; 14] = [
    "-O",
    "-g",
    "-f",
    "-m",
    "-M",
    "-w",
    "-p",
    "-save-temps",
    "--specs=",
    "-specs=",
    "-nostd",
    "-nostart",
    "-nodefault",
    "--coverage",
];

const OTHER_MEANING: &str = "which gives code another meaning than in the functions beside it";
const UNKNOWN: &str = "of which the builder doesn't know what it does to code";
const RESERVED: &str = "and names that begin with BERYL are the builder's own";

/// The options among the words of a command.
pub(super) fn options(words: impl IntoIterator<Item = String>) -> Result<Options, Refused> {
    let mut options = Options::default();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if let Some(option) = WITH_VALUE.iter().find(|option| word.starts_with(**option)) {
            let next = if word == **option { words.next() } else { None };
            if next.as_deref().or(word.strip_prefix(option)).is_some_and(|value| is_reserved(option, value)) {
                return Err(Refused { option: word, why: RESERVED });
            }
            options.passed.push(word);
            options.passed.extend(next);
        } else if word.starts_with("-std=") || word == "-ansi" {
            options.standard = Some(word);
        } else if is_one(&word, &LANGUAGE) || is_warning(&word) {
            options.passed.push(word);
        } else if is_one(&word, &MEANING) || CONTRACTION.contains(&word.as_str()) {
            return Err(Refused { option: word, why: OTHER_MEANING });
        } else if !is_one(&word, &MADE) {
            return Err(Refused { option: word, why: UNKNOWN });
        }
    }
    Ok(options)
}

/// Whether a definition is one that only the builder makes.
pub(super) fn is_reserved(option: &str, value: &str) -> bool {
    option == "-D" && value.to_ascii_uppercase().starts_with("BERYL")
}

fn is_one(word: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| word.starts_with(beginning))
}

/// `-Wl,` and its like speak to other programs.
fn is_warning(word: &str) -> bool {
    let is_for_others = word.as_bytes().get(3) == Some(&b',');
    (word.starts_with("-W") && !is_for_others) || word.starts_with("-pedantic")
}

/// The words of a piece of a command, as a shell takes them apart.
pub(super) fn words(piece: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None;
    let mut quote = None;
    let mut letters = piece.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_with(String::new).extend(letters.next()),
            (letter, Some(end)) if letter == end => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_with(String::new);
            }
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_with(String::new).push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::{OTHER_MEANING, Options, RESERVED, Refused, UNKNOWN, options, words};

    fn of(piece: &str) -> Result<Options, Refused> {
        options(words(piece))
    }

    #[test]
    fn what_says_which_texts_are_read_is_passed_and_how_code_is_made_is_not() {
        let all = "-O3 -DNDEBUG -Wall -I one -include 'a b.h' -std=gnu99 -mcpu=cortex-m0 -ffunction-sections -g3 -UX -fms-extensions \
                   --specs=nano.specs -pedantic -fwrapv -ffp-contract=off -D TWO=2";
        let passed =
            ["-DNDEBUG", "-Wall", "-I", "one", "-include", "a b.h", "-UX", "-fms-extensions", "-pedantic"];
        let passed = passed.iter().chain(&["-D", "TWO=2"]).map(|word| (*word).to_owned()).collect();
        assert_eq!(of(all), Ok(Options { passed, standard: Some("-std=gnu99".to_owned()) }));
    }

    #[test]
    fn what_gives_code_another_meaning_or_is_unknown_is_refused_by_name() {
        for (option, why) in [
            ("-fshort-enums", OTHER_MEANING),
            ("-ffast-math", OTHER_MEANING),
            ("-fpack-struct=1", OTHER_MEANING),
            ("-ffp-contract=fast", OTHER_MEANING),
            ("-Wl,--wrap=send", UNKNOWN),
            ("-Xassembler", UNKNOWN),
            ("other.o", UNKNOWN),
            ("-DBERYL_TICK=1", RESERVED),
        ] {
            let refused = Refused { option: option.to_owned(), why };
            assert_eq!(of(&format!("-Wall {option} -O2")), Err(refused), "{option}");
        }
        assert_eq!(of("-D Beryl_x").map_err(|refused| refused.why), Err(RESERVED));
    }

    #[test]
    fn words_are_those_of_a_shell() {
        let all = [
            ("", vec![]),
            ("  -a\t-b ", vec!["-a", "-b"]),
            (r#""-DTEXT=\"a b\"""#, vec![r#"-DTEXT="a b""#]),
            (r"-Da\ b ''", vec!["-Da b", ""]),
            (r"'a\'b", vec![r"a\b"]),
        ];
        for (piece, expected) in all {
            assert_eq!(words(piece), expected, "{piece}");
        }
    }
}
