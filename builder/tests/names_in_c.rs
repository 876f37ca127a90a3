//! Names of ports and objects that meet in the header for functions in C: it compiles, or the system is refused.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::c::{Machine, compile};
use beryl_builder::emit::c::header;
use beryl_builder::workshop::Workshop;
use beryl_builder::{BuildError, Project, Variant};

/// A port and a state message with one name, and a port with that of a type that comes later.
const TIMING: &str = "module Meeting {
  struct Leg { int x; }
  task merging {
    state float speed := 0; state int speed_2 := 0; state Leg Leg := {0}; state Leg way := {0};
    uses merge(speed, speed_2, Leg, way);
  }
  start mode run [period = 10ms] { task [freq = 1] merging(); }
}";

/// Objects that are named like what calls about them are given, and one like the type of another's handle.
const DESCRIPTION: &str = r#"
[system]
name = "meeting"
timing = ["meeting.tdl"]
application = "app"
[c]
sources = ["meeting.c"]
functions = ["merge", "left", "right"]
[board]
name = "mps2-an385"
flash = "64k"
ram = "64k"
[process.one]
memory = "64"
[[band]]
name = "timed"
policy = "dynamic"
[[band]]
name = "all"
policy = "fixed"
[task.merging]
process = "one"
band = "timed"
worst = "1ms"
stack = "512"
uses = ["speed.write"]
[thread.left]
process = "one"
band = "all"
priority = 2
entry = "left"
stack = "512"
period = "10ms"
worst = "1ms"
uses = ["map", "map_lock", "period", "wait", "message.send", "request.call", "offset", "true"]
[thread.right]
process = "one"
band = "all"
priority = 1
entry = "right"
stack = "512"
uses = ["map", "map_lock", "wait", "message.receive", "request.serve", "speed.read", "true"]
[lock.map]
[lock.map_lock]
[condition.wait]
[condition.period]
[mailbox.message]
type = "short[5]"
capacity = 2
[endpoint.request]
request = "int"
reply = "int"
[semaphore.true]
kind = "counting"
initial = 0
most = 3
[state.speed]
type = "float"
read_within = "5ms"
[region.offset]
size = "64"
"#;

const SOURCE: &str = "
void merge(float *speed, int32_t *number, Leg *leg, Leg *way, speed_writer *writer) {
    way->x = leg->x + *number;
    speed_write(writer, speed);
}
void left(beryl_period *own, map_lock *map, map_lock_lock *other, period_condition *period, wait_condition *wait,
          message_sender *message, request_client *request, offset_region *offset, true_semaphore *units) {
    (void)own;
    map_enter(map);
    wait_wait_in_map(wait, map, BERYL_POLL);
    period_wait_in_map_lock(period, other, BERYL_POLL);
    const int16_t text[5] = {0};
    message_send(message, &text, BERYL_POLL);
    int32_t reply;
    request_call(request, &(const int32_t){5}, &reply, BERYL_FOREVER);
    offset_store(offset, 4, 5);
    true_signal(units);
}
void right(map_lock *map, map_lock_lock *other, wait_condition *wait, message_receiver *message,
           request_server *request, speed_reader *speed, true_semaphore *units) {
    (void)map, (void)other, (void)wait, (void)message, (void)request, (void)speed, (void)units;
}
";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names_in_c").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn load(folder: &Path, description: &str) -> Result<Project, BuildError> {
    for (file, text) in [("meeting.tdl", TIMING), ("beryl.toml", description), ("meeting.c", SOURCE)] {
        fs::write(folder.join(file), text).expect("a file");
    }
    Project::load(folder, Variant::default())
}

#[test]
fn names_that_meet_in_a_prototype_get_numbers() {
    let folder = folder("meet");
    let project =
        load(&folder, DESCRIPTION).unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
    let text = header(&project.model, &project.assembly).text;
    for expected in [
        "void merge(float *speed, int32_t *speed_2, Leg *Leg_2, Leg *way, speed_writer *speed_3);",
        "beryl_status message_send(message_sender *message, const int16_t (*message_2)[5], beryl_wait wait);",
        "beryl_status wait_wait_in_map(wait_condition *wait, map_lock *map, beryl_wait wait_2);",
        "bool offset_load(offset_region *offset, uint32_t offset_2, uint32_t *value);",
        "void left(beryl_period *period, map_lock *map, map_lock_lock *map_lock_2, period_condition *period_2, ",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    for machine in [Machine::Host, Machine::Board] {
        compile(&project, &Workshop::new(&folder), machine).unwrap_or_else(|error| panic!("{error:?}"));
    }
}

#[test]
fn what_would_have_one_name_is_refused() {
    let state = |name: &str| format!("\n[state.{name}]\ntype = \"float\"\nread_within = \"5ms\"\n");
    let lock = |name: &str| format!("\n[lock.{name}]\n");
    let cases = [
        (
            ["\"speed.write\"]", "\"speed.write\", \"x_slow.write\", \"x.write\"]"],
            ["\"speed.read\",", "\"speed.read\", \"x_slow.read\", \"x.read_slow\","],
            state("x") + &state("x_slow"),
            "in C, the reader of `x_slow` and the slow reader of `x` would both be named `x_slow_reader`",
        ),
        (
            ["\"map\",", "\"map\", \"wait_wait_in\","],
            ["\"map\",", "\"map\", \"wait_wait_in\","],
            lock("wait_wait_in"),
            "",
        ),
        (
            ["\"map\",", "\"map\", \"a_leave\", \"wait_wait_in_a\","],
            ["\"map\",", "\"map\", \"a_leave\", \"wait_wait_in_a\","],
            lock("a_leave") + &lock("wait_wait_in_a"),
            "in C, `leave` of `wait_wait_in_a` and `wait_in_a_leave` of `wait` would both be named \
             `wait_wait_in_a_leave`",
        ),
        (
            ["\"map\",", "\"beryl\","],
            ["\"map\",", "\"map\", \"beryl\","],
            "\n[semaphore.beryl]\nkind = \"binary\"\n".to_owned(),
            "in C, what `c/beryl.h` declares and the semaphore of `beryl` would both be named `beryl_semaphore`",
        ),
        (
            ["\"map\",", "\"map\", \"beryl_glue_map\","],
            ["\"map\",", "\"map\", \"beryl_glue_map\","],
            lock("beryl_glue_map"),
            "in C, what `c/direct.h` declares and `enter` of `beryl_glue_map` would both be named \
             `beryl_glue_map_enter`",
        ),
    ];
    for (number, (first, second, more, expected)) in cases.into_iter().enumerate() {
        let (before, after) = DESCRIPTION.split_once("[thread.right]").expect("a second thread");
        let description = before.replacen(first[0], first[1], 1)
            + "[thread.right]"
            + &after.replacen(second[0], second[1], 1)
            + &more;
        let said = match load(&folder(&format!("refused_{number}")), &description) {
            Ok(_) => String::new(),
            Err(error) => {
                let said = format!("{:?}", miette::Report::new(error)).replace('\u{2502}', " ");
                said.split_whitespace().collect::<Vec<_>>().join(" ")
            }
        };
        assert!(said.contains(expected) && said.is_empty() == expected.is_empty(), "{number}: {said}");
    }
}
