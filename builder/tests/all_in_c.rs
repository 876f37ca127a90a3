//! A system whose functions are all in C: it names no crate, and what it lacks is told at its line.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::c::{Machine, compile};
use beryl_builder::functions::missing;
use beryl_builder::workshop::Workshop;
use beryl_builder::{BuildError, Nodes, Project, Variant};

const DESCRIPTION: &str = r#"
[system]
name = "plain"
[c]
sources = ["plain.c"]
[board]
name = "mps2-an385"
flash = "64k"
ram = "24k"
[process.one]
memory = "64"
[[band]]
name = "all"
policy = "fixed"
[thread.left]
process = "one"
priority = 2
entry = "left"
stack = "512"
uses = ["notes.send"]
[thread.right]
process = "one"
priority = 1
entry = "right"
stack = "512"
uses = ["notes.receive"]
[mailbox.notes]
type = "int"
capacity = 2
"#;

const SOURCE: &str =
    "void left(notes_sender *notes) { (void)notes; }\nvoid right(notes_receiver *notes) { (void)notes; }\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("all_in_c").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The project with changes, as far as `beryl check` looks for its functions.
fn load(name: &str, description: &str, source: &str) -> Result<Project, BuildError> {
    let folder = folder(name);
    fs::write(folder.join("beryl.toml"), description).expect("a file");
    fs::write(folder.join("plain.c"), source).expect("a file");
    let project = Project::load(&folder, Variant::default())?;
    missing::check(&project, &Workshop::new(&folder)).map(|()| project)
}

fn refused(name: &str, description: &str, source: &str) -> String {
    let error = load(name, description, source).err().unwrap_or_else(|| panic!("{name} is accepted"));
    let said = format!("{:?}", miette::Report::new(error)).replace('\u{2502}', " ");
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn without_an_application_every_function_is_in_c() {
    let project = load("well", DESCRIPTION, SOURCE).unwrap_or_else(|error| panic!("{error:?}"));
    let in_c: Vec<_> = project.assembly.in_c.iter().map(String::as_str).collect();
    assert_eq!(in_c, ["left", "right"]);
    // Naming some of them changes nothing.
    let named = DESCRIPTION.replace("[\"plain.c\"]", "[\"plain.c\"]\nfunctions = [\"left\"]");
    let project = load("named", &named, SOURCE).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(project.assembly.in_c.len(), 2);
}

#[test]
fn what_is_lacking_is_told_at_its_line() {
    let cases = [
        // Neither Rust nor C.
        ("neither", "[c]\nsources = [\"plain.c\"]\n", "", SOURCE, "[system] has no `application`"),
        ("no_sources", "sources = [\"plain.c\"]\n", "", SOURCE, "[c] has no `sources`"),
        (
            "undefined",
            "",
            "",
            "void left(notes_sender *notes) { (void)notes; }\n",
            "no source in C is called `right`",
        ),
        (
            "unknown",
            "[\"plain.c\"]",
            "[\"plain.c\"]\nfunctions = [\"lfet\"]",
            SOURCE,
            "no task, driver or thread has the function `lfet`",
        ),
        (
            "no_variable",
            "entry = \"left\"",
            "entry = \"left\"\nargument = \"mine\"",
            SOURCE,
            "no source in C is called `mine`",
        ),
        (
            "other_kinds",
            "entry = \"right\"",
            "entry = \"left\"",
            SOURCE,
            "threads `left` and `right` can't begin with one function in C, `left`: in place 1 of `uses`, they have a mailbox and a \
             semaphore",
        ),
        (
            "other_numbers",
            "entry = \"right\"",
            "entry = \"left\"",
            SOURCE,
            "`left`: they use 1 and 2 objects",
        ),
        (
            "other_argument",
            "entry = \"right\"",
            "entry = \"left\"\nargument = \"left\"",
            SOURCE,
            "`left`: one of them has an `argument`",
        ),
        (
            "other_period",
            "entry = \"right\"",
            "entry = \"left\"\nperiod = \"1ms\"\nworst = \"0.1ms\"",
            SOURCE,
            "`left`: one of them has a period",
        ),
    ];
    for (name, from, to, source, expected) in cases {
        let mut description = DESCRIPTION.replacen(from, to, 1);
        match name {
            "formless" => description += "[trace]\nbuffer = \"1k\"\n",
            "other_kinds" => {
                description = description
                    .replacen("[\"notes.receive\"]", "[\"units\", \"notes.receive\"]", 1)
                    .replacen("[\"notes.send\"]", "[\"notes.send\", \"units\"]", 1)
                    + "[semaphore.units]\nkind = \"counting\"\ninitial = 0\nmost = 3\n";
            }
            "other_numbers" => {
                description = description.replacen("[\"notes.receive\"]", "[\"notes.receive\", \"map\"]", 1)
                    + "[lock.map]\n";
            }
            _ => {}
        }
        let said = refused(name, &description, source);
        assert!(said.contains(expected), "{name}: {said}");
    }
}

/// Mailboxes of two threads that begin with one function: it is given any mailbox, and so both compile.
#[test]
fn threads_of_one_function_with_other_objects_are_given_any_of_the_kind() {
    let description = DESCRIPTION.replacen("entry = \"right\"", "entry = \"left\"", 1);
    let project = load("shared", &description, SOURCE).unwrap_or_else(|error| panic!("{error:?}"));
    let text = beryl_builder::emit::c::header(&project.model, &project.assembly).text;
    let expected = "/* Threads `left`, `right`. */\nvoid left(const beryl_mailbox *mailbox);\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("extern const beryl_mailbox notes_object;\n"), "{text}");
}

/// Threads that watch others, which have their reports by handles only.
const WATCHED: &str = "
[thread.third]
process = \"one\"
priority = 3
entry = \"third\"
stack = \"512\"
tells = \"left\"
[thread.fourth]
process = \"one\"
priority = 4
entry = \"fourth\"
stack = \"512\"
tells = \"right\"
";

#[test]
fn two_supervisors_have_a_function_each() {
    let source = "void left(left_supervisor *reports, notes_sender *notes) { (void)reports, (void)notes; }\n\
                  void right(right_supervisor *reports, notes_receiver *notes) { (void)reports, (void)notes; }\n\
                  void third(void) {}\nvoid fourth(void) {}\n";
    let description = format!("{DESCRIPTION}{WATCHED}");
    load("supervisors", &description, source).unwrap_or_else(|error| panic!("{error:?}"));
    let one = description.replace("entry = \"right\"", "entry = \"left\"");
    let said = refused("one_for_both", &one, source);
    let expected = "threads `left` and `right` can't begin with one function in C, `left`: in place 1 of `uses`, each has a supervisor \
                    of its own, which no value stands for";
    assert!(said.contains(expected), "{said}");
    let argument = description.replace("entry = \"left\"", "entry = \"left\"\nargument = \"mine\"");
    let said = refused("handle_and_argument", &argument, source);
    let expected = "`left` has a supervisor, which comes as a handle only, and a function with an `argument` is given none";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn an_argument_is_for_a_function_in_c() {
    let description = DESCRIPTION
        .replacen("name = \"plain\"", "name = \"plain\"\napplication = \"app\"", 1)
        .replacen("[c]", "[c]\nfunctions = [\"left\"]", 1)
        .replacen("entry = \"right\"", "entry = \"right\"\nargument = \"mine\"", 1);
    let said = refused("in_rust", &description, SOURCE);
    assert!(said.contains("`argument` is for functions in C, and `right` is in Rust"), "{said}");
}

/// Two processes on two nodes, each with a thread; of the application's crate there is nothing but its name.
const APART: &str = r#"
[system]
name = "apart"
application = "app"
[c]
sources = ["plain.c"]
functions = ["left"]
[board]
name = "mps2-an385"
flash = "64k"
ram = "24k"
[node.here]
[node.there]
[bus]
frame = "100us"
byte = "8us"
[process.one]
node = "here"
memory = "64"
[process.two]
node = "there"
memory = "64"
[[band]]
name = "all"
policy = "fixed"
[thread.left]
process = "one"
priority = 2
entry = "left"
stack = "512"
[thread.right]
process = "two"
priority = 1
entry = "right"
stack = "512"
"#;

#[test]
fn functions_in_c_are_on_one_kernel() {
    let folder = folder("apart");
    let nodes = |description: &str| {
        fs::write(folder.join("beryl.toml"), description).expect("a file");
        fs::write(folder.join("plain.c"), "void left(void) {}\n").expect("a file");
        Nodes::load(&folder, Variant::default()).map(|nodes| nodes.expect("it has some"))
    };
    let apart = nodes(APART).unwrap_or_else(|error| panic!("{error:?}"));
    let compiled = apart.parts.iter().map(|node| {
        let workshop = Workshop::new(&folder);
        compile(&node.project, &workshop, Machine::Board)
            .unwrap_or_else(|error| panic!("{error:?}"))
            .objects
            .len()
    });
    assert_eq!(compiled.collect::<Vec<_>>(), [1, 0]);
    let refused = |description: &str| {
        let error = nodes(description).err().unwrap_or_else(|| panic!("{description} is accepted"));
        let said = format!("{:?}", miette::Report::new(error)).replace('\u{2502}', " ");
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let on_both =
        "functions in C are on one node, and `right` is on node `there`, while `left` is on node `here`";
    let all = APART.replace("application = \"app\"\n", "");
    for description in [&all, &APART.replace("[\"left\"]", "[\"left\", \"right\"]")] {
        let said = refused(description);
        assert!(said.contains(on_both) && said.contains("entry = \"right\""), "{said}");
        assert!(said.contains("write `right` in Rust"), "{said}");
    }
    // Where the pools are, the others have to be.
    let pools = "[cmsis]\nprocess = \"two\"\nthreads = 1\nstack = \"512\"\n[board]";
    let said = refused(&APART.replace("[board]", pools));
    let told = "`left` is on node `here`, while `cmsis_begin` is on node `there`";
    assert!(said.contains(told), "{said}");
    // Cores are called by their name.
    let cores =
        APART.replace("mps2-an385", "mps2-an521").replace("[node.", "[core.").replace("node =", "core =");
    let said = refused(
        &cores
            .replace("[bus]\nframe = \"100us\"\nbyte = \"8us\"\n", "")
            .replace("[\"left\"]", "[\"left\", \"right\"]"),
    );
    assert!(said.contains("are on one core, and `right` is on core `there`"), "{said}");
}
