//! Tasks that wait for what comes with completions: how far apart they are released, and the looks at ports behind each completion.

use beryl_builder::{Project, proof};

use super::{listing, meter, released, with};

/// A pulse releases `count`, `count.total` releases `warn`, and who waits for `warn.shown` is told of each of them.
const CHAIN: [(&str, &str, &str); 6] = [
    ("meter.tdl", "trigger = control.alarm", "trigger = count.total"),
    (
        "meter.tdl",
        "if is_shown(valve) then warn(control.alarm);",
        "warn(control.alarm);\n    task [trigger = warn.shown, priority = 0] tell(warn.shown);",
    ),
    (
        "meter.tdl",
        "  start mode",
        "  task tell { input int shown; state int n := 0; output int told := 0; uses warn_impl(shown, n, told); }\n\n  start mode",
    ),
    ("beryl.toml", "[driver.is_shown]\nprocess = \"office\"\nworst = \"50us\"\n", ""),
    ("beryl.toml", "worst = \"0.2ms\"", "worst = \"0.2ms\"\ndeadline = \"2ms\""),
    (
        "beryl.toml",
        "[task.warn]\nprocess = \"office\"\nband = \"pulses\"\npriority = 1\nworst = \"1ms\"",
        "[task.tell]\nprocess = \"office\"\nband = \"pulses\"\npriority = 0\nworst = \"0.1ms\"\nstack = \"512\"\n\n\
         [task.warn]\nprocess = \"office\"\nband = \"pulses\"\npriority = 1\nworst = \"0.1ms\"\ndeadline = \"1ms\"",
    ),
];

/// Jobs of `count` come 6 ms apart and are done within 2, so its outputs change 4 ms apart; those of `warn` 3 ms.
#[test]
fn tasks_that_wait_for_completions_are_released_as_far_apart_as_deadlines_leave() {
    let project = with("chain", &CHAIN).expect("it is right");
    let of = |name: &str| {
        let all = released(&project);
        all.into_iter().find(|row| row.0 == name).map(|row| (row.1, row.2)).expect("a task")
    };
    assert_eq!(["count", "warn", "tell"].map(of), [(6, 2), (4, 1), (3, 3)]);
    assert_eq!(listing(&project, "Meter warn")[0], "0 when change(count.total), @2");
    // In a system whose outputs come with completions that is so for tasks of modes, too.
    let at_once = [
        ("beryl.toml", "environment = \"pipe\"", "environment = \"pipe\"\noutputs = \"completion\""),
        ("beryl.toml", "worst = \"2ms\"", "worst = \"2ms\"\ndeadline = \"10ms\""),
    ];
    let project = with("at_once", &at_once).expect("it is right");
    assert_eq!(released(&project)[2], ("warn".to_owned(), 30, 30));
}

/// So many more tasks that wait for the alarm.
fn with_more_who_wait(count: usize) -> Project {
    let (mut declared, mut activities, mut described) = (String::new(), String::new(), String::new());
    for number in 0..count {
        declared +=
            &format!("  task w{number} {{ input int a; output int x := 0; uses f{number}(a, x); }}\n");
        activities +=
            &format!("    task [trigger = control.alarm, priority = 0] w{number}(control.alarm);\n");
        described += &format!(
            "[task.w{number}]\nprocess = \"office\"\nband = \"pulses\"\npriority = 0\nworst = \"10us\"\nstack = \"512\"\n\n"
        );
    }
    let changes = [
        ("meter.tdl", "  start mode", format!("{declared}\n  start mode")),
        ("meter.tdl", "  asynchronous {\n", format!("  asynchronous {{\n{activities}")),
        ("beryl.toml", "[interrupt.pulse]", format!("{described}[interrupt.pulse]")),
    ];
    let changes: Vec<_> = changes.iter().map(|(file, from, to)| (*file, *from, to.as_str())).collect();
    with("waiting", &changes).expect("it is right")
}

/// A task that an interrupt releases is followed by three looks at ports: where it comes, where its line is opened again, and where
/// the job is complete. Two instants are charged, whose steps have room for the third look where few tasks wait.
#[test]
fn three_looks_are_counted_for_a_task_that_an_interrupt_releases() {
    let charged = |waiting: usize| {
        let project = with_more_who_wait(waiting);
        let rows = proof::system(&project).interference;
        let worst = |name: &str| rows.iter().find(|row| row.name == name).expect("a row").worst.get();
        [worst("Meter count"), worst("Meter warn")]
    };
    let per_look = |waiting: usize| {
        let [before, behind] = [charged(waiting), charged(waiting + 1)];
        let step = meter().costs.steps_of_instants(1);
        [0, 1].map(|row| (behind[row] - before[row] + step / 2) / step)
    };
    assert_eq!([1, 9].map(per_look), [[2, 2], [3, 2]]);
}

/// Where outputs come with completions, each of these is followed by a look, of tasks of modes, too.
#[test]
fn a_look_is_counted_for_each_completion_that_publishes() {
    let row = |changes: &[(&str, &str, &str)]| {
        let project = with("looks", changes).expect("it is right");
        let rows = proof::system(&project).interference;
        let row = rows.iter().find(|row| row.name == "completions of control");
        row.map(|row| row.worst.get() / project.costs.steps_of_instants(1))
    };
    let at_once = [
        ("beryl.toml", "environment = \"pipe\"", "environment = \"pipe\"\noutputs = \"completion\""),
        ("beryl.toml", "worst = \"2ms\"", "worst = \"2ms\"\ndeadline = \"10ms\""),
    ];
    // Four steps, three to look, and one for each task that waits.
    assert_eq!([row(&[]), row(&at_once)], [None, Some(9)]);
}
