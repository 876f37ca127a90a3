//! What a description says of locks, servers and wake-ups: how the analysis is asked, and whose jobs are in doubt.

use beryl_analysis::Protocol;
use beryl_builder::Project;
use beryl_builder::proof::{Kind, believed, doubts, prove, relied, stopped, system};
use common::threads;

mod common;

/// Two bands; a lock, a semaphore and a server between them, and a thread that wakes up when it likes.
const TEXT: &str = r#"
[process.one]
memory = "256"
devices = ["uart0"]
[[band]]
name = "upper"
policy = "dynamic"
[[band]]
name = "lower"
policy = "fixed"
[thread.served]
process = "one"
band = "upper"
entry = "served"
stack = "512"
separation = "5ms"
jitter = "1ms"
worst = "0.2ms"
deadline = "4ms"
uses = ["uart"]
[thread.fast]
process = "one"
band = "upper"
entry = "fast"
stack = "512"
period = "10ms"
worst = "1ms"
uses = ["map", "store"]
hold = { map = "50us" }
[thread.middle]
process = "one"
band = "lower"
priority = 9
entry = "middle"
stack = "512"
period = "50ms"
worst = "2ms"
uses = ["parameters.call"]
[thread.slow]
process = "one"
band = "lower"
priority = 5
entry = "slow"
stack = "512"
period = "100ms"
worst = "5ms"
uses = ["map", "store", "parameters.call"]
hold = { store = "1ms" }
[thread.last]
process = "one"
band = "lower"
priority = 2
entry = "last"
stack = "512"
period = "1s"
worst = "5ms"
uses = ["notes.send"]
[thread.server]
process = "one"
band = "lower"
priority = 7
entry = "server"
stack = "512"
uses = ["parameters.serve"]
[thread.writer]
process = "one"
band = "lower"
priority = 1
entry = "writer"
stack = "512"
uses = ["notes.receive"]
[lock.map]
hold = "200us"
[semaphore.store]
kind = "binary"
hold = "3ms"
[endpoint.parameters]
request = "int"
reply = "int"
hold = "100us"
[mailbox.notes]
type = "int"
capacity = 4
[interrupt.uart]
line = 4
"#;

/// The doubts of a description, each with the threads that it is about.
fn doubted(text: &str) -> Vec<(String, Vec<String>)> {
    let project = threads(text);
    let assembly = &project.assembly;
    let name = |thread: &usize| assembly.threads[*thread].name.clone();
    doubts(assembly).into_iter().map(|doubt| (doubt.said, doubt.whom.iter().map(name).collect())).collect()
}

/// Without one line, or with another in its place.
fn changed(line: &str, to: &str) -> String {
    assert!(TEXT.contains(line), "{line}");
    TEXT.replacen(line, to, 1)
}

/// Ticks are 40 ns; the kernel's steps come on top.
#[test]
fn sections_are_what_is_described_and_the_kernels_steps() {
    let system = system(&threads(TEXT));
    let rows: Vec<_> = system.locks.iter().map(|lock| (lock.name.as_str(), lock.protocol)).collect();
    let (ceiling, inheritance) = (Protocol::Ceiling, Protocol::Inheritance);
    assert_eq!(rows, [("map", ceiling), ("store", inheritance), ("parameters", inheritance)]);
    let holds = |lock: usize| -> Vec<(usize, u64)> {
        system.locks[lock].users.iter().map(|user| (user.thread, user.hold.get())).collect()
    };
    // The call that ends a section may be the longest there is, and leaves over three steps at most.
    let assembly = &threads(TEXT).assembly;
    let [call, step, decision] =
        [Kind::Call, Kind::Job, Kind::Decision].map(|kind| kind.instructions(assembly));
    let [call, three] = [call, 2 * step + decision].map(|instructions| (instructions << 4).div_ceil(40));
    let end = call + three;
    // Its own time, and that of all; then who lends a place to `slow`: `fast` by the store, `middle` and
    // `server` by the server.
    assert_eq!(holds(0)[..2], [(1, 1_250 + end), (3, 5_000 + end)]);
    assert!(holds(0)[2..].iter().all(|(_, hold)| *hold == 0) && holds(0).len() > 2);
    assert_eq!(holds(1), [(1, 25_000 + end), (3, 25_000 + end)]);
    // The server itself is urgent where it stands, and once in the way of who isn't.
    let server = 5;
    let count = threads(TEXT).assembly.threads.len();
    let [first, second, third, last] = holds(2)[..] else { panic!("{:?}", holds(2)) };
    assert_eq!([first, second], [(2, 2_500 + end), (3, 2_500 + end)]);
    assert_eq!([third, last], [(server, 0), (server + count, 2_500 + end)]);
}

#[test]
fn who_is_proved_has_nothing_in_its_way_that_is_not_declared() {
    let proof = prove(&threads(TEXT)).expect("it holds").proof;
    let of = |name: &str| {
        let tasks = proof.bands.iter().flat_map(|band| &band.tasks);
        tasks.into_iter().find(|task| task.name == name).expect(name).blocking.get()
    };
    // The server may have something left to do, for whomever it was.
    let round = system(&threads(TEXT)).locks[2].users[0].hold.get();
    assert_eq!([of("last"), of("slow")], [round, round]);
    // Nobody with a deadline as short as that of `served` holds anything.
    assert_eq!(of("served"), 0);
    assert!(of("fast") > 25_000 && of("middle") > of("slow"), "{proof:?}");
    let waits = "`last` may wait for `notes`: waiting inside of jobs isn't counted";
    assert_eq!(doubted(TEXT), [(waits.to_owned(), vec!["last".to_owned()])]);
}

#[test]
fn what_is_left_out_is_in_doubt_for_those_whom_it_may_delay() {
    let about = |text: String| doubted(&text)[..doubted(&text).len() - 1].to_vec();
    let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let doubt = |said: &str, whom: &[&str]| (said.to_owned(), all(whom));
    let said =
        "blocking by lock `map` isn't counted: how long `slow` holds it isn't declared, write a `hold`";
    // In a band by deadline, whoever a job goes before may be late then.
    assert_eq!(
        about(changed("[lock.map]\nhold = \"200us\"", "[lock.map]")),
        [doubt(said, &["served", "fast", "middle"])]
    );
    let said =
        "blocking by lock `store` isn't counted: how long `slow` holds it isn't declared, write a `hold`";
    let without = changed("hold = \"3ms\"\n", "").replacen("hold = { store = \"1ms\" }", "", 1);
    let without =
        without.replacen("hold = { map = \"50us\" }", "hold = { map = \"50us\", store = \"1ms\" }", 1);
    assert_eq!(about(without), [doubt(said, &["served", "fast", "middle"])]);
    let said = "how often interrupt `uart` comes isn't declared: the kernel's steps for it aren't counted";
    let without = changed("separation = \"5ms\"\njitter = \"1ms\"\nworst = \"0.2ms\"\n", "");
    let found = about(without.clone());
    let beside = "thread `served` may run before `fast` and 3 more, for how long isn't declared: it has no `period` and \
                  `worst`, nor a `separation` or a `budget`";
    assert_eq!(found[0], doubt(beside, &["fast", "middle", "slow", "last"]));
    assert_eq!(doubted(&without)[2], doubt(said, &["fast", "middle", "slow", "last"]));
    // The mask of the line keeps a separation of its own, whoever serves it.
    let masked = without.replacen("[interrupt.uart]\n", "[interrupt.uart]\nseparation = \"5ms\"\n", 1);
    assert_eq!(doubted(&masked).iter().filter(|(doubt, _)| doubt == said).count(), 0);
}

#[test]
fn a_server_without_a_time_is_waited_for() {
    let found = doubted(&changed("hold = \"100us\"\n", ""));
    let of = |text: &str| found.iter().find(|(said, _)| said.contains(text)).map(|(_, whom)| whom.join(" "));
    assert_eq!(of("thread `server` may run before `slow` and 1 more").as_deref(), Some("slow last"));
    assert_eq!(of("`middle` may wait for `parameters`").as_deref(), Some("middle slow last"));
    assert_eq!(of("`slow` may wait for `parameters`").as_deref(), Some("slow last"));
}

/// Two threads that may each hold one thing while they wait for another.
#[test]
fn nests_in_two_threads_are_in_doubt() {
    let two = changed(
        "uses = [\"map\", \"store\"]\nhold = { map = \"50us\" }",
        "uses = [\"map\", \"store\", \"parameters.call\"]\nhold = { map = \"50us\" }",
    );
    let said = "`fast` and `slow` use two or more binary semaphores or servers each, and may hold one while they wait for \
                another: that isn't counted";
    assert!(
        doubted(&two).iter().any(|(found, whom)| found == said && whom.len() == 5),
        "{:?}",
        doubted(&two)
    );
}

/// Whoever is more urgent than all that nest, and than all whose urgency these may have, waits for none of them.
#[test]
fn nests_below_a_thread_are_nothing_to_it() {
    let alone = changed("uses = [\"map\", \"store\"]\nhold = { map = \"50us\" }", "uses = [\"map\"]");
    let line = "worst = \"2ms\"\nuses = [\"parameters.call\"]";
    assert!(alone.contains(line));
    let below = alone.replacen(line, "worst = \"2ms\"\nuses = [\"parameters.call\", \"store\"]", 1);
    let found = doubted(&below);
    let whom =
        found.iter().find(|(said, _)| said.starts_with("`middle` and `slow` use two")).map(|(_, whom)| whom);
    assert_eq!(whom.map(|whom| whom.join(" ")).as_deref(), Some("middle slow last"), "{found:?}");
}

/// The response of a thread that may wake up late counts from when it was to come, and isn't its whole deadline.
#[test]
fn who_wakes_up_late_has_a_response_of_its_own() {
    let response = |text: &str| {
        let proof = prove(&threads(text)).expect("it holds").proof;
        let row = proof.bands[0].tasks.iter().find(|task| task.name == "served").expect("served").clone();
        assert_eq!(row.margin, row.deadline.less(row.response));
        (row.response.get(), row.deadline.get())
    };
    let (late, deadline) = response(TEXT);
    let (on_time, _) = response(&changed("jitter = \"1ms\"\n", ""));
    // A millisecond is 25,000 ticks.
    assert_eq!(late, on_time + 25_000);
    assert!(late < deadline / 2, "{late} of {deadline}");
}

/// `between` is in another process, and has nothing to do with the lock of `low` and `high`.
const BETWEEN: &str = r#"
[process.one]
memory = "256"
[process.other]
memory = "256"
[[band]]
name = "all"
policy = "fixed"
[thread.low]
process = "one"
priority = 1
entry = "low"
stack = "512"
period = "100ms"
worst = "40ms"
uses = ["map"]
HOLD
[thread.between]
process = "other"
priority = 10
entry = "between"
stack = "512"
period = "50ms"
deadline = "5ms"
worst = "1ms"
[thread.high]
process = "one"
priority = 20
entry = "high"
stack = "512"
period = "50ms"
worst = "1ms"
uses = ["map"]
hold = { map = "10us" }
[lock.map]
"#;

#[test]
fn a_section_counts_for_processes_that_do_not_use_its_lock() {
    let text = |hold: &str| BETWEEN.replacen("HOLD", hold, 1);
    let named = |text: &str, name: &str| {
        let proof = prove(&threads(text)).map_err(|failure| failure.to_string())?.proof;
        let row = proof.bands[0].tasks.iter().find(|task| task.name == name).expect("it is proved");
        Ok::<_, String>((row.blocking.get(), row.response.get()))
    };
    // The call at the end of the section, and what it leaves over.
    let kernel = 9 * system(&threads(TEXT)).costs.completion.get();
    let short = text("hold = { map = \"1ms\" }");
    let (blocking, response) = named(&short, "between").expect("it fits");
    assert!((25_000..=25_000 + kernel).contains(&blocking), "{blocking}");
    // 1 ms of its own, 1 ms of `high`, 1 ms of the section.
    assert!((75_000..85_000).contains(&response), "{response}");
    // A section of 29.7 ms is more than its deadline.
    let refused = named(&text("hold = { map = \"29.7ms\" }"), "between").unwrap_err();
    assert!(refused.contains("task between may take") || refused.contains("task high may take"), "{refused}");
    // Not declared, it is no proof.
    let said = "blocking by lock `map` isn't counted: how long `low` holds it isn't declared, write a `hold`";
    let whom = ["between", "high"].map(str::to_owned).to_vec();
    assert_eq!(doubted(&text("")), [(said.to_owned(), whom)]);
    assert!(believed(&threads(&text("")).assembly).is_empty());
    // Declared, it is believed.
    assert_eq!(doubted(&short), []);
    let said = "no user of lock `map` stays inside for longer than its `hold`: `between` of another process waits, though it doesn't use it";
    assert_eq!(believed(&threads(&short).assembly), [said]);
    // Above the ceiling nobody waits.
    let above = short.replacen("priority = 10", "priority = 21", 1);
    assert_eq!(
        (named(&above, "between").expect("it fits").0, believed(&threads(&above).assembly)),
        (0, vec![])
    );
}

/// Who waits for its turns only is believed these, where there are any, and who never waits nothing.
#[test]
fn who_may_not_wait_is_believed_nothing_but_its_turns() {
    let waits = |project: &Project| -> Vec<String> {
        let all = relied(project, &stopped(project), 0).into_iter().map(|reliance| reliance.said);
        all.filter(|said| said.contains(" waits ")).collect()
    };
    let text = two_processes("");
    let believed = |name: &str| format!("no job of `{name}` waits or sleeps before it is done");
    assert_eq!(waits(&threads(&text)), [believed("first"), believed("second")]);
    let said: Vec<_> = doubted(&text).into_iter().map(|(said, _)| said).collect();
    assert!(
        said.contains(&"`first` may wait for `notes`: waiting inside of jobs isn't counted".to_owned()),
        "{said:?}"
    );

    let text = two_processes("waits = \"turns\"");
    assert_eq!(waits(&threads(&text)), [believed("second")]);
    assert!(!doubted(&text).iter().any(|(said, _)| said.starts_with("`first`")));

    let text = text.replace("uses = [\"notes.send\"]", "uses = [\"notes.send\", \"store\"]");
    let turns = "no job of `first` waits longer for its turn than is declared".to_owned();
    assert_eq!(waits(&threads(&text)), [turns, believed("second")]);
    let text = text.replace("waits = \"turns\"", "waits = \"never\"");
    assert_eq!(waits(&threads(&text)), [believed("second")]);
}

/// Two threads with jobs of a process, and one of another below them; the first with a line more.
fn two_processes(line: &str) -> String {
    format!(
        r#"
[process.one]
memory = "64"
[process.two]
memory = "64"
[[band]]
name = "all"
policy = "fixed"
[thread.first]
process = "one"
priority = 9
entry = "first"
stack = "512"
period = "10ms"
worst = "1ms"
uses = ["notes.send"]
{line}
[thread.second]
process = "one"
priority = 8
entry = "second"
stack = "512"
period = "20ms"
worst = "1ms"
[thread.below]
process = "two"
priority = 1
entry = "below"
stack = "512"
period = "100ms"
worst = "5ms"
uses = ["store"]
[thread.reader]
process = "two"
priority = 0
entry = "reader"
stack = "512"
uses = ["notes.receive", "store"]
[semaphore.store]
kind = "binary"
hold = "1ms"
[mailbox.notes]
type = "int"
capacity = 4
"#
    )
}
