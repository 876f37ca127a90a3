//! What a right description means, part by part.

use super::{folder, parse};
use beryl_abi::{BandId, ProcessId};
use beryl_builder::description::{Description, OnFault, Outputs, Policy};
use beryl_builder::plan::{self, Demand, Failure, KernelDemand, Limits, Memory, Part, ProcessDemand};
use beryl_builder::quantity::{Bytes, Nanoseconds};

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
    assert_eq!(all.system.application.value, "app");
    assert_eq!(all.system.environment.as_ref().map(|path| path.as_str()), Some("plant"));
    assert_eq!(all.system.outputs, Outputs::Completion);

    assert_eq!(all.board.board.name, "mps2-an385");
    assert_eq!((all.board.flash.value, all.board.ram.value), (Bytes::new(65_536), Bytes::new(24_576)));
    assert_eq!(all.board.speed, 7);

    let processes: Vec<_> = all
        .processes
        .iter()
        .map(|process| {
            let devices: Vec<_> = process.devices.iter().map(|device| device.name).collect();
            let stack = process.driver_stack.map(|stack| stack.get());
            (process.name.as_str(), process.memory.get(), devices, process.on_fault, stack)
        })
        .collect();
    assert_eq!(
        processes,
        [
            ("navigation", 1024, vec!["environment", "uart0"], OnFault::StopThread, Some(512)),
            ("control", 1536, vec![], OnFault::StopProcess, None),
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
    assert_eq!((meter.priority, meter.entry.as_str(), meter.stack.get()), (1, "measure", 512));
    assert_eq!(all.costs.release, Some(Nanoseconds::new(4_000)));
    assert_eq!(all.costs.switch, None);
}

#[test]
fn tasks_are_found_with_and_without_their_module() {
    let all = right("everything.toml");
    let [navigate, control, _] = all.tasks.as_slice() else { panic!("{:?}", all.tasks) };
    assert!(navigate.is_about("Helicopter", "navigate") && navigate.is_about("Other", "navigate"));
    assert!(control.is_about("Helicopter", "control") && !control.is_about("Other", "control"));
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
        bss: Bytes::new(900),
        limit: all.processes[0].memory.value,
        stacks: vec![plan::StackDemand { thread: "navigate".to_owned(), size: Bytes::new(20_000) }],
        ..ProcessDemand::default()
    };
    let kernel = KernelDemand { flash: Bytes::new(8000), ram: Bytes::new(4000) };
    let demand = Demand { kernel, published: Bytes::new(16), processes: vec![process] };
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
