//! Who is policed: what is believed of them no more, and what that costs others in the proof.

use beryl_abi::Duration;
use beryl_builder::emit::tables::tables;
use beryl_builder::load::stops;
use beryl_builder::proof::{prove, relied, stopped, system};
use common::threads;

mod common;

fn thread_of(name: &str, process: &str, priority: u8, lines: &str) -> String {
    format!(
        "[thread.{name}]\nprocess = \"{process}\"\npriority = {priority}\nentry = \"{name}\"\nstack = \"512\"\n{lines}\n"
    )
}

/// Those of so many ticks that aren't zero.
fn longest(holds: &[Duration]) -> Vec<u64> {
    holds.iter().map(|hold| hold.ticks()).filter(|ticks| *ticks > 0).collect()
}

/// `first` and `high` of a process share two locks; `above`, of another process, is between them, and `below` under all.
fn raised(line: &str, holds: &str) -> String {
    let uses = "uses = [\"short\", \"long\"]";
    [
        "[process.one]\nmemory = \"64\"\n[process.two]\nmemory = \"64\"\n[[band]]\nname = \"all\"\npolicy = \"fixed\"\n",
        &thread_of("high", "one", 20, &format!("period = \"50ms\"\nworst = \"100us\"\n{uses}")),
        &thread_of("above", "two", 12, "period = \"20ms\"\nworst = \"1ms\""),
        &thread_of("first", "one", 9, &format!("period = \"40ms\"\nworst = \"2ms\"\n{uses}\n{holds}\n{line}")),
        &thread_of("below", "two", 1, "period = \"100ms\"\nworst = \"5ms\""),
        "[lock.short]\nhold = \"100us\"\n[lock.long]\nhold = \"100us\"\n",
    ]
    .concat()
}

/// Who is stopped for staying inside isn't believed not to, and counts in each of its locks as long as in any.
#[test]
fn who_is_policed_is_not_believed_but_counted_for_its_longest_hold() {
    let said = |text: &str| {
        let project = threads(text);
        let all = relied(&project, &stopped(&project), 0).into_iter().map(|reliance| reliance.said);
        all.filter(|said| said.contains("stays raised")).collect::<Vec<_>>()
    };
    let blocked = |text: &str| {
        let proof = prove(&threads(text)).expect("it fits").proof;
        proof.bands[0].tasks.iter().find(|task| task.name == "above").expect("it is proved").blocking.get()
    };
    let long = "hold = { long = \"900us\" }";
    let (believed, policed) = (raised("", long), raised("on_hold = \"fault\"", long));
    assert_eq!(said(&believed), ["`first` stays raised no longer than its `hold` says"]);
    assert_eq!(said(&policed), Vec::<String>::new());
    // Beside the section what it takes until that is seen. 900 us are 22,500 ticks.
    let (before, after) = (blocked(&believed), blocked(&policed));
    assert!(before >= 22_500 && after > before + 1, "{before} and {after}");
    // It may stay in either lock as long as in the other.
    let other = |line: &str| raised(line, "hold = { short = \"900us\", long = \"2us\" }");
    assert_eq!(blocked(&other("on_hold = \"fault\"")), after);
    let all = threads(&policed);
    assert_eq!(longest(&all.assembly.policed()), [22_500]);
    // The kernel's way until it goes on inside is no part of the section, and is counted.
    let enforced = all.enforced(Duration::from_ticks(22_500));
    let first = all.assembly.threads.iter().find(|thread| thread.name == "first").expect("a thread");
    assert!(enforced > 22_500 && after >= enforced + all.end_of_policed(first), "{after}");
    assert_eq!(all.enforced(Duration::ZERO), 0);
    let tables = tables(&all).text;
    let rows = tables.lines().find_map(|line| line.trim().strip_prefix("holds: &[")).expect("a row");
    assert!(rows.contains(&format!(" {enforced},")), "{rows}");
}

/// `first` owns a semaphore in turn with `high` of another process, and says this of what happens then; it may call `store`.
fn owning(line: &str, also: &str) -> String {
    [
        "[process.one]\nmemory = \"64\"\n[process.two]\nmemory = \"64\"\n[[band]]\nname = \"all\"\npolicy = \"fixed\"\n",
        &thread_of("high", "two", 20, "period = \"50ms\"\nworst = \"100us\"\nuses = [\"short\"]"),
        &thread_of("first", "one", 9, &format!("period = \"40ms\"\nworst = \"2ms\"\nuses = [\"short\", \"long\"{also}]\n{line}")),
        &thread_of("other", "one", 8, "period = \"40ms\"\nworst = \"1ms\"\nuses = [\"long\"]\non_hold = \"fault\""),
        &thread_of("server", "two", 7, "uses = [\"store.serve\"]"),
        &thread_of("client", "two", 1, "period = \"100ms\"\nworst = \"1ms\"\nuses = [\"store.call\"]"),
        "[semaphore.short]\nkind = \"binary\"\nhold = \"100us\"\n[semaphore.long]\nkind = \"binary\"\nhold = \"900us\"\n",
        "[endpoint.store]\nrequest = \"int\"\nreply = \"int\"\nhold = \"50us\"\n",
    ]
    .concat()
}

/// Who is stopped for owning a semaphore too long isn't believed not to, and counts for its longest; but what a server
/// does for it meanwhile isn't its own time.
#[test]
fn an_owner_that_is_policed_is_not_believed_unless_it_calls_servers() {
    const SAID: &str = "no thread of its owns semaphore `short` for longer than its `hold`";
    let is_believed = |text: &str| {
        let project = threads(text);
        relied(&project, &stopped(&project), 0).iter().any(|reliance| reliance.said == SAID)
    };
    let policed = "on_hold = \"fault\"";
    let beliefs = [("", ""), (policed, ""), (policed, ", \"store.call\"")];
    assert_eq!(beliefs.map(|(line, also)| is_believed(&owning(line, also))), [true, false, true]);
    let blocked = |text: &str| {
        let proof = prove(&threads(text)).expect("it fits").proof;
        proof.bands[0].tasks.iter().find(|task| task.name == "high").expect("it is proved").blocking.get()
    };
    // 100 us are 2,500 ticks, 900 are 22,500: it may own either as long as the other, and until that is seen.
    let (before, after) = (blocked(&owning("", "")), blocked(&owning(policed, "")));
    assert!(before >= 2_500 && before + 20_000 < after && after < before + 25_000, "{before} and {after}");
}

/// `server` of `one` works for clients of another process, the first of which says that it does so for as long as this.
fn serving(line: &str, also: &str) -> String {
    [
        "[process.one]\nmemory = \"64\"\n[process.two]\nmemory = \"64\"\n[[band]]\nname = \"all\"\npolicy = \"fixed\"\n",
        &thread_of(
            "high",
            "two",
            20,
            &format!("period = \"50ms\"\nworst = \"2ms\"\nuses = [\"store.call\"]\n{also}"),
        ),
        &thread_of("low", "two", 9, "period = \"40ms\"\nworst = \"2ms\"\nuses = [\"store.call\"]"),
        &thread_of("server", "one", 1, &format!("uses = [\"store.serve\"]\n{line}")),
        "[endpoint.store]\nrequest = \"int\"\nreply = \"int\"\nhold = \"900us\"\n",
    ]
    .concat()
}

/// A server that is stopped for taking too long isn't believed to answer in time, and who waits while it works for another
/// client does so for its `hold` and until that is found. Who says that it works less for him is right only by its grace.
#[test]
fn a_server_that_is_policed_is_not_believed_but_counted() {
    const SAID: &str = "`server` answers its clients in time";
    let is_believed = |text: &str| {
        let project = threads(text);
        relied(&project, &stopped(&project), 0).iter().any(|reliance| reliance.said == SAID)
    };
    let policed = "on_hold = \"fault\"";
    let beliefs = [("", ""), (policed, ""), (policed, "hold = { store = \"100us\" }")];
    assert_eq!(beliefs.map(|(line, also)| is_believed(&serving(line, also))), [true, false, true]);
    let of_high = |text: &str| {
        let proof = prove(&threads(text)).expect("it fits").proof;
        proof.bands[0].tasks.iter().find(|task| task.name == "high").expect("it is proved").blocking.get()
    };
    // 900 us are 22,500 ticks: it may work for `low`, and for somebody who has given up.
    let (before, after) = (of_high(&serving("", "")), of_high(&serving(policed, "")));
    assert!(before >= 45_000 && before < after && after < before + 6_000, "{before} and {after}");
    let taken = |text: &str| {
        let project = threads(text);
        stops(&project.costed).iter().find(|stop| stop.process == 0).expect("it may be stopped").each
    };
    // A client's time goes on until the server is found to be late; and when it is back, until it comes for the next.
    let (before, after) = (taken(&serving("", "")), taken(&serving(policed, "")));
    assert!(before + 22_500 < after && after < before + 30_000, "{before} and {after}");
    let all = threads(&serving(policed, ""));
    assert_eq!(all.assembly.policed(), []);
    assert_eq!(longest(&all.assembly.answering()), [22_500]);
}

/// Who shares a budget with a more urgent thread of another process believes that one.
#[test]
fn who_shares_a_budget_across_processes_believes_who_is_more_urgent() {
    let group = "group = \"pair\"\n";
    let text = raised("", "")
        .replace("worst = \"100us\"\n", &format!("worst = \"100us\"\n{group}"))
        .replace("worst = \"5ms\"\n", &format!("worst = \"5ms\"\n{group}"))
        + "[group.pair]\nbudget = \"3ms\"\nevery = \"10ms\"\n";
    let project = threads(&text);
    let of = |process: usize| {
        let all = relied(&project, &stopped(&project), process).into_iter();
        let worst = all.filter(|reliance| reliance.said.contains("longer than its `worst`"));
        let name = |thread: usize| project.assembly.threads[thread].name.clone();
        worst
            .map(|reliance| (reliance.said, reliance.whom.into_iter().map(name).collect()))
            .collect::<Vec<_>>()
    };
    let said = |name: &str| format!("no job of `{name}` takes longer than its `worst`");
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    assert_eq!(of(0), [(said("high"), names(&["below"])), (said("first"), names(&["below"]))]);
    // `below` is less urgent than all others, so nobody believes anything of it.
    assert_eq!(of(1), [(said("above"), names(&["first"]))]);
}

/// `often` shares a semaphore with `spending`, which has a budget and no jobs; `below` is less urgent than both.
fn lending(line: &str, hold: &str) -> String {
    let uses = "uses = [\"short\"]";
    [
        "[process.one]\nmemory = \"64\"\n[process.two]\nmemory = \"64\"\n[[band]]\nname = \"all\"\npolicy = \"fixed\"\n",
        &thread_of("often", "two", 20, &format!("period = \"10ms\"\nworst = \"100us\"\n{uses}\n{line}")),
        &thread_of(
            "spending",
            "one",
            9,
            &format!("budget = \"2ms\"\nevery = \"40ms\"\non_overrun = \"fault\"\n{uses}\n{hold}"),
        ),
        &thread_of("below", "two", 5, "period = \"100ms\"\nworst = \"25ms\""),
        "[semaphore.short]\nkind = \"binary\"\nhold = \"100us\"\n",
    ]
    .concat()
}

/// What `spending` does in the place of `often` isn't paid from its budget, and each job of that one may bring it there again.
#[test]
fn sections_in_the_place_of_jobs_that_are_believed_are_counted_with_each() {
    let (long, short) = ("hold = { short = \"900us\" }", "");
    let overhead = |text: &str| {
        let system = system(&threads(text));
        system.bands[0].tasks.iter().find(|task| task.name == "often").expect("it has jobs").overhead.get()
    };
    let job = |line: &str, hold: &str| overhead(&lending(line, hold));
    // 800 us are 20,000 ticks.
    let longer = |line: &str| job(line, long) - job(line, short);
    assert!(longer("") >= 20_000);
    // A job with a budget pays for what is done in its place: its end waits for one section, and that is all.
    assert_eq!(longer("on_overrun = \"end-job\""), 20_000);
    // Of jobs that are believed, such a section is a part.
    let budget = "budget = \"2ms\"\nevery = \"40ms\"\non_overrun = \"fault\"";
    let jobs =
        |hold: &str| overhead(&lending("", hold).replace(budget, "period = \"40ms\"\nworst = \"2ms\""));
    assert_eq!(jobs(long), jobs(short));
    assert!(job("", short) > jobs(short) + 2_500);
    let believes = |line: &str| {
        let project = threads(&lending(line, short));
        let all = relied(&project, &stopped(&project), 0).into_iter();
        let is_of_semaphore = |said: &str| said.contains("semaphore `short`");
        let whom = all.filter(|reliance| is_of_semaphore(&reliance.said)).flat_map(|reliance| reliance.whom);
        whom.map(|thread| project.assembly.threads[thread].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(believes(""), ["often", "below"]);
    assert_eq!(believes("on_overrun = \"end-job\""), ["often"]);
}
