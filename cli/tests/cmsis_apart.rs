//! CMSIS-RTOS2 in a system with several kernels: a process on one of them has the pool, and what it does and what modules write is the same
//! wherever that is.

use std::path::PathBuf;

use beryl_trace::{DecodedNote, Happening, decode};
use common::sums::written;
use common::{beryl, left, lock, on_board};

mod common;

const TIMING: &str = "
module First {
  actuator int told := 0 uses set_first;
  public task count { state int n := 0; output int sum := 1; uses count_impl(n, sum); }
  start mode m [period = 8ms] { task [freq = 2] count(); actuator [freq = 2] told := count.sum; }
}
module Second {
  import First;
  actuator int told := 0 uses set_second;
  public task add { input int heard; state int n := 0; output int sum := 2; uses add_impl(heard, n, sum); }
  start mode m [period = 8ms] { task [freq = 1] add(First.count.sum); actuator [freq = 1] told := add.sum; }
}
";

const CODE: &str = "
#![no_std]
use beryl_user::environment::{self, Channel};
pub fn count_impl(n: &mut i32, sum: &mut i32) { *n += 1; *sum = n.wrapping_mul(5); }
pub fn add_impl(heard: &i32, n: &mut i32, sum: &mut i32) { *n += 1; *sum = heard.wrapping_mul(3).wrapping_add(*n); }
pub fn set_first(value: &i32) { environment::write(Channel::new(0), value); }
pub fn set_second(value: &i32) { environment::write(Channel::new(1), value); }
";

/// One makes, another takes, and a timer shows how many there were.
const APPLICATION: &str = "#include \"cmsis_os2.h\"

static osMessageQueueId_t parts;
static uint32_t taken;

static void make(void *argument) {
    (void)argument;
    osDelay(1); /* so that it is never due together with the timer */
    for (uint32_t part = 1;; part += 1) {
        osMessageQueuePut(parts, &part, 0, osWaitForever);
        osDelay(3);
    }
}

static void take(void *argument) {
    (void)argument;
    for (uint32_t part;;) {
        osMessageQueueGet(parts, &part, 0, osWaitForever);
        taken += 1;
        beryl_tell(1, part * part);
    }
}

static void show(void *argument) {
    (void)argument;
    beryl_tell(2, taken);
}

int main(void) {
    osKernelInitialize();
    parts = osMessageQueueNew(3, sizeof(uint32_t), 0);
    osThreadNew(make, 0, 0);
    osThreadNew(take, 0, 0);
    osTimerStart(osTimerNew(show, osTimerPeriodic, 0, 0), 9);
    osKernelStart();
}
";

const DESCRIPTION: &str = r#"
[system]
name = "NAME"
timing = ["sums.tdl"]
application = "app"

[c]
sources = ["application.c"]

[cmsis]
process = "port"
threads = 4
stack = "1k"
queues = [{ count = 3, size = 4 }]
timers = 1

[board]
name = "mps2-an385"
flash = "128k"
ram = "64k"
speed = 1
BOARD
[process.first]
PLACE
memory = "64"
devices = ["environment"]
driver_stack = "512"

[process.second]
PLACE
memory = "64"
devices = ["environment"]
driver_stack = "512"

[process.port]
PLACE
memory = "2k"

[[band]]
name = "due"
policy = "dynamic"

[[band]]
name = "others"
policy = "fixed"

[task.count]
process = "first"
worst = "0.2ms"
stack = "512"

[task.add]
process = "second"
worst = "0.2ms"
stack = "512"

[driver.set_first]
process = "first"
worst = "30us"

[driver.set_second]
process = "second"
worst = "30us"
"#;

/// The system with its processes on these places, and what describes them.
fn system(name: &str, rows: &str, places: [&str; 3]) -> PathBuf {
    let placed = places.iter().fold(DESCRIPTION.to_owned(), |text, place| text.replacen("PLACE", place, 1));
    on_board(name, rows, CODE, &placed, &[("sums.tdl", TIMING), ("application.c", APPLICATION)])
}

/// What the application told on a machine, by its number.
fn told(name: &str, file: &str, number: u16) -> Vec<u32> {
    let events = decode(&left(name, file)).expect("a whole trace").into_iter();
    let values = events.filter_map(|event| match event.happening {
        Happening::Note(DecodedNote::Event { event, value, .. }) if event == number => Some(value),
        _ => None,
    });
    values.collect()
}

/// Runs it; the kernel that has the pool, what is written and what is told are those of one kernel.
fn is_as_on_one(name: &str, board: &str, rows: &str, places: [&str; 3], parts: [&str; 3]) {
    let run = |places, rows| {
        let system = system(name, rows, places).display().to_string();
        beryl(&["run", &system, "--board", board, "--for", "64ms"]).ended(0)
    };
    run([""; 3], "");
    let alone = written(&[name.to_owned()], &format!("{board}.recording"));
    assert_eq!(alone.len(), 16 + 8);
    let squares: Vec<u32> = (1..=21).map(|part| part * part).collect();
    assert_eq!(told(name, &format!("{board}.trace"), 1), squares);
    let said = run(places, rows);
    assert!(said.contains(&format!("{name}: 24 actuator writes, identical on sim and {board}")), "{said}");
    let names = parts.map(|part| format!("{name}_{part}"));
    for file in [board.to_owned(), format!("{board}.sim")] {
        assert_eq!(written(&names[..2], &format!("{file}.recording")), alone, "{file}: {said}");
        assert_eq!(told(&names[2], &format!("{file}.trace"), 1), squares, "{file}");
        assert_eq!(told(&names[2], &format!("{file}.trace"), 2), [3, 6, 9, 12, 15, 18, 21], "{file}");
    }
}

#[test]
fn a_process_on_one_node_has_the_pool() {
    let name = "cmsis_on_a_node";
    let _lock = lock(name);
    let rows = "\n[node.left]\n[node.right]\n\n[bus]\nframe = \"100us\"\nbyte = \"8us\"\n";
    let [left, right] = ["node = \"left\"", "node = \"right\""];
    is_as_on_one(name, "mps2-an385", rows, [left, right, right], ["left", "right", "right"]);
}

#[test]
fn a_process_on_one_core_has_the_pool() {
    let name = "cmsis_on_a_core";
    let _lock = lock(name);
    let [first, second] = ["core = \"one\"", "core = \"two\""];
    let rows = "\n[core.one]\n[core.two]\n";
    is_as_on_one(name, "mps2-an521", rows, [first, second, second], ["one", "two", "two"]);
}
