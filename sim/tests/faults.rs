//! Code that does what it may not: stopped, reported, and nobody else notices.
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

mod controller;

use std::sync::atomic::{AtomicUsize, Ordering};

use beryl_abi::{Duration, FaultKind, Instant, NotificationId};
use beryl_kernel::{OnFault, Process};
use beryl_sim::{Options, SimulationError, run};
use beryl_user::call;
use beryl_user::notification::Notifier;
use controller::records::{driver_values, lines, without_switches};
use controller::{SYSTEM, application, recorded, simulation, threads, threads_taking};

/// The trace of the controller with other code in place of `fast`.
fn with_fast(entry: extern "C" fn() -> !) -> Vec<String> {
    let mut threads = threads_taking(30, 40);
    threads[0].entry = Some(entry);
    recorded(&threads, 401)
}

#[track_caller]
fn assert_only_fast_stops(entry: extern "C" fn() -> !, kind: FaultKind, address: u32) {
    let fault = format!("30 fault 0 kind {} address {address:#x}", kind as u8);
    let expected = [
        "0 driver 0 at 0: [0]",
        "0 driver 1 at 0: [0]",
        "0 release 0 at 0 until 100",
        "0 driver 3 at 0: [0]",
        "0 release 1 at 0 until 200",
        &fault,
        "70 complete 1",
        "100 skip at 100", // fast's output isn't published
        "100 driver 0 at 100: [10]",
        "100 skip at 100",
        "100 skip at 100", // nor is fast released
        "200 skip at 200",
        "200 driver 4 at 200: [0]",
        "200 driver 5 at 200: [0]",
        "200 driver 0 at 200: [20]",
        "200 skip at 200",
        "200 skip at 200",
        "200 driver 3 at 200: [0]",
        "200 release 1 at 200 until 400",
        "240 complete 1", // slow keeps its deadlines
    ];
    let records = without_switches(&with_fast(entry));
    assert_eq!(records[..expected.len()], expected);
}

#[test]
fn a_stray_pointer() {
    assert_only_fast_stops(application::stray, FaultKind::Data, 0x4000_0010);
}

#[test]
fn a_port_outside_of_memory() {
    assert_only_fast_stops(application::outside, FaultKind::Data, 0x2000_0100);
}

#[test]
fn a_jump_to_nowhere() {
    assert_only_fast_stops(application::astray, FaultKind::Execute, 0x4000_0020);
}

#[test]
fn a_stack_overflow() {
    assert_only_fast_stops(application::deep, FaultKind::StackOverflow, 0);
}

/// Where the lender's handle is.
static LENT: AtomicUsize = AtomicUsize::new(0);

/// Makes a handle on its stack known to others.
extern "C" fn lender() -> ! {
    // SAFETY: the handle is never used: there is no notification.
    let mut handle = unsafe { Notifier::new(NotificationId(0), 1) };
    LENT.store((&raw mut handle).expose_provenance(), Ordering::Relaxed);
    loop {
        call::complete();
    }
}

/// Uses the handle of the other.
extern "C" fn borrower() -> ! {
    let handle = std::ptr::with_exposed_provenance_mut::<Notifier>(LENT.load(Ordering::Relaxed));
    // SAFETY: it isn't safe on a board, and that is the point: the handle lies on another thread's stack.
    unsafe { (*handle).notify() };
    call::complete();
    call::stop()
}

#[test]
fn a_handle_on_another_threads_stack() {
    let mut threads = threads_taking(30, 40);
    threads[0].entry = Some(lender);
    threads[1].entry = Some(borrower);
    let told = |borders| {
        let options = Options { borders, ..Options::until(Instant::from_ticks(401)) };
        let outcome = run(simulation(&SYSTEM, &threads), &options).unwrap();
        lines(&outcome.trace).into_iter().filter(|line| line.contains("fault")).collect::<Vec<_>>()
    };
    let stack = threads[0].memory.address;
    assert_eq!(
        told(true),
        [format!("70 fault 1 kind {} address {stack:#x}", FaultKind::AnothersStack as u8)]
    );
    assert_eq!(told(false), [""; 0], "without borders nobody notices");
}

#[test]
fn a_privileged_instruction() {
    assert_only_fast_stops(application::privileged, FaultKind::Instruction, 0);
}

#[test]
fn an_undefined_instruction() {
    assert_only_fast_stops(application::undefined, FaultKind::Instruction, 0);
}

#[test]
fn a_panic() {
    assert_only_fast_stops(application::panicking, FaultKind::Panic, 0);
}

#[test]
fn a_fault_stops_the_whole_process_if_so_declared() {
    let mut system = SYSTEM.clone();
    system.processes[0] = Process { on_fault: OnFault::StopProcess, ..system.processes[0] };
    let mut threads = threads_taking(30, 40);
    threads[0].entry = Some(application::stray);
    let options = Options::until(Instant::from_ticks(250));
    let outcome = run(simulation(Box::leak(Box::new(system)), &threads), &options).unwrap();
    let records = lines(&outcome.trace);
    assert!(records.contains(&"30 fault 0 kind 1 address 0x40000010".to_owned()));
    assert!(!records.iter().any(|record| record.contains("complete")));
    assert_eq!(outcome.counts.faults, 1);
}

#[test]
fn a_faulty_getter_keeps_the_old_value() {
    let mut threads = threads_taking(10, 10);
    threads[2].entry = Some(application::faulty_drivers);
    let records = without_switches(&recorded(&threads, 301));
    let faults: Vec<_> = records.iter().filter(|record| record.contains("fault")).collect();
    let faulty = [200, 300].map(|time| format!("{time} fault 2 kind 1 address 0x40000010"));
    assert_eq!(faults, faulty.iter().collect::<Vec<_>>());
    let sensed: Vec<_> = driver_values(&records).into_iter().filter(|line| &line[..2] < "2 ").collect();
    assert_eq!(
        sensed,
        [
            "0 at 0: [0]",
            "1 at 0: [0]",
            "0 at 100: [10]",
            "1 at 100: [10]",
            "1 at 200: [10]",
            "1 at 300: [10]"
        ],
        "the sensor's value stays what it was at 100"
    );
}

#[test]
fn a_getter_beyond_its_budget_keeps_the_old_value() {
    const LONG: (Duration, Duration) = (Duration::ZERO, Duration::from_ticks(6));
    let mut threads = threads_taking(10, 10);
    threads[2].drivers = &[LONG; 2];
    let records = without_switches(&recorded(&threads, 100));
    let expected = ["5 fault 2 kind 8 address 0x0", "5 skip at 0", "5 driver 1 at 0: [0]"];
    assert_eq!(records[..3], expected);
}

#[test]
fn code_that_never_comes_back_ends_the_simulation() {
    let mut threads = threads();
    threads[1].entry = Some(application::endless);
    let watchdog = std::time::Duration::from_millis(30);
    let options = Options { watchdog, ..Options::until(Instant::from_ticks(1000)) };
    let error = run(simulation(&SYSTEM, &threads), &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`slow` used 30ms of processor time without an operation, in the segment that began at tick 32; \
         it probably loops forever"
    );
    assert!(matches!(error, SimulationError::Endless { .. }));
}

#[test]
fn faults_are_the_same_in_each_run() {
    let runs: Vec<_> = (0..3).map(|_| with_fast(application::deep)).collect();
    assert!(runs.iter().all(|run| *run == runs[0]));
}
