//! The proof in words: tables of response times and margins, or the counter-example as a timeline.

mod beliefs;
mod demands;
mod partitions;

use beryl_abi::Instant;
use beryl_analysis::sensitivity::Factor;
use beryl_analysis::{Failure, Miss, Proof, Ticks, Work};
use beryl_builder::Project;
use beryl_builder::assembly::Role;
use beryl_builder::proof::judge::{self, Reach};
use beryl_builder::proof::{Doubt, Kind, Proved, Question, Room, Stop, prove};
use beryl_syscode::refused::Shown;
use beryl_trace::Tick;
use beryl_trace::timeline::{Mark, Segment, Timeline, terminal};

use crate::broken;
use crate::chains;
use crate::console::Console;

/// Proves time safety for the image's programs and for each alternative, and prints the proof or the reason
/// why there is none. Returns whether all are proved.
pub fn show(project: &Project, console: &Console) -> bool {
    let mut safe = show_one(project, console);
    for (index, alternative) in project.assembly.alternatives.iter().enumerate() {
        let module = &alternative.body.name;
        console.say(format_args!("\nWith {} in place of module {module}'s own program", alternative.file));
        console.object(&serde_json::json!({ "with": alternative.file, "module": module }));
        safe &= project.after(index).is_some_and(|other| show_one(&other, console));
        safe &= shows_check(project, index, console);
    }
    safe
}

/// The board's verdict on another program: the same check, with the processor time that the module is sure to
/// have.
fn shows_check(project: &Project, alternative: usize, console: &Console) -> bool {
    let rows = project.assembly.alternatives.get(alternative).zip(project.alternatives.get(alternative));
    let Some((row, program)) = rows else { return false };
    let answer = beryl_builder::proof::check(project, row.body.slot.unwrap_or(usize::MAX), program);
    let mut run = String::new();
    match &answer {
        Ok(accepted) => {
            let steps = accepted.steps;
            let by = if accepted.is_certified { "by its certificate" } else { "by carrying it out" };
            console
                .say(format_args!("  the board's own check accepts it, {by}, in {steps} steps for its time"));
        }
        Err(refused) => {
            let (reason, address) = refused.encode();
            let refused = Shown { reason, address };
            run = broken::program(project, alternative, refused);
            console.say(format_args!("  the board will refuse it: {refused}\n{run}").to_string().trim_end());
        }
    }
    let accepted = answer.ok();
    console.object(&serde_json::json!({
        "board_accepts": answer.is_ok(), "steps": accepted.map(|accepted| accepted.steps),
        "certified": accepted.map(|accepted| accepted.is_certified), "certificate": program.certificate,
        "run": run.lines().collect::<Vec<_>>(),
    }));
    answer.is_ok()
}

fn show_one(project: &Project, console: &Console) -> bool {
    match prove(project) {
        Ok(proved) => {
            print(project, console, &proved);
            chains::show(project, console);
            true
        }
        Err(failure) => {
            refuse(project, console, &failure);
            false
        }
    }
}

/// Whether a command may proceed: if the system isn't time-safe, says why, and how to proceed anyway.
pub fn allows(command: &str, project: &Project, console: &Console) -> bool {
    let safe = judge::all(project).all(|project| prove(&project).is_ok());
    if !safe {
        show(project, console);
        how_to_go_on(command, console);
    }
    safe
}

/// Says how to proceed with a system that isn't time-safe.
pub fn how_to_go_on(command: &str, console: &Console) {
    console.say(format_args!("  `beryl {command} --unchecked` goes on all the same."));
}

fn print(project: &Project, console: &Console, proved: &Proved) {
    let Proved { proof, of, .. } = proved;
    let periodic = project.assembly.threads.iter().any(|thread| matches!(thread.role, Role::Periodic(_)));
    let title = if periodic { "deadline" } else { "LET" };
    let is_blocked =
        proof.bands.iter().flat_map(|band| &band.tasks).any(|task| task.blocking > Ticks::new(0));
    console.title("Response times");
    console.say(format_args!(
        "  {:<20} {:<14} {:>10} {:>10} {}{:>10} {:>10}   band",
        "task",
        "process",
        title,
        "worst",
        if is_blocked { format!("{:>10} ", "blocking") } else { String::new() },
        "response",
        "margin"
    ));
    for band in &proof.bands {
        for task in &band.tasks {
            let Some(thread) = project.assembly.threads.iter().find(|thread| thread.name == task.name) else {
                continue;
            };
            let process = &project.assembly.processes[thread.process].name;
            let worst = Ticks::new(thread.job().ticks());
            // A schedule keeps each job in its assigned block, so only the end of the block is guaranteed.
            let by_code = is_by_code(project, thread.band);
            let response = if by_code { task.deadline } else { task.response };
            let margin = if by_code { Ticks::new(0) } else { task.margin };
            // Of a budget: from when the whole of it could be used until it has been.
            let budget = thread.budget.filter(|_| !thread.has_jobs());
            let kept = Ticks::new(budget.map_or(0, |budget| budget.kept().ticks()));
            let (deadline, response) = (task.deadline.less(kept), response.less(kept));
            let times = [deadline, worst, task.blocking, response, margin];
            let in_nanoseconds = times.map(|ticks| nanoseconds(project, ticks));
            let [logical, worst, blocking, response, margin] =
                times.map(|ticks| milliseconds(project, ticks));
            let blocking = if task.blocking == Ticks::new(0) { "-".to_owned() } else { blocking };
            let blocking = if is_blocked { format!("{blocking:>10} ") } else { String::new() };
            console.say(format_args!(
                "  {:<20} {process:<14} {logical:>10} {worst:>10} {blocking}{response:>10} {margin:>10}   {}",
                task.name, band.name
            ));
            console.object(&serde_json::json!({
                "task": task.name, "process": process, "band": band.name, "deadline_ns": in_nanoseconds[0],
                "worst_ns": in_nanoseconds[1], "blocking_ns": in_nanoseconds[2], "response_ns": in_nanoseconds[3],
                "margin_ns": in_nanoseconds[4],
            }));
        }
    }
    console
        .say(format_args!("  processor: {} in all, {} of it drivers and kernel", proof.total, proof.drivers));
    kernel(project, console);
    partitions::tell(project, console);
    tell_restarts(project, console);
    if project.assembly.objects.trace.is_some() {
        console.say("  what is told is counted in it, with all classes on");
        console.object(&serde_json::json!({ "telling": "all classes" }));
    }
    if project.assembly.bands_by_code().next().is_some() {
        console.say("  bands by code: jobs end by their deadlines; their schedules are made for these times and no longer ones");
    } else if !proof.bands.is_empty() {
        sensitivity(console, proved);
    }
    match of {
        Question::AllModes(_) => modes(project, console),
        Question::InTurn(_) => say_modes(beryl_builder::proof::in_turn(&project.assembly), console),
    }
    priorities(project, console);
    let mut doubts = beryl_builder::proof::doubts(&project.assembly);
    doubts.extend(beryl_builder::proof::out_of_step(&project.assembly, proof));
    let when = if periodic { "by its deadline" } else { "within its logical execution time" };
    match (proof.bands.is_empty(), doubts.is_empty()) {
        (true, _) => console.say("  there is no task and no periodic thread, so nothing is proved"),
        (false, true) => console.say(format_args!("  time-safe: every job completes {when}")),
        (false, false) => tell_doubts(project, console, proof, &doubts, when),
    }
    if !proof.bands.is_empty() {
        tell_stops(project, console);
    }
    beliefs::tell(project, console);
}

/// The longest times of kernel steps.
fn kernel(project: &Project, console: &Console) {
    let assembly = &project.assembly;
    let is_told = assembly.objects.trace.is_some();
    let is_counted = |kind: &Kind| match kind {
        Kind::Sorting => assembly.sorting_steps() > 0,
        // Elsewhere it takes as long as any step of a program.
        Kind::Driver => is_told,
        // A thread's own calls are charged to that thread, and what a stop takes is told in a line of its own.
        Kind::Call | Kind::Stop | Kind::Search => false,
        _ => true,
    };
    let kinds = Kind::ALL.into_iter().filter(is_counted);
    let board = project.description.board.board;
    let steps: Vec<_> = kinds.map(|kind| (kind.name(), kind.charged(assembly, board.processor))).collect();
    let told: Vec<_> = steps.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let steps: serde_json::Map<_, _> =
        steps.into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect();
    let name = board.name;
    console.object(&serde_json::json!({ "kernel_instructions_of_a_step": steps, "board": name }));
    console.say(format_args!("  kernel, instructions of a step on {name}: {}", told.join(", ")));
}

/// What processes take from the others that begin anew after a fault.
fn tell_restarts(project: &Project, console: &Console) {
    for row in beryl_builder::proof::restarts(project) {
        let [each, within] = [row.each, row.within].map(Ticks::new);
        let times = if row.most == 1 { "once".to_owned() } else { format!("{} times", row.most) };
        console.say(format_args!(
            "  process `{}` begins anew at most {times} in {}: each takes {} from all others, in {} steps",
            row.process,
            milliseconds(project, within),
            milliseconds(project, each),
            row.steps
        ));
        console.object(&serde_json::json!({
            "restarts": row.process, "most": row.most, "within_ns": nanoseconds(project, within),
            "each_ns": nanoseconds(project, each), "steps": row.steps,
        }));
    }
}

/// Whether anybody is late while a process that faulted is stopped for good.
fn tell_stops(project: &Project, console: &Console) {
    let stops = beryl_builder::proof::stopped(project).stops;
    let name = |stop: &Stop| project.assembly.processes[stop.process].name.clone();
    let told = |wanted: Room| {
        let those: Vec<_> = stops.iter().filter(|(_, room)| *room == wanted).map(|(stop, _)| stop).collect();
        let longest = those.iter().map(|stop| stop.each).max()?;
        let names: Vec<_> = those.iter().map(|stop| format!("`{}`", name(stop))).collect();
        let whoever = if names.len() == 1 { "" } else { "any of " };
        Some((format!("{whoever}{}", names.join(", ")), milliseconds(project, Ticks::new(longest))))
    };
    for room in [Room::ForAll, Room::ForOne, Room::None] {
        let Some((names, longest)) = told(room) else { continue };
        let what = match room {
            Room::ForAll => "nobody else is late, even if all stop at once",
            Room::ForOne => "nobody else is late, unless others stop at the same time",
            Room::None => "others may be late",
        };
        console.say(format_args!("  if {names} faults and is stopped, {what}: that takes {longest} at most"));
    }
    let rows: Vec<_> = stops
        .iter()
        .map(|(stop, room)| {
            serde_json::json!({
                "process": name(stop), "steps": stop.steps,
                "each_ns": nanoseconds(project, Ticks::new(stop.each)),
                "room": match room { Room::ForAll => "all", Room::ForOne => "one", Room::None => "none" },
            })
        })
        .collect();
    if !rows.is_empty() {
        console.object(&serde_json::json!({ "stops": rows }));
    }
}

/// Which jobs are proved anyway, and why the others aren't.
fn tell_doubts(project: &Project, console: &Console, proof: &Proof, doubts: &[Doubt], when: &str) {
    let threads = &project.assembly.threads;
    let doubted = |name: &str| {
        let index = threads.iter().position(|thread| thread.name == name);
        doubts.iter().any(|doubt| index.is_none_or(|index| doubt.whom.contains(&index)))
    };
    let tasks = proof.bands.iter().flat_map(|band| &band.tasks).map(|task| task.name.as_str());
    let tasks = tasks.filter(|name| threads.iter().any(|thread| thread.name == *name));
    let (others, safe): (Vec<&str>, Vec<&str>) = tasks.partition(|name| doubted(name));
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if !safe.is_empty() {
        console.say(format_args!("  time-safe: every job of {} completes {when}", quoted(&safe)));
    }
    let whose = if safe.is_empty() { String::new() } else { format!(" of {}", quoted(&others)) };
    console
        .say(format_args!("  every job{whose} would complete {when}, if it weren't for what isn't proved:"));
    doubts.iter().for_each(|doubt| console.say(format_args!("  - {}", doubt.said)));
    let said: Vec<&String> = doubts.iter().map(|doubt| &doubt.said).collect();
    console.object(&serde_json::json!({ "not_proved": said, "time_safe": safe }));
}

/// How modes are counted, if there are several and the proof covers all at once.
fn modes(project: &Project, console: &Console) {
    say_modes(beryl_builder::proof::together(&project.assembly), console);
}

/// How changing priorities are counted, if there are any.
fn priorities(project: &Project, console: &Console) {
    if let Some(how) = beryl_builder::proof::ranges(&project.assembly) {
        console.say(format_args!("  {how}"));
        console.object(&serde_json::json!({ "priorities": how }));
    }
}

fn say_modes(how: Option<String>, console: &Console) {
    if let Some(how) = how {
        console.say(format_args!("  {how}"));
        console.object(&serde_json::json!({ "modes": how }));
    }
}

fn is_by_code(project: &Project, band: usize) -> bool {
    project.assembly.bands_by_code().any(|code| code == band)
}

/// The reach of the proof: by how much everything may take longer, and which task is late first then.
fn sensitivity(console: &Console, proved: &Proved) {
    let Some(Reach { slowdown, late_first: first }) = proved.reach() else { return };
    let (times, then) = match (slowdown, &first) {
        (Factor::MOST, _) => ("100 times as long, and more".to_owned(), String::new()),
        (slowdown, None) => (format!("{slowdown} times as long"), String::new()),
        (slowdown, Some(name)) => {
            (format!("{slowdown} times as long"), format!("; `{name}` would be late first"))
        }
    };
    console.say(format_args!("  it would still hold if everything, the kernel too, took {times}{then}"));
    console.object(&serde_json::json!({ "slowdown": slowdown.to_string(), "late_first": first }));
}

/// Why a system isn't time-safe, in a line without its end; nothing if it is.
pub fn refusal(project: &Project) -> Option<String> {
    judge::all(project).find_map(|project| Some(in_a_line(&project, &prove(&project).err()?)))
}

fn in_a_line(project: &Project, failure: &Failure) -> String {
    let Failure::NotSchedulable(miss) = failure else { return failure.to_string() };
    let [release, deadline, unfinished] =
        [miss.job.release, miss.job.deadline, miss.unfinished].map(|ticks| milliseconds(project, ticks));
    format!(
        "task `{}`, released at {release}, can't complete by {deadline}: {unfinished} of work are left then",
        miss.task
    )
}

fn refuse(project: &Project, console: &Console, failure: &Failure) {
    let Failure::NotSchedulable(miss) = failure else {
        console.title("Not proved");
        console.say(format_args!("  {failure}"));
        modes(project, console);
        priorities(project, console);
        console.object(&serde_json::json!({ "refused": failure.to_string() }));
        return;
    };
    console.title("Not time-safe");
    console.say(format_args!("  {}.", in_a_line(project, failure)));
    modes(project, console);
    priorities(project, console);
    let equals: Vec<_> = miss.equals.iter().map(|name| format!("`{name}`")).collect();
    if !equals.is_empty() {
        let (equals, task) = (equals.join(", "), &miss.task);
        console.say(format_args!(
            "  As urgent as `{task}`, and before it here: {equals}. No order of equals is promised."
        ));
    }
    console.say("  The shortest run that shows it, with worst-case execution times:\n");
    console.say(counter_example(project, console, miss));
    console.say(format_args!(
        "  Make a worst execution time in beryl.toml smaller, a frequency in the timing program lower,\n  or the processor faster (`speed` in [board])."
    ));
    console.object(&serde_json::json!({
        "refused": "not time-safe", "task": miss.task, "release_ns": nanoseconds(project, miss.job.release),
        "deadline_ns": nanoseconds(project, miss.job.deadline), "unfinished_ns": nanoseconds(project, miss.unfinished),
        "equals": miss.equals,
    }));
}

fn counter_example(project: &Project, console: &Console, miss: &Miss) -> String {
    let system = beryl_builder::proof::system(project);
    let tasks: Vec<_> = system
        .bands
        .iter()
        .enumerate()
        .flat_map(|(band, row)| {
            row.tasks.iter().enumerate().map(move |(task, row)| (band, task, row.name.clone()))
        })
        .collect();
    let mut rows = vec!["drivers and kernel".to_owned()];
    rows.extend(tasks.iter().map(|(_, _, name)| name.clone()));
    let row = |index: beryl_analysis::TaskIndex| {
        tasks
            .iter()
            .position(|(band, task, _)| (*band, *task) == (index.band, index.task))
            .map_or(0, |place| place + 1)
    };
    let at = |ticks: Ticks| Instant::from_ticks(ticks.get());
    let segments: Vec<_> = miss
        .schedule
        .segments
        .iter()
        .map(|segment| Segment {
            row: match &segment.work {
                Work::Job(job) => row(job.task),
                Work::Driver(_) | Work::Kernel => 0,
            },
            from: at(segment.start),
            to: at(segment.end),
        })
        .collect();
    let releases: Vec<_> =
        miss.schedule.releases.iter().map(|job| Mark { row: row(job.task), at: at(job.release) }).collect();
    let deadlines: Vec<_> =
        miss.schedule.releases.iter().map(|job| Mark { row: row(job.task), at: at(job.deadline) }).collect();
    let late = Mark { row: row(miss.job.task), at: at(miss.job.deadline) };
    let Some(tick) = Tick::new(project.tick(), 1) else { return String::new() };
    let title = format!("{}: counter-example", project.assembly.name);
    let timeline = Timeline::from_segments(&title, tick, &rows, &segments, &releases, &deadlines, Some(late));
    terminal::render(&timeline, console.drawing())
}

/// Ticks of a project's board in nanoseconds.
pub fn nanoseconds(project: &Project, ticks: Ticks) -> u64 {
    ticks.get().saturating_mul(project.tick().into())
}

/// Ticks of a project's board in words.
pub fn milliseconds(project: &Project, ticks: Ticks) -> String {
    in_milliseconds(nanoseconds(project, ticks))
}

/// Nanoseconds in words.
pub fn in_milliseconds(nanoseconds: u64) -> String {
    let microseconds = nanoseconds / 1000;
    format!("{}.{:03} ms", microseconds / 1000, microseconds % 1000)
}
