//! Targets of CMake's: what is taken of them, what is checked of their files, and what is refused, at its line.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::c::{Machine, compile};
use beryl_builder::functions::missing;
use beryl_builder::measured::fingerprint;
use beryl_builder::workshop::Workshop;
use beryl_builder::{BuildError, Project, Variant};

const DESCRIPTION: &str = r#"
[system]
name = "made"
[c]
cmake = "app"
target = "control"
[board]
name = "mps2-an385"
flash = "64k"
ram = "24k"
[process.one]
memory = "64"
[[band]]
name = "all"
policy = "fixed"
[thread.first]
process = "one"
priority = 2
entry = "first"
stack = "512"
"#;

const LISTS: &str = "cmake_minimum_required(VERSION 3.16)\nproject(made C CXX)\n\
                     add_library(control STATIC first.c)\ntarget_link_libraries(control PRIVATE parts)\n\
                     add_library(parts OBJECT part.c)\ntarget_include_directories(parts PUBLIC inc)\n";
const FIRST: &str = "#include <part.h>\nvoid first(void) { for (int sum = 0;; sum = part(sum)) { beryl_tell(1, (uint32_t)sum); } }\n";
/// Without a prototype for the other.
const PART: &str = "#include <part.h>\nint other(int value) { return value * 7; }\nint part(int value) { return other(value) + 1; }\n";

/// A system in an empty folder of this name.
struct System {
    folder: PathBuf,
    /// Where it is built.
    workshop: PathBuf,
}

impl System {
    fn new(name: &str) -> System {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cmake").join(name);
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(folder.join("app/inc")).expect("a folder");
        let system = System { workshop: folder.clone(), folder };
        system.write("beryl.toml", DESCRIPTION);
        system.write("app/CMakeLists.txt", LISTS);
        system.write("app/first.c", FIRST);
        system.write("app/part.c", PART);
        system.write("app/inc/part.h", "int part(int value);\n");
        system
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.join(file), text).expect("a file");
    }

    fn workshop(&self) -> Workshop {
        Workshop::new(&self.workshop)
    }

    /// As far as `beryl check` looks at it.
    fn checked(&self) -> Result<Project, BuildError> {
        let project = Project::load(&self.folder, Variant::default())?;
        missing::check(&project, &self.workshop())?;
        Ok(project)
    }

    /// What its files become: the names of objects, and their bytes.
    fn compiled(&self, machine: Machine) -> Result<Vec<(String, Vec<u8>)>, BuildError> {
        let compiled = compile(&self.checked()?, &self.workshop(), machine)?;
        let object = |path: &PathBuf| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read(path).expect("an object"))
        };
        Ok(compiled.objects.iter().map(object).collect())
    }

    fn names(&self) -> Vec<String> {
        let compiled = self.compiled(Machine::Host).unwrap_or_else(|error| panic!("{}", line(error)));
        compiled.into_iter().map(|(name, _)| name).collect()
    }

    fn fingerprint(&self) -> String {
        let project = self.checked().unwrap_or_else(|error| panic!("{}", line(error)));
        fingerprint(&project, &self.workshop()).expect("all can be read")
    }
}

/// An error as one line.
fn line(error: BuildError) -> String {
    let said = match error {
        BuildError::Compiler { said, .. } => said,
        other => format!("{:?}", miette::Report::new(other)).replace('\u{2502}', " "),
    };
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_target_is_its_files_and_those_of_what_it_is_linked_with() {
    let system = System::new("well");
    for machine in [Machine::Host, Machine::Board, Machine::Floating] {
        let compiled = system.compiled(machine).unwrap_or_else(|error| panic!("{}", line(error)));
        let names: Vec<_> = compiled.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["0_first.o", "1_part.o"], "{machine:?}");
    }
}

/// A project beside the system, with a header that CMake writes.
#[test]
fn where_a_project_is_changes_nothing_of_what_is_made() {
    let [one, other] = ["here", "somewhere/else"].map(|name| {
        let System { folder, .. } = System::new(name);
        let beside = folder.join("system");
        fs::create_dir_all(&beside).expect("a folder");
        fs::rename(folder.join("beryl.toml"), beside.join("beryl.toml")).expect("it is there");
        let system = System { workshop: folder.join("built"), folder: beside };
        system.write("beryl.toml", &DESCRIPTION.replace("\"app\"", "\"../app\""));
        let written = "file(WRITE ${CMAKE_BINARY_DIR}/made.h \"static inline int made(int from) { return from * 3; }\\n\")\n\
                       target_include_directories(control PRIVATE ${CMAKE_BINARY_DIR})\n";
        system.write("../app/CMakeLists.txt", &format!("{LISTS}{written}"));
        system.write("../app/first.c", &FIRST.replace("#include", "#include <made.h>\n#include").replace("part(sum)", "made(part(sum))"));
        system
    });
    let compiled =
        |system: &System| system.compiled(Machine::Board).unwrap_or_else(|error| panic!("{}", line(error)));
    assert!(compiled(&one) == compiled(&other), "objects differ");
    assert_eq!(one.fingerprint(), other.fingerprint());
}

#[test]
fn what_changes_in_a_project_is_seen_without_being_told() {
    let system = System::new("changed");
    let lists = LISTS.replace("STATIC first.c", "STATIC ${all}");
    system.write(
        "app/CMakeLists.txt",
        &lists.replace("add_library(control", "file(GLOB all f*.c)\nadd_library(control"),
    );
    assert_eq!(system.names(), ["0_first.o", "1_part.o"]);
    let first = system.fingerprint();
    // A file that no text names.
    system.write("app/fourth.c", "static int fourth __attribute__((unused));\n");
    assert_eq!(system.names(), ["0_first.o", "1_fourth.o", "2_part.o"]);
    let second = system.fingerprint();
    // What CMake has found out by the compiler, after the text is another.
    let asking = |text: &str| {
        format!(
            "{LISTS}include(CheckCSourceCompiles)\ncheck_c_source_compiles(\"{text}\" IS_WELL)\n\
             if(NOT IS_WELL)\n  target_sources(control PRIVATE fourth.c)\nendif()\n"
        )
    };
    system.write("app/CMakeLists.txt", &asking("wrong"));
    assert_eq!(system.names(), ["0_first.o", "1_fourth.o", "2_part.o"]);
    system.write("app/CMakeLists.txt", &asking("int main(void) { return 0; }"));
    assert_eq!(system.names(), ["0_first.o", "1_part.o"]);
    // Options and headers are part of what tells code apart.
    let third = system.fingerprint();
    system.write("app/CMakeLists.txt", &format!("{LISTS}target_compile_definitions(control PRIVATE MORE)\n"));
    let fourth = system.fingerprint();
    system.write("app/inc/part.h", "int part(int from);\n");
    let all = [first, second, third, fourth, system.fingerprint()];
    for (place, one) in all.iter().enumerate() {
        assert!(place == 2 || !all[..place].contains(one), "{place}: {all:?}");
    }
}

#[test]
fn files_of_a_target_are_checked_as_all_others() {
    let system = System::new("held");
    let of_first = |text: &str| {
        system.write("app/first.c", text);
        system.compiled(Machine::Board).map(|all| all.len()).map_err(line)
    };
    let refused = |said: Result<usize, String>, parts: &[&str]| {
        let said = said.expect_err("it is refused");
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    };
    // Names are looked for where no header could have them.
    system.write("app/part.c", "static int part(int value) { return value; }\n");
    refused(of_first("void second(void) {}\n"), &["no source in C is called `first`"]);
    system.write("app/part.c", PART);
    refused(
        of_first(&format!("{FIRST}void lost(void) {{}}\n")),
        &["app/first.c:3", "lost", "named by `ported` in [c]"],
    );
    // Unless the description says that it came from elsewhere.
    system.write("beryl.toml", &DESCRIPTION.replace("target =", "ported = [\"app/first.c\"]\ntarget ="));
    assert_eq!(of_first(&format!("{FIRST}void lost(void) {{}}\n")), Ok(2));
    system.write("beryl.toml", DESCRIPTION);
    refused(
        of_first("void first(int given) { (void)given; }\n"),
        &["app/first.c:1", "conflicting types for"],
    );
    refused(
        of_first("void first(void) { __asm__ volatile(\"cpsid i\"); }\n"),
        &["`first` in app/first.c has `cpsid`"],
    );
    refused(
        of_first("void *malloc(unsigned); void first(void) { malloc(4); }\n"),
        &["`malloc`, which app/first.c uses, isn't for processes"],
    );
    system.write(
        "app/CMakeLists.txt",
        &LISTS
            .replace("add_library(parts OBJECT part.c)", "add_library(parts INTERFACE)")
            .replace("parts PUBLIC", "parts INTERFACE"),
    );
    refused(of_first(FIRST), &["`part`, which app/first.c uses, is neither in the files of [c]"]);
}

#[test]
fn what_is_wrong_with_a_target_is_told_at_its_line() {
    let system = System::new("refused");
    let with = |more: &str| format!("{LISTS}{more}\n");
    let cases = [
        (
            LISTS
                .replace("add_library(control", "add_library(contrl")
                .replace("libraries(control", "libraries(contrl"),
            "target = \"control\"",
            "CMake's `app` has no target `control` with files in C",
            "did you mean `contrl`?",
        ),
        (
            LISTS.replace("STATIC first.c", "INTERFACE").replace("control PRIVATE", "control INTERFACE"),
            "target = \"control\"",
            "has no target `control`",
            "the targets with files: `parts`",
        ),
        (
            LISTS.replace("first.c", "nowhere.c"),
            "cmake = \"app\"",
            "`app` can't be configured by CMake",
            "nowhere.c",
        ),
        (
            with("message(FATAL_ERROR \"this and that\")"),
            "cmake = \"app\"",
            "`app` can't be configured",
            "this and that",
        ),
        (
            with("enable_language(ASM)\ntarget_sources(control PRIVATE start.s)"),
            "target = \"control\"",
            "`start.s`, of which CMake's target is made, is in ASM",
            "functions are in C or C++",
        ),
        (
            with("target_compile_options(control PRIVATE -fshort-enums)"),
            "target = \"control\"",
            "CMake compiles `first.c` with `-fshort-enums`, which gives code another meaning",
            "`if(NOT BERYL)`",
        ),
        (
            with("set_source_files_properties(part.c PROPERTIES COMPILE_OPTIONS -Wl,-z)"),
            "target = \"control\"",
            "CMake compiles `part.c` with `-Wl,-z`, of which the builder doesn't know",
            "`if(NOT BERYL)`",
        ),
        (
            with("target_compile_definitions(control PRIVATE BERYL_TICK=1)"),
            "target = \"control\"",
            "with `-DBERYL_TICK=1`, and names that begin with BERYL",
            "`if(NOT BERYL)`",
        ),
        (
            with(
                "add_custom_command(OUTPUT made.c COMMAND ${CMAKE_COMMAND} -E false)\ntarget_sources(control PRIVATE made.c)",
            ),
            "cmake = \"app\"",
            "`app` can't be generated by CMake",
            "made.c",
        ),
        (
            with(
                "add_custom_command(OUTPUT made.c COMMAND ${CMAKE_COMMAND} -E true)\ntarget_sources(control PRIVATE made.c)",
            ),
            "target = \"control\"",
            "made.c`, of which CMake's target is made, isn't there, and nothing has made it",
            "cmake/host",
        ),
    ];
    system.write("app/start.s", "");
    for (lists, place, message, help) in cases {
        system.write("app/CMakeLists.txt", &lists);
        let said = system.checked().map(|_| ()).map_err(line).expect_err(message);
        assert!(said.contains(place) && said.contains(message) && said.contains(help), "{message}: {said}");
    }
    system.write("beryl.toml", &DESCRIPTION.replace("\"app\"", "\"nowhere\""));
    let said = system.checked().map(|_| ()).map_err(line).expect_err("there is none");
    let message = "there is no project of CMake's `nowhere`";
    assert!(said.contains(message) && said.contains("name a folder with a CMakeLists.txt"), "{said}");
}
