//! What the proof counts for steps of the kernel that only some systems have.

use beryl_analysis::{Interference, System};
use beryl_builder::description::Description;
use beryl_builder::emit::simulation::{World, simulation};
use beryl_builder::identity::Identity;
use beryl_builder::proof::{budget, charges, job_step, longest_step, system};
use beryl_builder::{Project, Texts};
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
    Texts::of(std::path::Path::new("."), description, &sources).and_then(Texts::joined).expect("a system")
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

fn steps(project: &Project, count: u64) -> u64 {
    ticks(count * job_step(&project.assembly))
}

fn rows<'a>(system: &'a System, name: &str) -> Vec<&'a Interference> {
    system.interference.iter().filter(|row| row.name == name).collect()
}

/// Where instants of several modules are the same, each has its program there.
#[test]
fn every_module_has_a_program_at_its_instants() {
    let alone = project(&[10], "");
    assert_eq!(system(&alone).costs.instant.get(), steps(&alone, 11));
    let three = project(&[10, 20, 10], "");
    let system = system(&three);
    let instant = system.costs.instant.get();
    assert_eq!(instant, steps(&three, 11));
    assert!(rows(&system, "program of M0").is_empty(), "it is in the instants");
    for (name, period) in [("program of M1", 500_000), ("program of M2", 250_000)] {
        let found = rows(&system, name);
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0].period.get(), period, "{name}");
        assert!(found[0].worst.get() * 11 >= instant * 10, "{name}: ten of eleven steps");
    }
}

/// What a call leaves over may be under way, too, but once.
#[test]
fn what_may_be_under_way_is_counted_once_and_not_at_each_instant() {
    let plain = project(&[10], "");
    assert_eq!(system(&plain).costs.under_way.get(), steps(&plain, 1), "the end of a job");
    let calls = project(&[10], &thread("busy", "priority = 1"));
    assert_eq!(system(&calls).costs.under_way.get(), steps(&calls, 1) + steps(&calls, 3));
    let uses = thread("busy", "priority = 1\nuses = [\"s\"]") + "[semaphore.s]\nkind = \"binary\"\n";
    let shared = project(&[10], &uses);
    let call = ticks(longest_step(&shared.assembly));
    assert_eq!(system(&shared).costs.under_way.get(), call + steps(&shared, 3));
    assert_eq!(system(&shared).costs.instant.get(), steps(&shared, 11));
}

/// The start is an instant, whoever comes at it.
#[test]
fn a_thread_that_comes_right_behind_the_start_waits_for_that() {
    let later = |offset: &str| {
        let costs = "[kernel]\ninstant = \"227us\"\n";
        let more = format!("priority = 5\nperiod = \"10ms\"\nworst = \"1ms\"\n{offset}");
        let project = project(&[], &(thread("p", &more) + costs));
        system(&project).costs.under_way.get() - steps(&project, 1)
    };
    assert_eq!([later(""), later("offset = \"100us\"")], [0, 5675]);
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
    assert_eq!(overheads(&locked), [steps(&locked, 1); 3]);
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
    let room = steps(&disturbed, 2 * 3);
    assert_eq!(budget(&disturbed, 0, 0).ticks(), 1250 + room);
    let worst = |project: &Project| rows(&system(project), "s0")[0].worst.get();
    // The call, a chunk, the switch and two calls; and the alarm of the budget.
    assert_eq!(worst(&quiet), 1250 + steps(&quiet, 5) + steps(&quiet, 1));
    assert_eq!(worst(&disturbed), 1250 + room + steps(&disturbed, 5) + steps(&disturbed, 1));
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
    let world = World { folder: ".".to_owned(), exists: false };
    let ram = project.description.board.ram.value.get();
    let identity = Identity::in_simulation(&project);
    let files =
        simulation(&project.assembly, &project.places, board, ram, &world, identity, &charges(&project));
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
