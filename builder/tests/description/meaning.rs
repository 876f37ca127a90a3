//! What a right description means, part by part.

use super::{folder, parse};
use beryl_abi::{BandId, ProcessId};
use beryl_builder::description::{
    Count, Description, Early, Gated, Limited, OnFault, OnOverrun, OnSpent, Order, Outputs, Periodic, Policy,
    Timing, Use,
};
use beryl_builder::plan::{self, Demand, Failure, Limits, Linked, Memory, Part, ProcessDemand};
use beryl_builder::quantity::{Bytes, Nanoseconds};
use beryl_timing::{Basic, Type};

fn right(name: &str) -> Description {
    parse(&folder("right").join(name)).unwrap_or_else(|said| panic!("{said}"))
}

#[test]
fn everything_is_where_it_belongs() {
    let all = right("everything.toml");
    assert_eq!(all.system.name.value, "helicopter");
    assert_eq!(
        all.system.timing.iter().map(|file| file.as_str()).collect::<Vec<_>>(),
        ["helicopter.tdl", "more.tdl"]
    );
    assert_eq!(all.system.application.as_ref().map(|name| name.value.as_str()), Some("app"));
    assert_eq!(all.system.environment.as_ref().map(|path| path.as_str()), Some("plant"));
    assert_eq!(all.system.outputs, Outputs::Completion);
    assert_eq!(all.system.crashes, 4);

    assert_eq!(all.board.board.name, "mps2-an385");
    assert_eq!((all.board.flash.value, all.board.ram.value), (Bytes::new(65_536), Bytes::new(24_576)));
    assert_eq!(all.board.speed, 7);

    let processes: Vec<_> = all
        .processes
        .iter()
        .map(|process| {
            let devices: Vec<_> = process.devices.iter().map(|device| device.name).collect();
            let stack = process.driver_stack.map(|stack| stack.get());
            let restarts =
                process.restarts.map(|restarts| (restarts.most, restarts.within.value.to_string()));
            (process.name.as_str(), process.memory.get(), devices, (process.on_fault, restarts), stack)
        })
        .collect();
    assert_eq!(
        processes,
        [
            ("navigation", 1024, vec!["environment", "uart0"], (OnFault::StopThread, None), Some(512)),
            ("control", 1536, vec![], (OnFault::Restart, Some((3, "1s".to_owned()))), None),
        ]
    );

    let bands: Vec<_> = all.bands.iter().map(|band| (band.name.as_str(), band.policy)).collect();
    assert_eq!(bands, [("flight", Policy::Dynamic), ("background", Policy::Fixed)]);
}

#[test]
fn tasks_drivers_and_threads_find_their_process_and_band() {
    let all = right("everything.toml");
    let tasks: Vec<_> = all
        .tasks
        .iter()
        .map(|task| {
            (task.module.as_deref(), task.name.as_str(), task.process.value, task.band.value, task.priority)
        })
        .collect();
    let [navigation, control] = [ProcessId(0), ProcessId(1)];
    let [flight, background] = [BandId(0), BandId(1)];
    assert_eq!(
        tasks,
        [
            (None, "navigate", navigation, flight, None),
            (Some("Helicopter"), "control", control, flight, None),
            (None, "survey", control, background, Some(5)),
        ]
    );
    let times: Vec<_> =
        all.tasks.iter().map(|task| (task.best.get(), task.worst.get(), task.stack.get())).collect();
    assert_eq!(times, [(200_000, 3_000_000, 1024), (0, 5_000_000, 1024), (0, 1_000, 512)]);

    let drivers: Vec<_> = all
        .drivers
        .iter()
        .map(|driver| (driver.name.as_str(), driver.process.value, driver.worst.value))
        .collect();
    assert_eq!(drivers, [("read_gps", navigation, Nanoseconds::new(50_000))]);

    let [meter] = all.threads.as_slice() else { panic!("{:?}", all.threads) };
    assert_eq!(
        (meter.name.as_str(), meter.process.value, meter.band.value),
        ("meter", navigation, background)
    );
    assert_eq!((meter.priority, meter.entry.as_str(), meter.stack.get()), (Some(1), "measure", 512));
    assert_eq!(all.costs.release, Some(Nanoseconds::new(4_000)));
    assert_eq!(all.costs.switch, None);
}

#[test]
fn objects_threads_and_uses_are_read() {
    let all = right("objects.toml");
    let objects = &all.objects;
    let kind = |text: &str| {
        let (name, length) = text.split_once('[').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let length = length.map(|rest| rest.trim_end_matches(']').parse().expect("a number"));
        Type { length, ..Type::basic(Basic::named(name).expect("a type")) }
    };
    let locks: Vec<_> = objects.locks.iter().map(|lock| (lock.name.as_str(), lock.kind.clone())).collect();
    assert_eq!(locks, [("map", Some(kind("double[4]"))), ("alone", None)]);
    let semaphores: Vec<_> =
        objects.semaphores.iter().map(|row| (row.name.as_str(), row.count.clone())).collect();
    let counts = [
        ("bus", Count::Binary { kind: Some(kind("int")) }),
        ("shared", Count::Binary { kind: None }),
        ("slots", Count::Counting { initial: 2, most: 3 }),
    ];
    assert_eq!(semaphores, counts);
    let [log] = objects.mailboxes.as_slice() else { panic!("{:?}", objects.mailboxes) };
    assert_eq!((log.kind.clone(), log.capacity, log.order), (kind("short[3]"), 8, Order::Arrival));
    let [store] = objects.endpoints.as_slice() else { panic!("{:?}", objects.endpoints) };
    assert_eq!((store.request.clone(), store.reply.clone()), (kind("int"), kind("byte[13]")));
    let lines: Vec<_> = objects.interrupts.iter().map(|row| (row.name.as_str(), row.line.value)).collect();
    assert_eq!(lines, [("crank", 4), ("uart", 10)], "by line");
    let [speed, _, wheel] = objects.states.as_slice() else { panic!("{:?}", objects.states) };
    assert_eq!((speed.kind.clone(), speed.rhythm, speed.read_within), (kind("double[2]"), None, None));
    let rhythm = wheel.rhythm.expect("it is described");
    let times = (rhythm.period.get(), rhythm.jitter.get(), rhythm.catch_up);
    assert_eq!(times, (2_000_000, 100_000, 1));
    assert_eq!(wheel.read_within.map(|within| within.get()), Some(3_000_000));
    assert_eq!(objects.regions[0].size.get(), 200);

    let uses = |index: usize| all.threads[index].uses.iter().map(|used| used.value).collect::<Vec<_>>();
    assert_eq!(uses(0), [Use::Lock(0), Use::Write(0), Use::Write(1), Use::Send(0)]);
    let crank = [
        Use::Interrupt(0),
        Use::Await(0),
        Use::Semaphore(0),
        Use::Condition(0),
        Use::Write(2),
        Use::Region(0),
        Use::Set(0),
    ];
    assert_eq!(uses(1), crank);
    assert_eq!([2, 3].map(|thread| uses(thread).pop()), [Some(Use::AwaitBits(0)); 2]);
    assert_eq!(all.tasks[0].uses.iter().map(|used| used.value).next_back(), Some(Use::Notify(0)));
    let Timing::Periodic(times) = all.threads[0].timing else { panic!("{:?}", all.threads[0]) };
    let Periodic { period, offset, deadline, best, worst, catch_up, on_overrun } = times;
    assert_eq!(on_overrun, None);
    let times = [period.value, offset.value, deadline.value, best, worst.value].map(Nanoseconds::get);
    assert_eq!((times, catch_up), ([1_000_000, 250_000, 1_000_000, 0, 100_000], 0));
    let Timing::Free { deadline: Some(deadline), .. } = all.threads[1].timing else { panic!() };
    assert_eq!(deadline.get(), 500_000);
    assert_eq!(all.threads[4].timing, Timing::Free { deadline: None, sporadic: None });
}

#[test]
fn tasks_are_found_with_and_without_their_module() {
    let all = right("everything.toml");
    let [navigate, control, _] = all.tasks.as_slice() else { panic!("{:?}", all.tasks) };
    assert!(navigate.is_about("Helicopter", "navigate") && navigate.is_about("Other", "navigate"));
    assert!(control.is_about("Helicopter", "control") && !control.is_about("Other", "control"));
    let reactions = [navigate, control].map(|task| task.on_overrun.map(|reaction| reaction.value));
    assert_eq!(reactions, [Some(OnOverrun::EndsJob), None]);
}

#[test]
fn threads_and_those_who_share_something_have_budgets() {
    let text = std::fs::read_to_string(folder("right").join("threads_only.toml")).expect("it is there");
    let with_budget = |key: &str| {
        let at = text.find(&format!("\n{key} = ")).expect("a key");
        let changed = format!("{}\nbudget = \"1ms\"\nevery = \"10ms\"{}", &text[..at], &text[at..]);
        Description::parse("beryl.toml", &changed)
    };
    let of_band = with_budget("policy").expect("a band's budget").bands[0].budget.expect("it has one");
    assert_eq!((of_band.amount.value.get(), of_band.on_spent), (1_000_000, OnSpent::Lowers));
    let of_process =
        with_budget("memory").expect("a process's budget").processes[0].budget.expect("it has one");
    assert_eq!((of_process.amount.value.get(), of_process.on_spent), (1_000_000, OnSpent::Lowers));
    let all = with_budget("entry").expect("a thread's budget");
    let budget = all.threads[0].budget.expect("it has one");
    let times = [budget.amount.value, budget.every.value].map(Nanoseconds::get);
    assert_eq!((times, budget.on_spent), ([1_000_000, 10_000_000], OnSpent::Lowers));
}

#[test]
fn places_lead_back_to_the_text() {
    let text = std::fs::read_to_string(folder("right").join("everything.toml")).expect("it is there");
    let all = right("everything.toml");
    let at = |place: miette::SourceSpan| &text[place.offset()..place.offset() + place.len()];
    assert_eq!(at(all.tasks[1].name.place), "\"Helicopter.control\"");
    assert_eq!(at(all.tasks[0].process.place), "\"navigation\"");
    assert_eq!(at(all.drivers[0].name.place), "read_gps");
    assert_eq!(at(all.threads[0].entry.place), "\"measure\"");
    assert_eq!(at(all.system.timing[1].place), "\"more.tdl\"");
    assert_eq!(at(all.board.ram.place), "\"24k\"");
}

#[test]
fn too_little_memory_is_said_at_its_limit() {
    let all = right("everything.toml");
    let limits = Limits { flash: all.board.flash.value, ram: all.board.ram.value };
    let process = ProcessDemand {
        name: "navigation".to_owned(),
        memory: Bytes::new(900),
        stacks: vec![plan::StackDemand { thread: "navigate".to_owned(), size: Bytes::new(20_000) }],
        ..ProcessDemand::default()
    };
    let kernel = Bytes::new(4000);
    let demand = Demand { kernel, published: Bytes::new(16), processes: vec![process], ..Demand::default() };
    let failure = plan::plan(all.board.board.value, limits, &demand).expect_err("25 kB");
    let part = |name: &str, size| Part { name: name.to_owned(), size };
    let Failure::TooLittle { memory: Memory::Ram, parts, .. } = &failure else { panic!("{failure:?}") };
    assert_eq!(
        *parts,
        [
            part("stack of `navigate`", 20_000),
            part("kernel", 4_000),
            part("process `navigation`", 900),
            part("published values", 16)
        ]
    );
    let said = super::rendered(&failure.diagnostic(&all));
    let recorded = folder("too_little_memory.txt");
    if std::env::var_os("BERYL_BLESS").is_some() {
        std::fs::write(&recorded, &said).expect("the folder can be written");
    }
    assert_eq!(said, std::fs::read_to_string(&recorded).unwrap_or_default());
}

/// What is proposed can be done: nobody makes the kernel smaller, and no board has more than it has.
#[test]
fn too_little_flash_is_said_with_what_helps() {
    let all = right("everything.toml");
    let limits = Limits { flash: Bytes::new(20_000), ram: all.board.ram.value };
    let process = ProcessDemand { name: "navigation".to_owned(), ..ProcessDemand::default() };
    let demand = Demand { processes: vec![process], ..Demand::default() };
    let plan = plan::plan(all.board.board.value, limits, &demand).expect("it needs nothing");
    let cases = [
        (30_000, 0, "in bytes: kernel 30000; allow \"30k\"; the kernel has only what the system uses"),
        (
            16_384,
            5_000,
            "in bytes: kernel 16384, process `navigation` 5000; make process `navigation` smaller, or allow \"21k\"",
        ),
        (
            16_384,
            6_000_000,
            "in bytes: process `navigation` 6000000, kernel 16384; the board has 4M, so they have to be 1822080 bytes smaller \
             at least",
        ),
    ];
    for (kernel, text, help) in cases {
        let linked = Linked { text: Bytes::new(text), ..Linked::default() };
        let failure = plan.with_flash(Bytes::new(kernel), &[linked]).expect_err("too much");
        let said = super::rendered(&failure.diagnostic(&all));
        let words = said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(words.contains(help), "{said}");
    }
}

/// A journal takes a region for the clock, which is said where there is none left.
#[test]
fn a_journal_that_finds_no_region_can_be_left_away() {
    let all = right("everything.toml");
    let board = all.board.board.value;
    let limits = Limits { flash: all.board.flash.value, ram: all.board.ram.value };
    let devices = |names: &[&str]| names.iter().filter_map(|name| board.device(name).copied()).collect();
    let demand = |names: &[&str]| {
        let process = ProcessDemand {
            name: "navigation".to_owned(),
            memory: Bytes::new(64),
            journal: 8,
            devices: devices(names),
            ..ProcessDemand::default()
        };
        Demand { processes: vec![process], ..Demand::default() }
    };
    let plan = plan::plan(board, limits, &demand(&["uart0", "environment", "timer0"])).expect("four regions");
    let process = &plan.processes[0];
    assert_eq!(process.journal.length(), Bytes::new(16 + 8 * 12));
    assert_eq!((process.ports.limit, process.bss.base), (process.journal.base, process.journal.limit));
    assert!(process.memory.region.interval.contains(process.journal));
    let failure = plan::plan(board, limits, &demand(&["uart0", "environment", "dualtimer", "timer0"]));
    let said = super::rendered(&failure.expect_err("five regions").diagnostic(&all));
    let words = said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert!(words.contains("the clock `timer0` for its journal"), "{said}");
    assert!(words.contains("leave `journal` away: each event is a system call then"), "{said}");
}

#[test]
fn gates_stand_before_objects_of_their_kinds() {
    let all = right("gates.toml");
    let gates: Vec<_> =
        all.objects.gates.iter().map(|gate| (gate.before, gate.separation.get(), gate.early)).collect();
    assert_eq!(
        gates,
        [
            (Gated::Mailbox(0), 20_000_000, Early::Kept),
            (Gated::Endpoint(0), 40_000_000, Early::Dropped),
            (Gated::EventGroup(0), 30_000_000, Early::Dropped),
            (Gated::Notification(0), 10_000_000, Early::Kept),
        ]
    );
}

#[test]
fn limits_are_as_tight_as_their_requests_and_their_bytes() {
    let all = right("clients.toml");
    let limits = all.objects.limits.iter().map(|limit| {
        (limit.of, limit.client.value.as_str(), limit.credits(&all.objects), limit.within.value.get())
    });
    assert_eq!(
        limits.collect::<Vec<_>>(),
        [(Limited::Mailbox(0), "talks", 3, 20_000_000), (Limited::Endpoint(0), "talks", 10, 30_000_000)]
    );
}
