//! A system that uses every kind of object: levels and ceilings, rows, memory, handles, and what is proved of it.

use beryl_builder::assembly::objects::Count;
use beryl_builder::assembly::{Assembly, Home, assemble};
use beryl_builder::description::Description;
use beryl_builder::emit::simulation::{MadeOf, World, simulation};
use beryl_builder::emit::{kernel, process, tables};
use beryl_builder::plan::{Interval, Rights, SHARED_WORDS};
use beryl_builder::proof::{self, unproved};
use beryl_builder::{Identity, Project};
use beryl_timing::Source;
use common::{parsed, try_project};

mod common;

const TIMING: &str = "module Engine {
  task control { output int spark := 0; uses control_impl(spark); }
  start mode only [period = 5ms] { task [freq = 1] control(); }
}";

fn project_of(text: &str) -> Project {
    try_project(TIMING, parsed(text)).expect("it can be expressed")
}

const TEXT: &str = include_str!("description/right/objects.toml");

fn project() -> Project {
    project_of(TEXT)
}

fn table(project: &Project) -> String {
    tables::tables(project).text
}

/// The rows of a kind in the generated tables, without their names.
fn rows<'a>(table: &'a str, kind: &str) -> Vec<&'a str> {
    let row = |line: &'a str| Some(line.split_once("*/ ")?.1.strip_prefix(kind)?.trim_end_matches(','));
    table.lines().filter_map(row).collect()
}

#[test]
fn levels_follow_bands_then_deadlines_and_priorities() {
    let project = project();
    let assembly = &project.assembly;
    let levels: Vec<_> = assembly
        .threads
        .iter()
        .map(|thread| (thread.name.as_str(), thread.level, thread.highest_ceiling))
        .collect();
    let expected = [
        ("control", 3, 5),
        ("inject", 4, 5),
        ("crank", 5, 0),
        ("slow", 2, 5),
        ("writer", 1, 0),
        ("server", 1, 0),
        ("idle", 0, 0),
    ];
    assert_eq!(levels, expected, "500 us before 1 ms before 5 ms, then priority 7, then twice 3");
    let ceilings: Vec<_> =
        assembly.objects.locks.iter().map(|lock| (lock.name.as_str(), lock.ceiling)).collect();
    assert_eq!(
        ceilings,
        [("map", 5), ("alone", 0)],
        "the level of crank, in whose place slow may run, since both use bus; no ceiling for one user"
    );
}

#[test]
fn object_rows_say_who_may_name_what() {
    let project = project();
    let table = table(&project);
    let (engine, log, watch) = (1, 2, 4);
    let objects = &project.assembly.objects;
    let Count::Binary { word: Some(word), .. } = &objects.semaphores[0].count else {
        panic!("{:?}", objects.semaphores[0])
    };
    let address = |cell| project.places.address(&project.assembly.cells, cell);
    let semaphores = [
        format!(
            "Semaphore {{ processes: {engine:#x}, kind: SemaphoreKind::Binary {{ word: {:#010x} }} }}",
            address(*word)
        ),
        format!(
            "Semaphore {{ processes: {:#x}, kind: SemaphoreKind::Binary {{ word: 0x00000000 }} }}",
            engine | log
        ),
        format!(
            "Semaphore {{ processes: {:#x}, kind: SemaphoreKind::Counting {{ initial: 2, most: 3 }} }}",
            engine | watch
        ),
    ];
    let found: Vec<_> = rows(&table, "Semaphore").iter().map(|row| format!("Semaphore{row}")).collect();
    assert_eq!(found, semaphores);
    assert_eq!(rows(&table, "Condition"), [format!(" {{ processes: {:#x} }}", engine | log)]);
    assert_eq!(
        rows(&table, "EventGroup"),
        [format!(" {{ sources: {engine:#x}, waiters: {:#x} }}", engine | log)]
    );
    let buffer = address(objects.mailboxes[0].buffer);
    assert_eq!(
        rows(&table, "Mailbox"),
        [format!(
            " {{ senders: {engine:#x}, receivers: {log:#x}, base: {buffer:#010x}, length: 8, capacity: 8, first_come: true }}"
        )]
    );
    assert_eq!(
        rows(&table, "Endpoint"),
        [format!(" {{ callers: {engine:#x}, server: ThreadId(5), request: 4, reply: 16 }}")]
    );
    assert_eq!(
        rows(&table, "Notification"),
        [format!(" {{ senders: {engine:#x}, thread: ThreadId(2), bits: 0x2 }}")],
        "crank's interrupt has the first bit of its word"
    );
    assert_eq!(
        rows(&table, "Interrupt"),
        [
            " { line: Line(4), thread: ThreadId(2), bits: 0x1 }",
            " { line: Line(10), thread: ThreadId(4), bits: 0x1 }"
        ],
        "by line"
    );
    let speed = &objects.states[0];
    assert_eq!(
        rows(&table, "StateMessage"),
        [format!(
            " {{ readers: {log:#x}, index: {:#010x}, base: {:#010x}, length: 16, depth: 8 }}",
            speed.index.map(address).expect("it has buffers"),
            address(speed.buffers)
        )],
        "only what is read by a call"
    );
}

#[test]
fn thread_rows_have_their_times_and_words() {
    let project = project();
    let table = table(&project);
    let found: Vec<_> = rows(&table, "Thread ")
        .iter()
        .filter_map(|row| Some(row.split_once("{ kind: ThreadKind::")?.1.split_once(", stack:")?.0))
        .map(|row| row.replace("Duration::from_ticks", "").replace("Duration::", ""))
        .collect();
    let dynamic = |slot| format!("band: BandId(0), place: Place::Dynamic {{ slot: {slot} }}");
    let fixed = |priority| format!("band: BandId(1), place: Place::fixed({priority})");
    let expected = [
        format!("Task, process: ProcessId(0), {}, rank: Rank::dynamic(0), level: 3, highest_ceiling: 5, catch_up: 0, period: FOREVER, offset: (0), deadline: (125000), worst: (25000)", dynamic(0)),
        format!("Periodic, process: ProcessId(0), {}, rank: Rank::dynamic(0), level: 4, highest_ceiling: 5, catch_up: 0, period: (25000), offset: (6250), deadline: (25000), worst: (2500)", dynamic(1)),
        format!("Free, process: ProcessId(0), {}, rank: Rank::dynamic(0), level: 5, highest_ceiling: 0, catch_up: 0, period: FOREVER, offset: (0), deadline: (12500), worst: FOREVER", dynamic(2)),
        format!("Periodic, process: ProcessId(0), {}, rank: Rank::fixed(1), level: 2, highest_ceiling: 5, catch_up: 1, period: (250000), offset: (0), deadline: (500000), worst: (50000)", fixed(7)),
        format!("Free, process: ProcessId(1), {}, rank: Rank::fixed(2), level: 1, highest_ceiling: 0, catch_up: 0, period: FOREVER, offset: (0), deadline: FOREVER, worst: FOREVER", fixed(3)),
        format!("Free, process: ProcessId(2), {}, rank: Rank::fixed(2), level: 1, highest_ceiling: 0, catch_up: 0, period: FOREVER, offset: (0), deadline: FOREVER, worst: FOREVER", fixed(3)),
        "Idle, process: ProcessId(0), band: BandId(2), place: Place::fixed(0), rank: Rank::fixed(3), level: 0, highest_ceiling: 0, catch_up: 0, period: FOREVER, offset: (0), deadline: FOREVER, worst: FOREVER".to_owned(),
    ];
    assert_eq!(found, expected);
    let slots = table.split_once("    slots: [").expect("a table").1.split_once("],").expect("its end").0;
    let slots: Vec<_> = slots.split(',').map(str::trim).filter(|slot| !slot.is_empty()).collect();
    assert_eq!(slots, ["ThreadId(0)", "ThreadId(1)", "ThreadId(2)", "ThreadId::NONE"]);
    for (index, stack) in project.places.stacks.iter().enumerate() {
        let words = project.places.words(index);
        assert_eq!(words + SHARED_WORDS, stack.address + stack.length, "the last bytes of the stack");
        assert!(table.contains(&format!(
            "stack: Range::new({:#010x}, {}), words: {words:#010x}",
            stack.address, stack.length
        )));
    }
    assert_eq!(rows(&table, "Process ").len(), 3);
}

/// What a thread may do with an address, by the regions that are in force when it runs.
fn rights(project: &Project, thread: usize, address: u32) -> Option<Rights> {
    let plan = &project.plan;
    let row = &project.assembly.threads[thread];
    let stack = plan.stacks.iter().find(|stack| stack.thread == row.name).expect("it has a stack");
    let regions = plan.fixed_regions().into_iter().chain(plan.processes[row.process].regions());
    let holds = |region: &beryl_builder::plan::Region| {
        let covered = plan.board.processor.protection.covers(region);
        covered.expect("it can be encoded");
        region.interval.contains(Interval::new(address, address + 4))
    };
    let found = regions.chain([stack.block.region]).filter(holds);
    found.max_by_key(|region| region.number).map(|region| region.rights)
}

#[test]
fn objects_lie_where_their_users_may_reach_them_and_others_not() {
    let project = project();
    let Assembly { cells, objects, threads, .. } = &*project.assembly;
    let address = |cell| project.places.address(cells, cell);
    let of_all = |address| -> Vec<_> {
        (0..threads.len() - 1).map(|thread| rights(&project, thread, address)).collect()
    };
    let (n, r, w) = (None, Some(Rights::Read), Some(Rights::ReadWrite));
    let value = objects.locks[0].value.as_ref().expect("it has one").cell;
    // control, inject, crank, slow: engine; writer: log; server: watch.
    assert_eq!(of_all(address(value)), [w, w, w, w, n, n], "what a lock protects is its process's");
    assert_eq!(
        of_all(address(objects.mailboxes[0].buffer)),
        [n; 6],
        "messages on their way are the kernel's"
    );
    for state in &objects.states {
        let cells = [Some(state.buffers), state.index].into_iter().flatten();
        cells.for_each(|cell| assert_eq!(of_all(address(cell)), [w, w, w, w, r, r], "{}", state.name));
    }
    let frame = project.places.regions[0];
    assert_eq!(of_all(frame.address), [w, w, w, w, w, n], "engine and log share it");
    assert_eq!(of_all(frame.address + 196), [w, w, w, w, w, n]);
    let published = cells.image(Home::Published).len();
    assert!(published > 0);
    assert_eq!(of_all(project.places.home(Home::Published)), [r; 6]);
    assert_eq!(project.places.memories.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
}

#[test]
fn depths_follow_the_writers_rhythm_and_the_slowest_reader() {
    let project = project();
    let objects = &project.assembly.objects;
    let depths: Vec<_> = objects
        .states
        .iter()
        .map(|state| (state.name.as_str(), state.depth, state.stride(), state.window.ticks()))
        .collect();
    // speed: written every 1 ms within 1 ms, read within 5 ms: floor(6 / 1) + 1 = 7 writes, so 8 buffers.
    // note: one word. wheel: every 2 ms within 0.1 ms and one made up for, read within 3 ms: 2 + 2 = 4, so 8.
    assert_eq!(depths, [("speed", 8, 16, 125_000), ("note", 1, 4, 0), ("wheel", 8, 12, 75_000)]);
    let slow_only = TEXT.replace("\"map\", \"speed.read\", \"tick.notify\"", "\"map\", \"tick.notify\"");
    let speed = &project_of(&slow_only).assembly.objects.states[0];
    assert_eq!((speed.depth, speed.window.ticks()), (2, 0), "the newest, and one that is being written");
}

#[test]
fn a_buffer_that_would_be_too_deep_is_refused() {
    let text = TEXT.replace("read_within = \"3ms\"", "read_within = \"1s\"");
    let description = Description::parse("beryl.toml", &text).expect("nothing is wrong by itself");
    let source = Source { name: "objects.tdl".to_owned(), text: TIMING.to_owned() };
    let model = beryl_timing::compile(&[source]).expect("it is right");
    let said = format!("{:?}", assemble(&model, &description).expect_err("503 writes in a second"));
    assert!(said.contains("state message `wheel` needs 512 buffers"), "{said}");
}

#[test]
fn handles_are_parameters_in_the_order_of_uses() {
    let project = project();
    let glue = |index| process::process(&project, index, Identity::NONE);
    let parameters = |text: &str, function: &str| -> Vec<String> {
        let call = text.split_once(&format!("application::{function}(")).expect("it is called").1;
        let call = call
            .split_once("\n            );")
            .or_else(|| call.split_once("\n            )"))
            .expect("its end")
            .0;
        let kinds = call.lines().map(|line| line.trim().trim_end_matches(','));
        kinds
            .filter(|line| !line.is_empty())
            .map(|line| line.split_once("::new").map_or(line, |(kind, _)| kind).to_owned())
            .collect()
    };
    let engine = glue(0);
    let control = parameters(&engine, "control_impl");
    assert!(control[0].starts_with("&mut *memory::at::<i32>("), "{control:?}");
    assert_eq!(
        control[1..],
        ["lock::Lock::<[f64; 4]>", "state::Reader::<[f64; 2]>", "notification::Notifier"]
    );
    assert_eq!(
        parameters(&engine, "inject"),
        [
            "period::Period",
            "lock::Lock::<[f64; 4]>",
            "state::Writer::<[f64; 2]>",
            "state::Writer::<i16>",
            "mailbox::Sender::<[i16; 3]>"
        ]
    );
    assert_eq!(
        parameters(&engine, "crank"),
        [
            "interrupt::Interrupt",
            "notification::Notification",
            "semaphore::Binary::<i32>",
            "condition::Condition",
            "state::Writer::<[i32; 3]>",
            "region::Region",
            "event_group::Source"
        ]
    );
    assert_eq!(
        parameters(&engine, "slow"),
        [
            "period::Period",
            "lock::Lock::<[f64; 4]>",
            "semaphore::Binary::<()>",
            "semaphore::Counting",
            "endpoint::Client::<i32, [i8; 13]>",
            "semaphore::Binary::<i32>",
            "event_group::Waiter"
        ]
    );
    assert_eq!(
        parameters(&glue(1), "writer"),
        [
            "interrupt::Interrupt",
            "mailbox::Receiver::<[i16; 3]>",
            "semaphore::Binary::<()>",
            "region::Region",
            "state::Reader::<[i32; 3]>",
            "state::SlowReader::<[f64; 2]>",
            "condition::Condition",
            "event_group::Waiter"
        ]
    );
    assert_eq!(
        parameters(&glue(2), "server"),
        [
            "endpoint::Server::<i32, [i8; 13]>",
            "semaphore::Counting",
            "state::Reader::<i16>",
            "lock::Lock::<()>"
        ]
    );
}

#[test]
fn handles_name_what_the_rows_name() {
    let project = project();
    let Assembly { cells, objects, .. } = &*project.assembly;
    let address = |cell| project.places.address(cells, cell);
    let engine = process::process(&project, 0, Identity::NONE);
    let value = |index: usize| {
        objects.locks[index].value.as_ref().map(|value| address(value.cell)).unwrap_or_default()
    };
    for thread in [0, 1, 3] {
        let lock =
            format!("Lock::<[f64; 4]>::new({:#010x}, 5, {:#010x})", project.places.words(thread), value(0));
        assert!(engine.contains(&lock), "{lock} in {engine}");
    }
    let Count::Binary { word: Some(word), value: Some(bus) } = &objects.semaphores[0].count else { panic!() };
    for thread in [2, 3] {
        let (word, bus) = (address(*word), address(bus.cell));
        let bus =
            format!("Binary::<i32>::new(SemaphoreId(0), {word:#010x}, ThreadId({thread}), {bus:#010x})");
        assert!(engine.contains(&bus), "{bus} in {engine}");
    }
    assert!(engine.contains("Binary::<()>::new(SemaphoreId(1), 0, ThreadId(3), 0)"));
    assert!(engine.contains("notification::Notifier::new(NotificationId(0), 0x2)"));
    assert!(engine.contains("notification::Notification::new(0x2)"));
    assert!(engine.contains("interrupt::Interrupt::new(InterruptId(0), 0x1)"));
    let note = format!("Writer::<i16>::new(0x00000000, {:#010x}, 1)", address(objects.states[1].buffers));
    assert!(engine.contains(&note), "{note} in {engine}");
    let log = process::process(&project, 1, Identity::NONE);
    assert!(log.contains("SlowReader::<[f64; 2]>::new(StateMessageId(0))"));
    assert!(log.contains(&format!("Region::new({:#010x}, 200)", project.places.regions[0].address)));
}

#[test]
fn stacks_begin_below_the_words_and_the_simulator_knows_them() {
    let project = project();
    let entries = kernel::Entries { threads: vec![1; project.assembly.threads.len()], images: Vec::new() };
    let files = kernel::kernel(&project.assembly, &project.plan, &entries).expect("regions can be encoded");
    let layout = &files.iter().find(|file| file.path.ends_with("layout.rs")).expect("it is written").text;
    let board = project.description.board.board.value;
    let world = World { folder: String::new(), made_of: MadeOf::Nothing, lines: Vec::new() };
    let files = simulation(&project, board, 32 << 10, &world, Identity::NONE);
    let main = &files.iter().find(|file| file.path.ends_with("main.rs")).expect("it is written").text;
    for (index, stack) in project.places.stacks.iter().enumerate() {
        assert!(layout.contains(&format!(
            "stack_bottom: {:#010x}, stack_top: {:#010x}",
            stack.address,
            project.places.words(index)
        )));
        assert!(main.contains(&format!("memory: Range::new({:#010x}, {})", stack.address, stack.length)));
    }
}

#[test]
fn what_is_not_declared_is_not_proved() {
    let project = project();
    let system = proof::system(&project);
    let tasks: Vec<_> = system
        .bands
        .iter()
        .flat_map(|band| &band.tasks)
        .map(|task| {
            (task.name.as_str(), task.period.get(), task.offset.get(), task.deadline.get(), task.worst.get())
        })
        .collect();
    let expected = [
        ("control", 125_000, 0, 125_000, 25_000),
        ("inject", 25_000, 6_250, 25_000, 2_500),
        ("slow", 250_000, 0, 500_000, 50_000),
    ];
    assert_eq!(tasks, expected);
    let expected = [
        "thread `crank` may run before `control` and 2 more, for how long isn't declared: it has no `period` and `worst`, \
         nor a `separation` or a `budget`",
        "blocking by lock `map` isn't counted: how long `control` holds it isn't declared, write a `hold`",
        "blocking by lock `bus` isn't counted: how long `crank` holds it isn't declared, write a `hold`",
        "blocking by lock `shared` isn't counted: how long `slow` holds it isn't declared, write a `hold`",
        "`inject` may wait for `log`: waiting inside of jobs isn't counted",
        "`slow` may wait for `slots`, `store`, `ready`: waiting inside of jobs isn't counted",
        "how often interrupt `crank` comes isn't declared: the kernel's steps for it aren't counted",
        "how often interrupt `uart` comes isn't declared: the kernel's steps for it aren't counted",
    ];
    assert_eq!(unproved(&project.assembly), expected);
}

/// A system of threads only, each with the keys given after its process, entry and stack.
fn of_threads(band: &str, keys: impl Iterator<Item = String>) -> String {
    let frame = "[system]\nname = \"many\"\napplication = \"app\"\n[board]\nname = \"mps2-an385\"\nflash = \"64k\"\n\
                 ram = \"1M\"\n[process.one]\nmemory = \"0\"\n";
    let thread = |(index, keys)| {
        format!("[thread.t{index}]\nprocess = \"one\"\nentry = \"t\"\nstack = \"128\"\n{keys}\n")
    };
    format!("{frame}[[band]]\nname = \"all\"\npolicy = \"{band}\"\n")
        + &keys.enumerate().map(thread).collect::<String>()
}

fn refusal(text: &str) -> Option<String> {
    let description = Description::parse("beryl.toml", text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assemble(&beryl_timing::Model::empty(), &description).err().map(|wrong| wrong.to_string())
}

#[test]
fn what_the_band_list_has_no_room_for_is_refused() {
    let priorities =
        |most: u8| of_threads("fixed", (0..=most).map(|priority| format!("priority = {priority}")));
    assert_eq!(refusal(&priorities(30)), None);
    let said = "the system has 33 dynamic bands and priorities that somebody may have, with that for idling; the kernel can tell 32 apart";
    assert_eq!(refusal(&priorities(31)).as_deref(), Some(said));
    let deadlines = |count| of_threads("dynamic", (0..count).map(|_| "deadline = \"1ms\"".to_owned()));
    assert_eq!(refusal(&deadlines(128)), None);
    let said = "the system has 129 members of one dynamic band; the kernel can tell 128 apart";
    assert_eq!(refusal(&deadlines(129)).as_deref(), Some(said));
}
