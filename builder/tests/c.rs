//! The header for native functions in C, and what its compiler makes of functions that don't follow it.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::c::{Machine, compile};
use beryl_builder::emit::c::{direct, header, plain};
use beryl_builder::workshop::Workshop;
use beryl_builder::{BuildError, Project, Variant};
use object::{Object, ObjectSymbol};

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

/// All objects that have a form in C, each used in each way.
const OBJECTS: &str = r#"
[system]
name = "objects"
application = "app"
[c]
sources = ["objects.c"]
functions = ["left", "right", "aside"]
[board]
name = "mps2-an385"
flash = "64k"
ram = "64k"
[process.one]
memory = "64"
[[band]]
name = "all"
policy = "fixed"
[thread.left]
process = "one"
priority = 3
priorities = [2, 6]
entry = "left"
stack = "512"
period = "10ms"
worst = "1ms"
uses = ["map", "plain", "store", "units", "filled", "notes.send", "server.call", "tick.notify", "speed.write", "wide.write", "frame", "ready.set", "left.priority"]
[thread.right]
process = "one"
priority = 2
entry = "right"
stack = "512"
uses = ["map", "plain", "bare", "notes.receive", "server.serve", "tick.wait", "line", "speed.read", "wide.read_slow", "frame", "ready.wait", "near.serve", "far.serve"]
[thread.aside]
process = "one"
priority = 1
entry = "aside"
stack = "512"
uses = ["bare", "store", "units", "filled", "letters.send", "letters.receive", "pairs.send", "pairs.receive", "ones.send", "ones.receive", "near.call", "far.call"]
[lock.map]
type = "float[3]"
[lock.plain]
[semaphore.store]
kind = "binary"
type = "int"
[semaphore.bare]
kind = "binary"
[semaphore.units]
kind = "counting"
initial = 0
most = 3
[condition.filled]
[mailbox.notes]
type = "short[5]"
capacity = 2
[endpoint.server]
request = "int"
reply = "double[2]"
[mailbox.letters]
type = "int[4]"
capacity = 2
[mailbox.pairs]
type = "long"
capacity = 2
[mailbox.ones]
type = "int"
capacity = 2
[endpoint.near]
request = "int"
reply = "int[2]"
[endpoint.far]
request = "int"
reply = "int[3]"
[event_group.ready]
[notification.tick]
[interrupt.line]
line = 4
[state.speed]
type = "float"
read_within = "5ms"
[state.wide]
type = "long[3]"
[region.frame]
size = "64"
"#;

const USERS: &str = "
void left(beryl_period *period, map_lock *map, plain_lock *plain, store_semaphore *store, units_semaphore *units,
          filled_condition *filled, notes_sender *notes, server_client *server, tick_notifier *tick,
          speed_writer *speed, wide_writer *wide, frame_region *frame, ready_source *ready, left_thread *self) {
    float (*values)[3] = map_enter(map);
    (*values)[2] = beryl_sinf((*values)[1]);
    filled_wait_in_map(filled, map, BERYL_FOREVER);
    map_leave(map);
    plain_enter(plain);
    plain_leave(plain);
    store_wait(store, BERYL_POLL);
    filled_wait_in_store(filled, store, 25);
    *store_value(store) += 1;
    store_signal(store);
    units_signal(units);
    const int16_t note[5] = {0};
    notes_send(notes, &note, BERYL_FOREVER);
    const int32_t request = 5;
    double reply[2];
    server_call(server, &request, &reply, BERYL_FOREVER);
    tick_notify(tick);
    const float now = 0.5f;
    speed_write(speed, &now);
    const int64_t three[3] = {1, 2, 3};
    wide_write(wide, &three);
    frame_store(frame, 4, 5);
    ready_set(ready, 5);
    (void)(ready_clear(ready, 1) + 1);
    if (left_set_priority(self, 6) == BERYL_OUT_OF_RANGE) beryl_stop();
    uint32_t missed;
    beryl_wait_period(period, &missed);
}
void right(map_lock *map, plain_lock *plain, bare_semaphore *bare, notes_receiver *notes, server_server *server,
           tick_notification *tick, line_interrupt *line, speed_reader *speed, wide_slow_reader *wide,
           frame_region *frame, ready_waiter *ready, near_server *near, far_server *far) {
    (void)map, (void)plain, (void)speed, (void)frame;
    bare_wait(bare, BERYL_FOREVER);
    bare_signal(bare);
    int16_t note[5];
    notes_receive(notes, &note, BERYL_FOREVER);
    int32_t request;
    const double reply[2] = {0, 1};
    server_receive(server, &request, BERYL_FOREVER);
    server_reply(server, &reply, &request);
    uint32_t set;
    line_acknowledge(line);
    beryl_wait_any(tick_bits(tick) | line_bits(line), BERYL_FOREVER, &set);
    int64_t three[3];
    wide_read_slow(wide, &three);
    ready_wait_any(ready, 3, BERYL_FOREVER, &set);
    ready_wait_all(ready, 3, BERYL_POLL, &set);
    ready_take_any(ready, 3, 25, &set);
    ready_take_all(ready, 3, 25, &set);
    const int32_t two[2] = {1, 2}, three_more[3] = {1, 2, 3};
    near_receive(near, &request, 25);
    near_reply(near, &two, &request);
    far_receive(far, &request, 25);
    far_reply(far, &three_more, &request);
}
void aside(bare_semaphore *bare, store_semaphore *store, units_semaphore *units, filled_condition *filled,
           letters_sender *out, letters_receiver *in, pairs_sender *pairs_out, pairs_receiver *pairs_in,
           ones_sender *ones_out, ones_receiver *ones_in, near_client *near, far_client *far) {
    (void)bare, (void)store;
    int32_t letter[4] = {1, 2, 3, 4}, two[2], three[3];
    int64_t pair = 5;
    letters_send(out, &letter, 25);
    letters_receive(in, &letter, 25);
    pairs_send(pairs_out, &pair, BERYL_POLL);
    pairs_receive(pairs_in, &pair, BERYL_POLL);
    ones_send(ones_out, &letter[0], BERYL_POLL);
    ones_receive(ones_in, &letter[0], BERYL_POLL);
    near_call(near, &letter[0], &two, BERYL_FOREVER);
    far_call(far, &letter[0], &three, BERYL_FOREVER);
    units_wait(units, BERYL_FOREVER);
    filled_broadcast(filled);
    beryl_stop();
}
";

/// The system with all objects.
fn objects(name: &str, source: &str) -> (PathBuf, Project) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("beryl.toml"), OBJECTS).expect("a file");
    fs::write(folder.join("objects.c"), source).expect("a file");
    let project = Project::load(&folder, Variant::default()).unwrap_or_else(|error| panic!("{error:?}"));
    (folder, project)
}

fn recorded(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(file);
    if std::env::var_os("BERYL_BLESS").is_some() {
        fs::write(&path, text).expect("the file can be written");
    }
    assert_eq!(text, fs::read_to_string(path).unwrap_or_default(), "{file}");
}

#[test]
fn the_headers_have_all_calls() {
    let (_, project) = objects("calls", USERS);
    recorded("objects.h", &header(&project.model, &project.assembly).text);
    recorded("beryl.h", &plain::header().text);
    recorded("direct.h", &direct::header(&project.assembly, project.plan.board.processor.c).text);
}

/// What a board's object file leaves to others is what the glue is needed for: words that threads share,
/// values that aren't integers or no whole words, and long messages at an address that the kernel refuses.
#[test]
fn what_is_no_more_than_a_call_needs_no_glue_on_the_board() {
    let (folder, project) = objects("direct", USERS);
    let made = made(&folder, &project, Machine::Board).expect("an object");
    let bytes = fs::read(&made[0]).expect("a file");
    let file = object::File::parse(bytes.as_slice()).expect("an object file");
    let mut left: Vec<_> = file
        .symbols()
        .filter(|symbol| symbol.is_undefined())
        .filter_map(|symbol| symbol.name().ok())
        .collect();
    left.retain(|name| !name.is_empty());
    left.sort_unstable();
    let expected = "bare_signal bare_wait beryl_sinf beryl_stop far_call far_receive far_reply filled_wait_in_map \
                    filled_wait_in_store frame_store left_set_priority letters_receive letters_send line_bits map_enter map_leave \
                    notes_receive notes_send plain_enter plain_leave server_call server_receive server_reply speed_write \
                    store_signal store_value store_wait wide_read_slow wide_write";
    assert_eq!(left.join(" "), expected);
}

#[test]
fn who_uses_an_object_otherwise_does_not_compile() {
    let changes = [
        ("", "", ""),
        ("const int16_t note[5]", "const int32_t note[5]", "incompatible pointer type"),
        ("const int16_t note[5]", "const int16_t note[4]", "incompatible pointer type"),
        ("notes_sender *notes", "notes_receiver *notes", "conflicting types for 'left'"),
        ("notes_receive(notes", "notes_receive(server", "incompatible pointer type"),
        ("plain_leave(plain)", "plain_leave(map)", "incompatible pointer type"),
        ("bare_wait(bare", "bare_value(bare", "implicit declaration of function 'bare_value'"),
        (
            "filled_wait_in_store(filled, store",
            "filled_wait_in_store(filled, units",
            "incompatible pointer type",
        ),
        ("server_reply(server, &reply", "server_reply(server, 5", "makes pointer from integer"),
    ];
    for (number, (from, to, expected)) in changes.into_iter().enumerate() {
        assert!(USERS.contains(from), "{from}");
        let (folder, project) = objects("users", &USERS.replacen(from, to, 1));
        let machines = if number == 0 { &[Machine::Host, Machine::Board][..] } else { &[Machine::Host] };
        for machine in machines {
            let said = made(&folder, &project, *machine).err().unwrap_or_default();
            assert!(said.is_empty() == (number == 0) && said.contains(expected), "{to}: {said}");
        }
    }
}

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
    made(&folder, &project, machine)
}

/// What the compiler makes of a system's functions in C, or says.
fn made(folder: &Path, project: &Project, machine: Machine) -> Result<Vec<PathBuf>, String> {
    let compiled = compile(project, &Workshop::new(folder), machine).map(|compiled| compiled.objects);
    compiled.map_err(|error| match error {
        BuildError::Compiler { what, said } => format!("{what}: {}", said.replace(['‘', '’'], "'")),
        other => format!("{other:?}"),
    })
}

#[test]
fn the_header_has_all_types_and_functions() {
    let (_, project) = project("header", SOURCE);
    let text = header(&project.model, &project.assembly).text;
    recorded("ports.h", &text);
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
        said.contains("no task, driver or thread has the function `mixed`") && said.contains("mix"),
        "{said}"
    );
    let said = refused("\"mix\"]", "\"mix\", \"is_near\"]");
    assert!(said.contains("is_near"), "{said}");
    let said = refused("functions = [\"plan_impl\", \"read_gps\", \"show_route\", \"is_near\", \"mix\"]", "");
    assert!(said.contains("has no `functions`"), "{said}");

    let (folder, project) = project("absent", SOURCE);
    fs::remove_file(folder.join("nested.c")).expect("it was there");
    let said = compile(&project, &Workshop::new(&folder), Machine::Host).expect_err("there is no source");
    assert!(said.to_string().contains("can't read") && said.to_string().contains("nested.c"), "{said}");
}
