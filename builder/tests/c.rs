//! The header for native functions in C, and what its compiler makes of functions that don't follow it.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::c::{Machine, compile};
use beryl_builder::emit::c::header;
use beryl_builder::workshop::Workshop;
use beryl_builder::{BuildError, Project, Variant};

const DESCRIPTION: &str = r#"
[system]
name = "nested"
timing = ["nested.tdl"]
application = "app"
[c]
sources = ["nested.c"]
functions = ["plan_impl", "read_gps", "show_route", "is_near", "mix"]
[board]
name = "mps2-an385"
flash = "64k"
ram = "64k"
[process.one]
memory = "64"
driver_stack = "512"
[[band]]
name = "all"
policy = "dynamic"
[task.plan]
process = "one"
worst = "1ms"
stack = "512"
[task.mixing]
process = "one"
worst = "1ms"
stack = "512"
[driver.read_gps]
process = "one"
worst = "5us"
[driver.show_route]
process = "one"
worst = "5us"
[driver.is_near]
process = "one"
worst = "5us"
"#;

/// Beside what the language's own test has: each basic type, arrays, and a word of C as a name.
const MIX: &str = "module Mix {
  task mixing {
    state boolean b := false; state byte[4] i := {0, 0, 0, 0}; state short s := 0; state long l := 0;
    state char default := 'a'; state float[3] f := {0, 0, 0}; output double d := 0;
    uses mix(b, i, s, l, default, f, d);
  }
  start mode run [period = 10ms] { task [freq = 1] mixing(); }
}";

const SOURCE: &str = "
void plan_impl(const Point *here, Four *deep, Leg (*seen)[3], Route *way) {
    deep->three.two.beside[2] = *here;
    (*seen)[2].ends[1] = *here;
    way->legs[1].flags[7] = (int8_t)here->x;
}
void read_gps(Point *value) { value->x = 1.5f; }
void show_route(const Route *value) { (void)value; }
bool is_near(const Point *gps, const Route *way) { return gps->x < way->goal.x; }
void mix(uint8_t *b, int8_t (*i)[4], int16_t *s, int64_t *l, uint8_t *other, float (*f)[3], double *d) {
    *d = *b + (*i)[3] + *s + (double)*l + *other + (double)(*f)[2];
}
";

fn project(name: &str, source: &str) -> (PathBuf, Project) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let nested = Path::new(env!("CARGO_MANIFEST_DIR")).join("../timing/tests/right/nested.tdl");
    let timing = fs::read_to_string(nested).expect("a program") + MIX;
    for (file, text) in [("nested.tdl", timing.as_str()), ("beryl.toml", DESCRIPTION), ("nested.c", source)] {
        fs::write(folder.join(file), text).expect("a file");
    }
    let project = Project::load(&folder, Variant::default()).unwrap_or_else(|error| panic!("{error:?}"));
    (folder, project)
}

fn compiled(name: &str, source: &str, machine: Machine) -> Result<Vec<PathBuf>, String> {
    let (folder, project) = project(name, source);
    compile(&project, &Workshop::new(&folder), machine).map_err(|error| match error {
        BuildError::Step { what, output } => format!("{what}: {}", output.replace(['‘', '’'], "'")),
        other => format!("{other:?}"),
    })
}

#[test]
fn the_header_has_all_types_and_functions() {
    let (_, project) = project("header", SOURCE);
    let text = header(&project.model, &project.assembly).text;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/ports.h");
    if std::env::var_os("BERYL_BLESS").is_some() {
        fs::write(&path, &text).expect("the file can be written");
    }
    assert_eq!(text, fs::read_to_string(path).unwrap_or_default());
}

#[test]
fn functions_that_follow_it_compile_for_both_machines() {
    for (name, machine) in [("host", Machine::Host), ("board", Machine::Board)] {
        let objects = compiled(name, SOURCE, machine).unwrap_or_else(|said| panic!("{name}: {said}"));
        assert!(objects.iter().all(|object| object.is_file()), "{objects:?}");
    }
}

#[test]
fn functions_that_do_not_follow_it_do_not_compile() {
    let changes = [
        ("float (*f)[3]", "float (*f)[4]", "conflicting types for 'mix'"),
        ("const Point *here", "Point *here", "conflicting types for 'plan_impl'"),
        ("Leg (*seen)[3]", "Leg *seen", "conflicting types for 'plan_impl'"),
        ("int64_t *l", "int32_t *l", "conflicting types for 'mix'"),
        ("bool is_near", "void is_near", "conflicting types for 'is_near'"),
        ("void read_gps", "void read_gpz", "no previous prototype for 'read_gpz'"),
        ("three.two.beside[2]", "three.two.besides[2]", "has no member named 'besides'"),
    ];
    for (from, to, expected) in changes {
        assert!(SOURCE.contains(from), "{from}");
        let said = compiled("wrong", &SOURCE.replace(from, to), Machine::Host).expect_err(to);
        assert!(said.starts_with("compiling nested.c: ") && said.contains(expected), "{to}: {said}");
    }
}

#[test]
fn what_the_description_says_of_c_must_be_so() {
    let (folder, _) = project("described", SOURCE);
    let refused = |from: &str, to: &str| {
        let path = folder.join("beryl.toml");
        fs::write(&path, DESCRIPTION.replace(from, to)).expect("a file");
        format!("{:?}", miette::Report::new(Project::load(&folder, Variant::default()).expect_err(to)))
    };
    let said = refused("\"mix\"]", "\"mixed\"]");
    assert!(
        said.contains("the timing program uses no native function `mixed`") && said.contains("mix"),
        "{said}"
    );
    let said = refused("\"mix\"]", "\"mix\", \"is_near\"]");
    assert!(said.contains("is_near"), "{said}");
    let said = refused("functions = [\"plan_impl\", \"read_gps\", \"show_route\", \"is_near\", \"mix\"]", "");
    assert!(said.contains("has no `functions`"), "{said}");
    let said = refused("[task.mixing]", "[semaphore.s]\nkind = \"binary\"\n[task.mixing]\nuses = [\"s\"]");
    assert!(said.contains("objects have no form in C"), "{said}");

    let (folder, project) = project("absent", SOURCE);
    fs::remove_file(folder.join("nested.c")).expect("it was there");
    let said = compile(&project, &Workshop::new(&folder), Machine::Host).expect_err("there is no source");
    assert!(said.to_string().contains("can't read") && said.to_string().contains("nested.c"), "{said}");
}
