//! Priorities that may change: ranks and levels for all that somebody may have, handles, and a proof that
//! holds for all of them.

use beryl_analysis::Failure;
use beryl_builder::assembly::assemble;
use beryl_builder::description::Description;
use beryl_builder::emit::{process, tables};
use beryl_builder::placement::Order;
use beryl_builder::proof::{self, doubts, judge, prove, ranges};
use beryl_builder::{Identity, Project};
use common::threads;

mod common;

/// Two threads of one band and process; what stands for their ranges is replaced.
const TEXT: &str = r#"
[process.one]
memory = "256"
[[band]]
name = "all"
policy = "fixed"
[thread.urgent]
process = "one"
priority = 9
URGENT
entry = "urgent"
stack = "512"
period = "10ms"
deadline = "5ms"
worst = "2ms"
[thread.worker]
process = "one"
priority = 5
WORKER
entry = "worker"
stack = "512"
period = "10ms"
worst = "4ms"
"#;

fn text(urgent: &str, worker: &str) -> String {
    TEXT.replace("URGENT", urgent).replace("WORKER", worker)
}

/// Both may be changed by themselves.
fn project(urgent: Option<[u8; 2]>, worker: Option<[u8; 2]>) -> Project {
    let keys = |name: &str, range: Option<[u8; 2]>| {
        range.map_or(String::new(), |range| format!("priorities = {range:?}\nuses = [\"{name}.priority\"]"))
    };
    threads(&text(&keys("urgent", urgent), &keys("worker", worker)))
}

fn response(project: &Project, name: &str) -> u64 {
    let proof = prove(project).expect("it holds").proof;
    let task = proof.bands.iter().flat_map(|band| &band.tasks).find(|task| task.name == name);
    task.expect("it is there").response.get()
}

#[test]
fn every_priority_that_somebody_may_have_has_a_rank_and_a_level() {
    let project = project(Some([7, 12]), Some([3, 8]));
    let rows: Vec<_> = project.assembly.threads.iter().collect();
    // From 12 to 3, and the idle thread.
    let found = rows.iter().map(|row| (row.rank, row.level, row.least_level(), row.highest_level()));
    assert_eq!(found.collect::<Vec<_>>(), [(3, 7, 5, 10), (7, 3, 1, 6), (10, 0, 0, 0)]);
    let table = tables::tables(&project).text;
    for place in [
        "place: Place::Fixed { priority: 9, least: 7, most: 12 }, rank: Rank::fixed(3), level: 7",
        "place: Place::Fixed { priority: 5, least: 3, most: 8 }, rank: Rank::fixed(7), level: 3",
        "place: Place::fixed(0), rank: Rank::fixed(10), level: 0",
    ] {
        assert!(table.contains(place), "{place}: {table}");
    }
}

#[test]
fn a_gap_between_two_ranges_has_none() {
    let project = project(Some([9, 12]), Some([3, 5]));
    let assembly = &project.assembly;
    let ranks: Vec<_> = assembly.threads.iter().map(|row| (row.rank, row.level)).collect();
    assert_eq!(ranks, [(3, 4), (4, 3), (7, 0)]);
}

/// The ceiling of a lock is the level of its most urgent user, when that is at its most urgent.
#[test]
fn ceilings_are_above_all_priorities_of_the_users() {
    let lock = "priorities = [2, 14]\nuses = [\"worker.priority\", \"map\"]\nhold = { map = \"10us\" }";
    let urgent = "uses = [\"map\"]\nhold = { map = \"10us\" }";
    let project = threads(&(text(urgent, lock) + "[lock.map]\n"));
    let worker = &project.assembly.threads[1];
    assert_eq!(project.assembly.objects.locks[0].ceiling, worker.highest_level());
    assert_eq!((worker.level, worker.highest_level()), (4, 13));
    assert!(project.assembly.threads.iter().take(2).all(|thread| thread.highest_ceiling == 13));
}

#[test]
fn more_ranks_than_the_kernel_has_are_refused() {
    let refusal = |range: &str| {
        let head = "[system]\nname = \"many\"\napplication = \"app\"\n[board]\nname = \"mps2-an385\"\nflash = \"64k\"\nram = \"64k\"\n";
        let keys = format!("priorities = {range}\nuses = [\"worker.priority\"]");
        let description = Description::parse("beryl.toml", &(head.to_owned() + &text("", &keys)));
        let description = description.unwrap_or_else(|wrong| panic!("{wrong:?}"));
        assemble(&beryl_timing::Model::empty(), &description).err().map(|wrong| wrong.to_string())
    };
    assert_eq!(refusal("[1, 31]"), None);
    let said = "the system has 33 dynamic bands and priorities that somebody may have, with that for idling; the kernel can tell 32 apart";
    assert_eq!(refusal("[0, 31]").as_deref(), Some(said));
}

/// The system that `sim/tests/objects/priorities.rs` runs: in time with the priorities that it begins with,
/// late at the least.
#[test]
fn a_range_that_makes_somebody_late_is_refused() {
    let late = |project: &Project| match prove(project) {
        Ok(_) => None,
        Err(Failure::NotSchedulable(miss)) => Some(miss.task),
        Err(other) => panic!("{other}"),
    };
    assert_eq!(late(&project(None, None)), None);
    assert_eq!(late(&project(Some([6, 12]), None)), None, "still above the other");
    assert_eq!(late(&project(Some([3, 9]), None)).as_deref(), Some("urgent"), "below it");
    assert_eq!(
        late(&project(Some([5, 9]), None)).as_deref(),
        Some("urgent"),
        "no order of equals is promised"
    );
    assert_eq!(late(&project(None, Some([5, 10]))).as_deref(), Some("urgent"), "the other above it");
    assert_eq!(late(&project(None, Some([1, 8]))), None);
    assert_eq!(late(&project(Some([7, 12]), Some([1, 7]))).as_deref(), Some("urgent"), "they meet");
}

#[test]
fn a_response_is_that_at_the_least_urgent() {
    let base = project(None, None);
    let [worker, urgent] = ["worker", "urgent"].map(|name| response(&base, name));
    // Above everybody it is as fast as the other was, and is told as it is below.
    let wide = project(None, Some([5, 8]));
    assert_eq!((response(&wide, "worker"), response(&wide, "urgent")), (worker, urgent));
    // Below the other: both work, 6 ms of 40 ns each.
    let below = text("priorities = [4, 9]\nuses = [\"urgent.priority\"]", "").replace("5ms", "8ms");
    assert!(response(&threads(&below), "urgent") > 150_000 && urgent < 60_000);
}

/// How much longer everything might take is asked for all priorities, in both ways of asking.
#[test]
fn the_reach_is_that_of_the_worst_priorities() {
    let reach = |project: &Project| {
        let slowdown = judge::slowdown(project).expect("it holds");
        assert_eq!(prove(project).expect("it holds").reach().map(|reach| reach.slowdown), Some(slowdown));
        assert!(judge::is_slow_enough(project, slowdown) && judge::is_slow_enough_at_once(project, slowdown));
        slowdown
    };
    let of = |deadline: &str, worker| {
        let text = text("priorities = [4, 9]\nuses = [\"urgent.priority\"]", worker);
        threads(&text.replace("deadline = \"5ms\"", deadline))
    };
    let long = of("deadline = \"8ms\"", "");
    let fixed = threads(&text("", "").replace("deadline = \"5ms\"", "deadline = \"8ms\""));
    // 6 ms of 8 at the least; 6 ms of 10 with the priorities of the beginning.
    assert!(reach(&long) < reach(&fixed));
    let late = project(Some([3, 9]), None);
    assert_eq!(judge::slowdown(&late), None);
    let one = judge::slowdown(&project(None, None)).expect("it holds");
    assert!(!judge::is_slow_enough(&late, one) && !judge::is_slow_enough_at_once(&late, one));
}

#[test]
fn what_may_run_before_somebody_may_at_any_of_its_priorities() {
    let beside = |range: &str| {
        let text = text("", "")
            + "[thread.beside]\nprocess = \"one\"\nentry = \"beside\"\nstack = \"512\"\npriority = 1\n"
            + range;
        doubts(&threads(&text).assembly).iter().flat_map(|doubt| doubt.whom.clone()).collect::<Vec<_>>()
    };
    assert_eq!(beside(""), [0; 0]);
    assert_eq!(beside("priorities = [1, 6]\nuses = [\"beside.priority\"]\n"), [1], "before the worker");
}

#[test]
fn it_is_told_how_priorities_are_counted() {
    assert_eq!(ranges(&project(None, None).assembly), None);
    assert_eq!(
        ranges(&project(Some([6, 12]), Some([3, 5])).assembly).as_deref(),
        Some(
            "priorities may change: of `urgent` (6 to 12) and `worker` (3 to 5). Each is counted at its least urgent for its \
             own jobs, and at its most urgent for those of others"
        )
    );
}

#[test]
fn a_plan_leaves_them_where_they_are() {
    let project = project(Some([6, 12]), None);
    let order = Order::of(&project);
    assert_eq!(order.len(), 1, "the worker alone");
    let placed = order.placement(&[]);
    let kept = placed.bands.iter().flat_map(|band| &band.members).find(|member| member.name == "urgent");
    let kept = kept.expect("it stays");
    assert_eq!((kept.priority, kept.priorities), (Some(9), Some([6, 12])));
    assert_eq!(proof::movable(&project, &proof::system(&project)), [""; 0]);
}

#[test]
fn handles_are_those_of_the_threads() {
    let text = text(
        "priorities = [6, 12]\nuses = [\"worker.priority\", \"urgent.priority\"]",
        "priorities = [3, 5]",
    );
    // One in front of them whose priority never changes.
    let steady = "[thread.steady]\nprocess = \"one\"\npriority = 2\nentry = \"steady\"\nstack = \"512\"\n[thread.urgent]";
    let project = threads(&text.replace("[thread.urgent]", steady));
    let glue = process::process(&project, 0, Identity::NONE);
    for handle in ["thread::Thread::new(ThreadId(1))", "thread::Thread::new(ThreadId(2))"] {
        assert!(glue.contains(handle), "{handle}: {glue}");
    }
}
