//! What the proof counts for steps of the kernel that only some systems have.

use beryl_analysis::{Interference, System};
use beryl_builder::description::Description;
use beryl_builder::emit::simulation::{MadeOf, World, simulation};
use beryl_builder::proof::{Kind, budget, system};
use beryl_builder::toolchain::root;
use beryl_builder::{Parsed, Project, Variant};
use beryl_syscode::Instruction;
use beryl_timing::Source;

const HEAD: &str = "[system]\nname = \"charged\"\ntiming = [\"charged.tdl\"]\napplication = \"app\"\n\n\
    [board]\nname = \"mps2-an385\"\nflash = \"1M\"\nram = \"1M\"\nspeed = 1\n\n\
    [process.one]\nmemory = \"256\"\ndriver_stack = \"512\"\n\n[[band]]\nname = \"work\"\npolicy = \"fixed\"\n\n";

/// Modules of one task each, with a sensor and a period in milliseconds.
fn modules(periods: &[u64]) -> (String, String) {
    let (mut timing, mut tasks) = (String::new(), String::new());
    for (number, period) in periods.iter().enumerate() {
        timing += &format!(
            "module M{number} {{ sensor int s{number} uses get{number};\n  \
             task t{number} {{ input int a; output int x := 0; uses f{number}(a, x); }}\n  \
             start mode m{number} [period = {period}ms] {{ task [freq = 1] t{number}(s{number}); }} }}\n"
        );
        tasks += &format!(
            "[task.t{number}]\nprocess = \"one\"\nstack = \"512\"\nband = \"work\"\nworst = \"100us\"\npriority = {}\n\
             [driver.get{number}]\nprocess = \"one\"\nworst = \"50us\"\n",
            20 - number
        );
    }
    (timing, tasks)
}

fn project(periods: &[u64], more: &str) -> Project {
    let (timing, tasks) = modules(periods);
    let head =
        if periods.is_empty() { HEAD.replace("timing = [\"charged.tdl\"]\n", "") } else { HEAD.to_owned() };
    let text = format!("{head}{tasks}{more}");
    let description = Description::parse("beryl.toml", &text).expect("a description");
    let timing = Source { name: "charged.tdl".to_owned(), text: timing };
    let sources = if periods.is_empty() { Vec::new() } else { vec![timing] };
    Parsed::of(std::path::Path::new("."), description, &sources).and_then(Parsed::joined).expect("a system")
}

fn thread(name: &str, more: &str) -> String {
    format!(
        "[thread.{name}]\nprocess = \"one\"\nstack = \"512\"\nband = \"work\"\nentry = \"{name}\"\n{more}\n"
    )
}

/// Ticks of 40 ns for so many instructions of 2 ns.
fn ticks(instructions: u64) -> u64 {
    (2 * instructions).div_ceil(40)
}

/// So many steps of some kinds together.
fn of<const N: usize>(project: &Project, steps: [(Kind, u64); N]) -> u64 {
    ticks(steps.into_iter().map(|(kind, count)| count * kind.instructions(&project.assembly)).sum())
}

fn steps(project: &Project, kind: Kind, count: u64) -> u64 {
    of(project, [(kind, count)])
}

/// An instant of a program: ten steps, and the last look.
fn instant(project: &Project) -> u64 {
    of(project, [(Kind::EMachine, 10), (Kind::Decision, 1)])
}

/// The same of a program that is alone, whose phases begin at once.
fn instant_alone(project: &Project) -> u64 {
    of(project, [(Kind::EMachine, 7), (Kind::Decision, 1)])
}

/// What a call leaves over: its caller's place goes out, or that of who it wakes in; a timer is set; and it
/// is decided who runs.
const LEFT_OVER: [(Kind, u64); 2] = [(Kind::Job, 2), (Kind::Decision, 1)];

fn rows<'a>(system: &'a System, name: &str) -> Vec<&'a Interference> {
    system.interference.iter().filter(|row| row.name == name).collect()
}

/// Where instants of several modules are the same, each has its program there.
#[test]
fn every_module_has_a_program_at_its_instants() {
    let alone = project(&[10], "");
    assert_eq!(system(&alone).costs.instant.get(), instant_alone(&alone), "its phases begin at once");
    let three = project(&[10, 20, 10], "");
    let system = system(&three);
    assert_eq!(system.costs.instant.get(), instant(&three));
    assert!(rows(&system, "program of M0").is_empty(), "it is in the instants");
    for (name, period) in [("program of M1", 500_000), ("program of M2", 250_000)] {
        let found = rows(&system, name);
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0].period.get(), period, "{name}");
        assert_eq!(
            found[0].worst.get(),
            steps(&three, Kind::EMachine, 10),
            "{name}: the last look is everybody's"
        );
    }
}

/// What a call leaves over may be under way, too, but once.
#[test]
fn what_may_be_under_way_is_counted_once_and_not_at_each_instant() {
    let plain = project(&[10], "");
    assert_eq!(system(&plain).costs.under_way.get(), steps(&plain, Kind::Completion, 1), "the end of a job");
    let calls = project(&[10], &thread("busy", "priority = 1"));
    assert_eq!(
        system(&calls).costs.under_way.get(),
        steps(&calls, Kind::Completion, 1) + of(&calls, LEFT_OVER)
    );
    let uses = thread("busy", "priority = 1\nuses = [\"s\"]") + "[semaphore.s]\nkind = \"binary\"\n";
    let shared = project(&[10], &uses);
    assert_eq!(system(&shared).costs.under_way.get(), steps(&shared, Kind::Call, 1) + of(&shared, LEFT_OVER));
    assert_eq!(system(&shared).costs.instant.get(), instant_alone(&shared));
}

/// A long value is copied in pieces while nobody else runs.
#[test]
fn a_slow_read_of_a_long_value_leaves_its_pieces_over() {
    let under_way = |length: u32| {
        let threads = thread("busy", "priority = 1\nuses = [\"s.read_slow\"]")
            + &thread("author", "priority = 2\nuses = [\"s.write\"]");
        let project = project(&[10], &format!("{threads}[state.s]\ntype = \"int[{length}]\"\n"));
        let [state] = &project.assembly.objects.states[..] else { panic!("one state message") };
        assert_eq!((state.depth, state.bytes(state.depth)), (2, 4 + 8 * length));
        let left = system(&project).costs.under_way.get() - steps(&project, Kind::Call, 1);
        (left, [2, 4, 32].map(|count| of(&project, [(Kind::Job, count), (Kind::Decision, 1)])))
    };
    let (short, [two, ..]) = under_way(16);
    assert_eq!(short, two, "in the call's own step; what any call leaves over");
    let (longer, [_, four, _]) = under_way(50);
    assert_eq!(longer, four, "four pieces and the decision");
    let (long, [.., many]) = under_way(500);
    assert_eq!(long, many, "32 pieces of 2000 bytes, and the decision");
}

/// The start is an instant, whoever comes at it.
#[test]
fn a_thread_that_comes_right_behind_the_start_waits_for_that() {
    let later = |offset: &str| {
        let costs = "[kernel]\ninstant = \"227us\"\n";
        let more = format!("priority = 5\nperiod = \"10ms\"\nworst = \"1ms\"\n{offset}");
        let project = project(&[], &(thread("p", &more) + costs));
        let [end, start] = [Kind::Completion, Kind::Job].map(|kind| steps(&project, kind, 1));
        (system(&project).costs.under_way.get(), end, start)
    };
    let (at_once, end, _) = later("");
    assert_eq!(at_once, end, "the end of a job");
    let (behind, _, start) = later("offset = \"100us\"");
    assert_eq!(behind, start + 5675, "the step that starts, and an instant");
}

/// Whoever ends a job behind which somebody raised may go on has one more decision.
#[test]
fn a_job_ends_with_a_decision_where_locks_are_shared() {
    let overheads = |project: &Project| -> Vec<u64> {
        let bands = system(project).bands;
        bands.iter().flat_map(|band| &band.tasks).map(|task| task.overhead.get()).collect()
    };
    let periodic = |name: &str, uses: &str| {
        thread(name, &format!("priority = 5\nperiod = \"10ms\"\nworst = \"1ms\"\n{uses}"))
    };
    assert_eq!(overheads(&project(&[10], &periodic("p", ""))), [0, 0]);
    let uses = "uses = [\"l\"]\nhold = { l = \"10us\" }";
    let locked =
        periodic("p", uses) + &periodic("q", uses).replace("priority = 5", "priority = 6") + "[lock.l]\n";
    let locked = project(&[10], &locked);
    assert_eq!(overheads(&locked), [steps(&locked, Kind::Decision, 1); 3]);
}

/// A driver that takes all of its time isn't stopped for what the kernel does for interrupts meanwhile.
#[test]
fn a_budget_has_room_for_interrupts_and_the_proof_has_it_too() {
    let quiet = project(&[10], "");
    assert_eq!(budget(&quiet, 0, 0).ticks(), 1250);
    let served = |line: u64| {
        let uses =
            format!("priority = {line}\nseparation = \"5ms\"\nworst = \"100us\"\nuses = [\"i{line}\"]");
        thread(&format!("s{line}"), &uses) + &format!("[interrupt.i{line}]\nline = {line}\n")
    };
    let disturbed = project(&[10], &(served(2) + &served(3)));
    let room = steps(&disturbed, Kind::Job, 2 * 3);
    assert_eq!(budget(&disturbed, 0, 0).ticks(), 1250 + room);
    let worst = |project: &Project| rows(&system(project), "s0")[0].worst.get();
    // The call, a chunk, the switch and two calls; and the alarm of the budget.
    let own = |project| steps(project, Kind::EMachine, 5) + steps(project, Kind::Alarm, 1);
    assert_eq!(worst(&quiet), 1250 + own(&quiet));
    assert_eq!(worst(&disturbed), 1250 + room + own(&disturbed));
    let tables = beryl_builder::emit::tables::tables(&disturbed).text;
    assert!(tables.contains(&format!("budget: Duration::from_ticks({}) }}", 1250 + room)), "{tables}");
}

/// The simulator is told the shortest `hold` of each thread, within which it lets random parts of a job pass.
#[test]
fn simulations_know_the_shortest_sections() {
    let periodic = |name: &str, priority: u8, uses: &str| {
        thread(name, &format!("priority = {priority}\nperiod = \"10ms\"\nworst = \"1ms\"\n{uses}"))
    };
    let uses = "uses = [\"l\", \"m\"]\nhold = { l = \"30us\", m = \"10us\" }";
    let more =
        periodic("p", 5, uses) + &periodic("q", 6, uses) + &periodic("r", 7, "") + "[lock.l]\n[lock.m]\n";
    let project = project(&[], &more);
    let board = project.description.board.board.value;
    let world = World { folder: ".".to_owned(), made_of: MadeOf::Nothing, lines: Vec::new() };
    let ram = project.description.board.ram.value.get();
    let identity = beryl_builder::simulate::identity(&project);
    let files = simulation(&project, board, ram, &world, identity);
    let hold = |name: &str| {
        let line = files
            .iter()
            .flat_map(|file| file.text.lines())
            .find(|line| line.contains(&format!("ThreadCode {{ name: {name:?}")));
        let (_, hold) = line.expect(name).split_once("hold: Duration::from_ticks(").expect("it has one");
        hold.split(')').next().expect("a number").parse::<u64>().expect("a number")
    };
    assert_eq!([hold("p"), hold("q"), hold("r")], [250, 250, u64::MAX]);
}

/// One call may wake all who wait: each is found, wakes, and takes what it was promised, in a step each.
#[test]
fn what_wakes_many_is_counted_for_each_of_them() {
    let awake = |kind: &str, used: &str, count: u64| {
        let sets = thread("sets", &format!("priority = 1\nuses = [\"{}\"]", used.replace("wait", "set")));
        let name = |number| format!("waits{number}");
        let waits =
            (0..count).map(|number| thread(&name(number), &format!("priority = 2\nuses = [\"{used}\"]")));
        let project = project(&[10], &format!("[{kind}.many]\n{sets}{}", waits.collect::<String>()));
        let call = steps(&project, Kind::Call, 1);
        (project.clone(), system(&project).costs.under_way.get() - call)
    };
    let woken =
        |project: &Project, count: u64| of(project, [(Kind::Job, 2 + 3 * count), (Kind::Decision, 1)]);
    for count in [1, 2, 9, 15] {
        let (project, left) = awake("event_group", "many.wait", count);
        assert_eq!(left, woken(&project, count), "{count} wait for bits");
        let (project, left) = awake("condition", "many", count);
        assert_eq!(left, woken(&project, count + 1), "{count} wait, and who signals might");
    }
}

/// Each wait may have a timer, which goes off once; who is woken by a call of another has the rest of the
/// steps from that one.
#[test]
fn waits_are_counted_with_their_timers() {
    let sporadic =
        |more: &str| thread("s", &format!("priority = 5\nseparation = \"10ms\"\nworst = \"1ms\"\n{more}"));
    let woken = |project: &Project| rows(&system(project), "wake-ups of s")[0].worst.get();
    let behind = |project: &Project| system(project).bands[0].tasks[0].overhead.get();
    // The alarm, and the look behind; and the end of the wait. The finding is charged as a release, of which
    // this job has no step.
    let timer = |project: &Project| steps(project, Kind::Alarm, 1) + look(project);
    let sleeps = project(&[], &sporadic(""));
    assert_eq!(woken(&sleeps), timer(&sleeps) + steps(&sleeps, Kind::Job, 2));
    assert_eq!(
        behind(&sleeps),
        of(&sleeps, [(Kind::Job, 1), (Kind::Decision, 1)]),
        "the timer is set, and a decision follows"
    );
    let served = project(&[], &(sporadic("uses = [\"i\"]") + "[interrupt.i]\nline = 2\n"));
    assert_eq!(woken(&served), timer(&served) + of(&served, [(Kind::Job, 2), (Kind::Decision, 1)]));
    let told = sporadic("uses = [\"n.wait\"]") + &thread("t", "priority = 1\nuses = [\"n.notify\"]");
    let told = project(&[], &(told + "[notification.n]\n"));
    assert_eq!(woken(&told), timer(&told) + steps(&told, Kind::Job, 2));
    let queued = sporadic("uses = [\"u\"]") + "[semaphore.u]\nkind = \"counting\"\ninitial = 0\nmost = 1\n";
    let queued = project(&[], &queued);
    assert_eq!(woken(&queued), timer(&queued) + steps(&queued, Kind::Job, 2), "to leave a queue is no more");
    let lines = sporadic("uses = [\"i\", \"j\"]") + "[interrupt.i]\nline = 2\n[interrupt.j]\nline = 3\n";
    let lines = project(&[], &lines);
    assert_eq!(
        woken(&lines),
        timer(&lines) + of(&lines, [(Kind::Job, 3), (Kind::Decision, 1)]),
        "each may come"
    );
}

/// The look by which an instant ends, where it may be another of its steps.
fn look(project: &Project) -> u64 {
    [Kind::EMachine, Kind::Decision].into_iter().map(|kind| steps(project, kind, 1)).max().unwrap_or(0)
}

/// Of those who aren't proved each has a timer, which goes off once until its thread runs again.
#[test]
fn timers_of_threads_that_are_not_proved_are_counted_once() {
    let timers = |project: &Project| system(project).costs.timers.get();
    assert_eq!(timers(&project(&[10], "")), 0);
    let one = project(&[10], &thread("busy", "priority = 1"));
    let each = |project: &Project| {
        let found = steps(project, Kind::Alarm, 1) + steps(project, Kind::Release, 1) + look(project);
        found + steps(project, Kind::Job, 2)
    };
    assert_eq!(timers(&one), each(&one));
    let two = project(&[10], &(thread("busy", "priority = 1") + &thread("other", "priority = 2")));
    assert_eq!(timers(&two), 2 * each(&two));
}

/// Where triggers look at ports, they do so whenever a schedule has gone on.
#[test]
fn schedules_are_counted_with_the_looks_behind_them() {
    let coded = |more: &str| {
        let timing = format!(
            "module Coded {{\n  task k {{ input int a; output int x := 0; uses f(a, x); }}\n  \
             start mode coded [period = 40ms] {{ task [freq = 1] k(k.x); }}\n{more}}}\n"
        );
        let head = HEAD.replace("policy = \"fixed\"", "policy = \"code\"\nschedule = \"earliest-deadline\"\n\n[[band]]\nname = \"events\"\npolicy = \"fixed\"");
        let task = |name: &str, more: &str| {
            format!("[task.{name}]\nprocess = \"one\"\nstack = \"512\"\nworst = \"100us\"\n{more}\n")
        };
        let mut text = head + &task("k", "band = \"work\"");
        if !more.is_empty() {
            text += &task("e", "band = \"events\"\npriority = 5");
            text += "[interrupt.pulse]\nline = 7\nseparation = \"40ms\"\n";
        }
        let description = Description::parse("beryl.toml", &text).expect("a description");
        let timing = Source { name: "charged.tdl".to_owned(), text: timing };
        Parsed::of(std::path::Path::new("."), description, &[timing])
            .and_then(Parsed::joined)
            .expect("a system")
    };
    let worst = |project: &Project| {
        let name = project.assembly.schedule_name(0);
        rows(&system(project), &name)[0].worst.get()
    };
    let most = |project: &Project, count: u64| {
        [Kind::EMachine, Kind::Decision]
            .into_iter()
            .map(|kind| steps(project, kind, count))
            .max()
            .unwrap_or(0)
    };
    let plain = coded("");
    assert_eq!(worst(&plain), most(&plain, 4 + 8));
    let watching = coded(
        "  task e { input int a; output int x := 0; uses g(a, x); }\n  \
         asynchronous { task [trigger = pulse, priority = 5] e(k.x); }\n",
    );
    // One place for a trigger, and three to begin and to end.
    assert_eq!(worst(&watching), most(&watching, 4 + 8 + 2 * 4));
}

/// A phase that begins at once, and an instant that is set before: the kernel has to put the phase into the queue then.
fn phases_behind_the_next_instant(code: &[u32]) -> usize {
    let (mut is_set, mut found) = (false, 0);
    for word in code {
        match Instruction::decode(*word) {
            Some(Instruction::Future { .. } | Instruction::Next { .. }) => is_set = true,
            Some(Instruction::Return {} | Instruction::Jump { .. }) => is_set = false,
            Some(Instruction::Phase { .. }) => found += usize::from(is_set),
            _ => {}
        }
    }
    found
}

#[test]
fn a_program_that_is_alone_takes_three_steps_less_at_an_instant() {
    let (alone, two) = (project(&[10], ""), project(&[10, 20], ""));
    assert_eq!(alone.costs.charges.instant.ticks(), instant_alone(&alone));
    assert_eq!(two.costs.charges.instant.ticks(), instant(&two));
    // Modes, rounds and sensors that are read twice, too.
    for example in ["helicopter", "lift", "overload", "limp"] {
        let project = Project::load(&root().join("examples").join(example), Variant::default());
        let project = project.unwrap_or_else(|error| panic!("{example}: {error:?}"));
        assert!(!project.programs.is_empty(), "{example}");
        for program in &project.programs {
            assert_eq!(phases_behind_the_next_instant(&program.code), 0, "{example}");
        }
    }
}
