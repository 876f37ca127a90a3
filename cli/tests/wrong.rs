//! Wrong input to the whole program: each case says what is wrong, where, why and what to do, and leaves
//! nothing half done.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::emit::container::containers;
use beryl_builder::{Project, Variant};
use beryl_syscode::Container;
use common::{
    Ran, application, assert_recorded, beryl, change, example, finish, folder, program, root, threads,
};

mod common;

/// A copy of an example with something wrong in it.
struct Case {
    name: &'static str,
    example: &'static str,
    command: &'static str,
    /// Where the mistake is: what the message must name.
    place: &'static str,
    spoil: fn(&Path),
}

const fn overload(name: &'static str, place: &'static str, spoil: fn(&Path)) -> Case {
    Case { name, example: "overload", command: "check", place, spoil }
}

const fn helicopter(name: &'static str, place: &'static str, spoil: fn(&Path)) -> Case {
    Case { name, example: "helicopter", command: "check", place, spoil }
}

fn program_says(system: &Path, from: &str, to: &str) {
    change(&system.join("overload.tdl"), from, to);
}

fn description_says(system: &Path, from: &str, to: &str) {
    change(&system.join("beryl.toml"), from, to);
}

const READ_GPS: &str = "[driver.read_gps]\nprocess = \"navigation\"\nworst = \"50us\"\n";
const LOOK: &str = "[task.look]\nprocess = \"rover\"\nworst = \"1ms\"\nstack = \"512\"\n";

const CASES: &[Case] = &[
    overload("syntax", "overload.tdl:18:", |system| program_says(system, "look();", "look()")),
    overload("empty_program", "overload.tdl", |system| {
        fs::write(system.join("overload.tdl"), "").expect("written");
    }),
    overload("unknown_name", "overload.tdl:19:", |system| {
        program_says(system, "look.picture", "look.pictur")
    }),
    overload("uneven_frequency", "overload.tdl:18:", |system| {
        program_says(system, "[freq = 8]", "[freq = 7]")
    }),
    overload("long_period", "overload.tdl:17:", |system| {
        program_says(system, "period = 200ms", "period = 20000000000s")
    }),
    overload("overflowing_period", "overload.tdl:17:", |system| {
        program_says(system, "period = 200ms", "period = 99999999999999999999s")
    }),
    overload("port_too_large", "overload.tdl:4:", |system| {
        let zeros = vec!["0"; 251].join(", ");
        program_says(system, "int picture := 0", &format!("int[251] picture := {{{zeros}}}"));
        program_says(system, "input  int picture", "input int[251] picture");
    }),
    overload("undescribed_task", "overload.tdl:4:", |system| description_says(system, LOOK, "")),
    overload("unknown_task", "beryl.toml:25:", |system| {
        description_says(
            system,
            "[task.plan]",
            "[task.plann]\nprocess = \"rover\"\nworst = \"1ms\"\nstack = \"512\"\n\n[task.plan]",
        )
    }),
    overload("negative_time", "beryl.toml:22:", |system| {
        description_says(system, "worst = \"1ms\"", "worst = \"-1ms\"")
    }),
    overload("overflowing_time", "beryl.toml:22:", |system| {
        description_says(system, "worst = \"1ms\"", "worst = \"18446744073709551616ns\"")
    }),
    overload("unknown_board", "beryl.toml:9:", |system| description_says(system, "mps2-an385", "mps2-an387")),
    overload("little_ram", "beryl.toml:11:", |system| {
        description_says(system, "ram = \"24k\"", "ram = \"4k\"")
    }),
    overload("little_stack", "beryl.toml:23:", |system| {
        description_says(system, "stack = \"512\"\n\n", "stack = \"16\"\n\n")
    }),
    overload("syntax_of_description", "beryl.toml:14:", |system| {
        description_says(system, "memory = \"256\"", "memory = ")
    }),
    overload("no_program", "beryl.toml:5:", |system| {
        fs::remove_file(system.join("overload.tdl")).expect("removed");
    }),
    overload("no_description", "beryl.toml", |system| {
        fs::remove_file(system.join("beryl.toml")).expect("removed");
    }),
    overload("no_folder", "wrong/no_folder", |system| fs::remove_dir_all(system).expect("removed")),
    helicopter("undescribed_driver", "helicopter.tdl:4:", |system| description_says(system, READ_GPS, "")),
    helicopter("unknown_driver", "beryl.toml:44:", |system| {
        description_says(system, READ_GPS, &(READ_GPS.to_owned() + &READ_GPS.replace("gps", "gsp")))
    }),
    helicopter("unknown_in_assertion", "beryl.toml:57:", |system| {
        description_says(system, "[\"gps\", \"rotor\"]", "[\"gps\", \"roter\"]")
    }),
];

/// What only building shows; compilers' words and sizes differ, so parts of what is said are looked for.
const BUILT: &[(Case, &[&str])] = &[
    (
        Case {
            command: "sim",
            ..overload("no_application", "beryl.toml:", |system| {
                description_says(system, "/overload/app", "/overload/nowhere")
            })
        },
        &["isn't there", "name the folder of a crate"],
    ),
    (
        Case {
            command: "check",
            ..overload("little_flash", "beryl.toml:10:", |system| {
                description_says(system, "flash = \"64k\"", "flash = \"8k\"")
            })
        },
        &["bytes of flash, 8192 are allowed", "bytes too few", "in bytes: kernel ", "allow \""],
    ),
    (
        Case { command: "build", ..overload("little_memory", "process `rover`", too_many_variables) },
        &["need 400 bytes, 256 are allowed", "raise `memory` in [process.rover] to \"400\""],
    ),
    (
        Case {
            command: "sim",
            ..overload("does_not_compile", ".tdl:", |system| {
                own_application(system, "pub fn look_impl() {}\n")
            })
        },
        &["nothing in crate `app` is called `plan_impl`", "pub fn plan_impl(picture: &i32, way: &mut i32)"],
    ),
    (
        Case {
            command: "sim",
            ..overload("nothing_is_there", ".tdl:", |system| own_application(system, "mod nothing {}\n"))
        },
        &["2 mistakes in the timing program", "is called `look_impl`", "is called `plan_impl`"],
    ),
    (
        Case {
            command: "sim",
            ..overload("nothing_fits", ".tdl:", |system| {
                own_application(
                    system,
                    "pub fn plan_impl(_: &i32) {}\npub fn look_impl(_: bool, _: i32) {}\n",
                )
            })
        },
        &[
            "2 mistakes in the timing program",
            "`look_impl` of crate `app` isn't what the system calls",
            "`plan_impl` of crate `app` isn't what the system calls",
        ],
    ),
];

/// Overload's program with an application that has more variables than its process may have.
fn too_many_variables(system: &Path) {
    own_application(
        system,
        "use core::sync::atomic::{AtomicI32, Ordering};\n\
         static PICTURES: [AtomicI32; 100] = [const { AtomicI32::new(1) }; 100];\n\
         pub fn look_impl(taken: &mut i32, picture: &mut i32) {\n\
             for cell in &PICTURES {\n        *taken = taken.wrapping_add(cell.fetch_add(1, Ordering::Relaxed));\n    }\n    \
             *picture = *taken;\n}\n\
         pub fn plan_impl(picture: &i32, way: &mut i32) {\n    *way = *picture;\n}\n",
    );
}

/// Gives a system a crate of its own, in its folder.
fn own_application(system: &Path, text: &str) {
    let name = system.file_name().expect("a name").display();
    fs::create_dir_all(system.join("app/src")).expect("a folder");
    let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    fs::write(system.join("app/Cargo.toml"), manifest).expect("written");
    fs::write(system.join("app/src/lib.rs"), format!("#![no_std]\n{text}")).expect("written");
    description_says(system, "../../../../examples/overload/app", "app");
}

/// A copy of an example under the name of its folder, with so little to do that it fits.
fn light_copy(from: &str, system: &Path) {
    fs::create_dir_all(system).expect("a folder");
    for file in ["beryl.toml".to_owned(), format!("{from}.tdl")] {
        fs::copy(root().join("examples").join(from).join(&file), system.join(&file)).expect("a copy");
    }
    let name = system.file_name().expect("a name").display();
    description_says(system, &format!("name = \"{from}\""), &format!("name = \"{name}\""));
    description_says(system, "= \"app\"", &format!("= \"../../../../examples/{from}/app\""));
    if from == "helicopter" {
        description_says(system, "= \"plant\"", "= \"../../../../examples/helicopter/plant\"");
    }
    if from == "overload" {
        description_says(system, "11.5ms\"", "1ms\"");
        description_says(system, "\"23ms\"", "\"2ms\"");
    }
}

/// A fresh copy for a case; nothing of an earlier run is left.
fn fresh(case: &str, example: &str) -> PathBuf {
    for place in ["wrong", "build", "out"] {
        fs::remove_dir_all(folder().join(place).join(case)).ok();
    }
    let system = folder().join("wrong").join(case);
    light_copy(example, &system);
    system
}

/// Runs the program with lines so long that none is broken.
fn told(arguments: &[&str]) -> Ran {
    finish(program(arguments).env("COLUMNS", "1000").env("CARGO_TERM_COLOR", "never"))
}

/// All files below a folder that may not be there.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("readable").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn assert_nothing_left(case: &str) {
    let built = files(&folder().join("build").join(case)).into_iter();
    let partial: Vec<_> = built
        .filter(|path| path.ends_with("image.bin") || path.extension().is_some_and(|kind| kind == "partial"))
        .collect();
    assert_eq!(partial, Vec::<PathBuf>::new(), "{case}");
    assert_eq!(files(&folder().join("out").join(case)), Vec::<PathBuf>::new(), "{case}");
}

#[test]
fn wrong_systems_are_refused_in_words() {
    for case in CASES {
        assert_recorded(&format!("wrong/{}.txt", case.name), &refused(case));
    }
}

#[test]
fn what_only_building_shows_is_told() {
    for (case, parts) in BUILT {
        let said = refused(case);
        parts.iter().for_each(|part| assert!(said.contains(part), "{}: no {part}: {said}", case.name));
    }
}

/// What is planned for a kernel is a bound. Where that leaves open whether a system fits, `check` compiles
/// the kernel, to the byte.
#[test]
fn a_kernel_that_nearly_fills_the_flash_is_compiled_to_see() {
    const STEP: &str = "compiling the kernel, to see whether it fits into the flash";
    let system = fresh("nearly_full", "overload");
    let checked = || told(&["check", "wrong/nearly_full"]);
    let number_behind = |text: &str, word: &str| -> u32 {
        let (_, rest) = text.split_once(word).unwrap_or_else(|| panic!("no {word}: {text}"));
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or_else(|_| panic!("no number behind {word}: {text}"))
    };
    let plenty = checked();
    assert!(plenty.code == Some(0) && !plenty.everything().contains(STEP), "{plenty:?}");
    description_says(&system, "flash = \"64k\"", "flash = \"8k\"");
    let refused = checked().everything();
    assert!(refused.contains(STEP) && refused.contains("bytes of flash, 8192 are allowed"), "{refused}");
    let needed = number_behind(&refused, "the system needs ");
    description_says(&system, "flash = \"8k\"", &format!("flash = \"{}\"", needed - 1));
    let refused = checked();
    assert!(refused.code == Some(1) && refused.err.contains("1 bytes too few"), "{refused:?}");
    description_says(&system, &format!("\"{}\"", needed - 1), &format!("\"{needed}\""));
    let accepted = checked();
    assert!(accepted.code == Some(0) && accepted.err.contains(STEP), "{accepted:?}");
    assert_eq!(files(&folder().join("build/nearly_full")), Vec::<PathBuf>::new(), "check builds nothing");
    // There is room for the kernel and nothing else, so the image is refused for its process, with the
    // kernel's true size.
    let built = told(&["build", "wrong/nearly_full"]).everything();
    let taken = number_behind(&built, "in bytes: kernel ");
    assert!((needed - 2 * 64..=needed).contains(&taken), "{needed} were asked for: {built}");
    assert!(built.contains("process `rover` "), "{built}");
}

/// What is said about a case, which must be refused.
fn refused(Case { name, example, command, place, spoil }: &Case) -> String {
    let system = fresh(name, example);
    spoil(&system);
    let ran = told(&[command, &format!("wrong/{name}")]);
    let said = ran.everything();
    assert_eq!(ran.code, Some(1), "{name}: {said}");
    assert!(said.contains(place), "{name} doesn't name {place}: {said}");
    assert!(!said.contains("panicked"), "{name}: {said}");
    assert_nothing_left(name);
    said
}

/// The copies fit but for what is changed in them.
#[test]
fn the_unspoilt_copies_are_well() {
    for from in ["overload", "helicopter"] {
        let case = format!("unspoilt_{from}");
        fresh(&case, from);
        beryl(&["check", &format!("wrong/{case}")]).ended(0);
    }
}

#[test]
fn a_program_is_no_system() {
    fresh("program", "overload");
    let mut said = String::new();
    for command in ["check", "sim", "build", "run"] {
        let ran = told(&[command, "wrong/program/overload.tdl"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        said += &format!("{command}: {}", ran.everything());
    }
    assert_nothing_left("program");
    assert_recorded("wrong/program.txt", &said);
}

/// The system code of the overloaded rover, as `beryl build` writes it.
fn system_code() -> Vec<u8> {
    let project = Project::load(Path::new(&example("overload")), Variant::default()).expect("a project");
    let (_, bytes) = containers(&project).into_iter().next().expect("a module");
    bytes
}

#[test]
fn damaged_system_code_is_refused() {
    let whole = system_code();
    assert!(Container::read(&whole).is_ok());
    for length in 0..whole.len() {
        assert!(Container::read(&whole[..length]).is_err(), "cut off after {length} bytes");
    }
    for bit in 0..whole.len() * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(Container::read(&flipped).is_err(), "bit {bit} flipped");
    }
}

#[test]
fn damaged_files_of_system_code_are_refused_in_words() {
    let whole = system_code();
    let place = folder().join("wrong/system_code");
    fs::create_dir_all(&place).expect("a folder");
    let check = |name: &str, bytes: &[u8]| {
        fs::write(place.join(name), bytes).expect("written");
        told(&["check", &format!("wrong/system_code/{name}")])
    };
    let accepted = check("whole.bsc", &whole).ended(0);
    assert!(accepted.starts_with("module Rover: "), "{accepted}");

    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let wrong = [
        ("cut.bsc", &whole[..whole.len() / 2]),
        ("flipped.bsc", &flipped[..]),
        ("picture.bsc", b"\x89PNG\r\n"),
        ("empty.bsc", b""),
    ];
    let said: String = wrong.iter().map(|(name, bytes)| check(name, bytes).everything()).collect();
    assert_eq!(said.matches("exit code 1\n").count(), wrong.len(), "{said}");
    assert_recorded("wrong/system_code.txt", &said);
}

#[test]
fn machines_can_read_every_line() {
    let joined = fresh("json_joined", "overload");
    description_says(&joined, LOOK, "");
    fs::write(joined.join("overload.tdl"), "module \"\t\\ {").expect("written");
    let several = fresh("json_several", "overload");
    description_says(&several, "\"rover\"", "\"rower\"");
    fresh("json_well", "overload");
    let missing = fresh("json_missing", "overload");
    fs::remove_dir_all(missing).expect("removed");
    let over = example("overload");
    let application = fresh("json_application", "overload");
    own_application(&application, "pub fn look_impl() {}\n");
    let runs: [(&str, &str, i32); 6] = [
        ("check", "wrong/json_well", 0),
        ("check", "wrong/json_joined", 1),
        ("check", "wrong/json_several", 1),
        ("check", "wrong/json_missing", 1),
        ("check", &over, 1),
        ("sim", "wrong/json_application", 1),
    ];
    for (command, path, code) in runs {
        let ran = told(&["--json", command, path]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(code), ""), "{path}: {}", ran.out);
        assert!(!ran.out.is_empty(), "{path}");
        for line in ran.out.lines() {
            let value: Result<serde_json::Value, _> = serde_json::from_str(line);
            assert!(value.is_ok_and(|value| value.is_object()), "{path}: {line}");
        }
    }
}

#[test]
fn help_says_how() {
    let top = beryl(&["--help"]).ended(0);
    assert!(
        top.contains("Example:\n  beryl new lamp ") && top.contains("\n  beryl check examples/helicopter "),
        "{top}"
    );
    for command in ["new", "check", "sim", "run", "test", "build", "trace", "doctor"] {
        let help = beryl(&[command, "--help"]).ended(0);
        assert!(help.contains("Usage: beryl ") && !help.contains("panicked"), "{help}");
        assert!(top.contains(&format!("\n  {command} ")), "{top}");
    }
}

#[test]
fn wrong_command_lines_end_with_two() {
    let wrong: [&[&str]; 6] = [
        &["check", "--no-such-option"],
        &["no-such-command"],
        &["check"],
        &[],
        &["sim", ".", "--for", "-1s"],
        &["run", ".", "--speed", "11"],
    ];
    for arguments in wrong {
        let ran = beryl(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.err.contains("--help") && !ran.err.contains("panicked"), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn colours_are_as_asked_for() {
    fresh("colours", "overload");
    program_says(&fresh("refused_colours", "overload"), "look();", "look()");
    for (path, code) in [("wrong/colours", 0), ("wrong/refused_colours", 1)] {
        let escapes = |arguments: &[&str]| {
            let ran = beryl(arguments);
            assert_eq!(ran.code, Some(code), "{ran:?}");
            ran.everything().contains('\x1b')
        };
        assert!(escapes(&["check", path, "--color", "always"]), "{path}");
        assert!(!escapes(&["check", path, "--color", "never"]), "{path}");
        assert!(!escapes(&["check", path]), "{path}: this is no terminal");
    }
}

/// Where the emulator isn't installed, that is said before anything is compiled.
#[test]
fn without_the_emulator_nothing_runs() {
    fresh("no_emulator", "overload");
    let nothing = folder().join("wrong/no_programs");
    fs::create_dir_all(&nothing).expect("a folder");
    let mut run = program(&["run", "wrong/no_emulator"]);
    let ran = finish(run.env("COLUMNS", "1000").env("PATH", nothing));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.contains("not run on mps2-an385"), "{ran:?}");
    assert_nothing_left("no_emulator");
    assert!(files(&folder().join("build/no_emulator")).is_empty());
    assert_recorded("wrong/no_emulator.txt", &ran.everything());
}

#[test]
fn versions_are_told_and_compared() {
    let told = beryl(&["--version"]).ended(0);
    let lines: Vec<_> = told.lines().collect();
    assert!(
        matches!(lines[..], [_, crates, traces, link]
        if crates.starts_with("crates  ") && traces.starts_with("traces  form ") && link.starts_with("link    ")),
        "{told}"
    );
    assert_eq!(beryl(&["-V"]).ended(0).lines().next(), lines.first().copied());
    let thread = "[thread.one]\nprocess = \"one\"\npriority = 1\nentry = \"one\"\nstack = \"512\"\n";
    let system = threads("versions", "app", thread);
    application(&system, "versions-app", "#![no_std]\npub fn one() -> ! { beryl_user::call::stop() }\n");
    let manifest = system.join("app/Cargo.toml");
    let written = std::fs::read_to_string(&manifest).expect("a manifest");
    let (before, _) = written.split_once("beryl-user = ").expect("its line");
    for (line, version) in
        [("beryl-user = \"0.9\"", "0.9"), ("beryl-user = { version = \"^2.1\", features = [] }", "^2.1")]
    {
        std::fs::write(&manifest, format!("{before}{line}\n")).expect("written");
        let ran = beryl(&["check", &system.display().to_string()]);
        let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(ran.code, Some(1), "{said}");
        let own = env!("CARGO_PKG_VERSION");
        for part in [
            format!("crate `app` asks for `beryl-user = \"{version}\"`, and this is Beryl {own}"),
            format!("write `beryl-user = \"{own}\"` in app/Cargo.toml"),
        ] {
            assert!(said.contains(&part), "{part}: {said}");
        }
    }
    std::fs::write(&manifest, format!("{before}beryl-user = \"{}\"\n", env!("CARGO_PKG_VERSION")))
        .expect("written");
    beryl(&["check", &system.display().to_string()]).ended(0);
}
