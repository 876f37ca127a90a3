//! The C library in processes: the same values in the simulation and on boards, and what isn't for processes refused by name.

use std::collections::BTreeMap;
use std::fs;

use common::places::places_with_floating;
use common::{beryl, change, copy, folder, lock, root, told};

mod common;

/// The system under a name of its own.
fn system(name: &str) -> std::path::PathBuf {
    let system = folder().join("systems").join(name);
    copy(&root().join("cli/tests/c/library"), &system);
    change(&system.join("beryl.toml"), "name = \"library\"", &format!("name = {name:?}"));
    system
}

fn sum_of(bytes: impl IntoIterator<Item = u32>) -> u32 {
    bytes.into_iter().fold(2_166_136_261, |sum: u32, byte| (sum ^ byte).wrapping_mul(16_777_619))
}

fn sum(text: &str) -> u32 {
    sum_of(text.bytes().map(u32::from))
}

/// What `<ctype.h>` says of letters of seven bits, by Rust's words for it.
fn classes() -> u32 {
    let each = |letter: u8| {
        let is_space = letter == 0x0B || letter.is_ascii_whitespace();
        let is = [
            letter.is_ascii_alphanumeric(),
            letter.is_ascii_alphabetic(),
            letter == b' ' || letter == b'\t',
            letter.is_ascii_control(),
            letter.is_ascii_digit(),
            letter.is_ascii_graphic(),
            letter.is_ascii_lowercase(),
            letter.is_ascii_graphic() || letter == b' ',
            letter.is_ascii_punctuation(),
            is_space,
            letter.is_ascii_uppercase(),
            letter.is_ascii_hexdigit(),
        ];
        let cases = u32::from(letter.to_ascii_lowercase()) + u32::from(letter.to_ascii_uppercase());
        is.map(u32::from).into_iter().chain([cases])
    };
    sum_of((0..128).flat_map(each))
}

fn signed(values: &[i32]) -> Vec<u32> {
    values.iter().map(|value| value.cast_unsigned()).collect()
}

#[test]
fn functions_of_the_c_library_have_the_same_values_on_all_hosts() {
    let _lock = lock("library");
    let folder_of = system("library");
    let description = folder_of.join("beryl.toml");
    let suite = folder().join("library.toml");
    let text = format!(
        "[[system]]\nfolder = \"{}\"\nfor = \"500ms\"\nshows = \"C\"\ncompare = \"all\"\n",
        folder_of.display()
    );
    fs::write(&suite, text).expect("written");
    let suite = suite.display().to_string();
    beryl(&["conformance", &suite]).ended(0);
    beryl(&["conformance", &suite, "--board", "virt"]).ended(0);
    // And where processes are compiled for the processor's floating point.
    let text = fs::read_to_string(&description).expect("the description");
    let hardware = "floating = \"hardware\"\n";
    let text = text.replace("memory = ", &format!("{hardware}memory = "));
    fs::write(&description, text).expect("written");
    for board in places_with_floating("the C library") {
        beryl(&["conformance", &suite, "--board", board.name]).ended(0);
    }
    let told = told("library");
    let formatted = ["-42|    7|1f  |0000BEEF|z|end|%", "-1234567890123 +5 00042 let"];
    let [first, second] = formatted.map(|text| [u32::try_from(text.len()).expect("short"), sum(text)]);
    let expected = [
        (1, vec![16, 9, 14, 10, 6, 5, 5, 4, 15]),
        (2, signed(&[-1, 0, 1, 0])),
        (3, ["speed", "120", "gear", "3"].map(sum).to_vec()),
        (4, ["ggearbox on f", "ab", "xxx"].map(sum).to_vec()),
        (5, [first, second, [6, sum("123")]].concat()),
        (6, [vec![4, sum("set"), 17, 255], signed(&[-3]), vec![0]].concat()),
        (7, signed(&[3, 1, -3, -1, 9])),
        (8, vec![classes()]),
        (9, [0, 100, 200, 300, 400].map(|round| sum(&format!("round {round}"))).to_vec()),
        (13, signed(&[-17, i32::MAX, 2])),
    ];
    let expected: BTreeMap<_, _> = expected.into_iter().chain(whole_numbers()).collect();
    assert_eq!(told, expected);
}

/// What the C standard says of the numbers in `library.c`, but for their ranges: how much of each text is the number, and that.
const WHOLE: [(u32, i128); 22] = [
    (4, 42),
    (3, -42),
    (5, 0x1F),
    (1, 0),
    (3, 0o17),
    (2, 35 * 36 + 35),
    (0, 0),
    (0, 0),
    (0, 0),
    (10, 2_147_483_647),
    (10, 2_147_483_648),
    (11, -2_147_483_648),
    (11, -2_147_483_649),
    (10, 4_294_967_295),
    (10, 4_294_967_296),
    (11, -4_294_967_296),
    (19, 9_223_372_036_854_775_807),
    (19, 9_223_372_036_854_775_808),
    (20, -9_223_372_036_854_775_809),
    (20, 18_446_744_073_709_551_615),
    (20, 18_446_744_073_709_551_616),
    (23, 99_999_999_999_999_999_999_999),
];

/// What is told of them. Without a sign, one in front counts down from nought, unless its number is more than the greatest.
fn whole_numbers() -> BTreeMap<u16, Vec<u32>> {
    let bits = |value: i128, from: u32| u32::try_from((value >> from) & 0xFFFF_FFFF).expect("a word");
    let within = |value: i128, width: u32| value.clamp(-(1 << (width - 1)), (1 << (width - 1)) - 1);
    let positive = |value: i128, width: u32| if value.abs() < 1 << width { value } else { (1 << width) - 1 };
    let mut told = BTreeMap::<u16, Vec<u32>>::new();
    for (length, value) in WHOLE {
        told.entry(10).or_default().extend([bits(within(value, 32), 0), length]);
        told.entry(11).or_default().extend([bits(positive(value, 32), 0), length]);
        let wide = [within(value, 64), positive(value, 64)];
        told.entry(12).or_default().extend(wide.iter().flat_map(|value| [bits(*value, 0), bits(*value, 32)]));
    }
    told
}

/// In the simulation and for the board: nobody finds out at the end.
#[test]
fn what_is_not_the_same_everywhere_is_refused_by_name() {
    let name = "library_refused";
    let _lock = lock(name);
    let folder_of = system(name);
    let source = folder_of.join("library.c");
    let whole = fs::read_to_string(&source).expect("readable");
    let inside = "    strings();\n    numbers();";
    let cases = [
        (
            "    TELL(0, malloc(4) != 0);",
            "`malloc`, which library.c uses, isn't for processes",
            "memory pool",
        ),
        (
            "    TELL(0, (int)strtod(\"7\", 0));",
            "`strtod`, which library.c uses, isn't for processes",
            "`strtol` and its like read whole numbers",
        ),
        ("    puts(\"here\");", "`puts`, which library.c uses", "`beryl_print`"),
        ("    TELL(0, rand());", "`rand`, which library.c uses", "write the generator that is meant"),
        (
            "    extern double sqrt(double);\n    TELL(0, sqrt(beryl_time()));",
            "`sqrt`, which library.c calls, may have other values",
            "`beryl_sqrt` has the same bits",
        ),
        (
            "    char text[8];\n    snprintf(text, 8, \"%.1f\", (double)beryl_time());",
            "library.c: \"%.1f\" writes or reads a number with a point",
            "`%d.%03d`",
        ),
        (
            "    extern int ring(void);\n    TELL(0, ring());",
            "`ring`, which library.c uses, is neither in the files of [c]",
            "add the file that defines it",
        ),
    ];
    let path = folder_of.display().to_string();
    for (line, message, help) in cases {
        fs::write(&source, whole.replace(inside, &format!("{line}\n{inside}"))).expect("written");
        for arguments in [&["sim", &path, "--for", "1ms"][..], &["build", &path]] {
            let ran = beryl(arguments);
            assert_eq!(ran.code, Some(1), "{arguments:?} with {line}");
            let said = ran.everything();
            assert!(said.contains(message) && said.contains(help), "{arguments:?} with {line}: {said}");
        }
    }
    let small = "#include <string.h>\n\nvoid texts(void) {\n    beryl_tell(1, (uint32_t)strlen(\"a\"));\n}\n\n\
                 void often(beryl_period *period) {\n    (void)period;\n}\n";
    fs::write(&source, small).expect("written");
    change(&folder_of.join("beryl.toml"), "library = \"picolibc\"\n", "");
    let said = beryl(&["build", &path]).everything();
    assert!(
        said.contains("string.h: No such file") && said.contains("say `library = \"picolibc\"` in [c]"),
        "{said}"
    );
    let said = beryl(&["sim", &path, "--for", "1ms"]).everything();
    assert!(
        said.contains("this system has none") && said.contains("say `library = \"picolibc\"` in [c]"),
        "{said}"
    );
}
