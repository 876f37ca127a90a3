//! What the figures don't show: triggers on anything but time, the order at one instant, several programs,
//! code that dispatches a part of the tasks.

mod show;

use beryl_abi::Line;
use beryl_reference::{Change, Driver, Machine, Policy, Trap, World};
use beryl_syscode::Container;
use show::{happens, program, run, show};

fn ports(count: usize, changes: Vec<(u64, Change)>) -> World {
    World { ports: vec![0; count], changes, ..World::of_times(&[2, 3]) }
}

#[test]
fn triggers_on_ports_and_interrupts_fire_at_the_instant_of_the_event() {
    let text = "task t
        driver copy
        port height, seen
        triggers 3
            when change(height), a1
            when height >= 3, a2
            when interrupt(7), a3
            return
        a1: call copy
            when change(height), a1
            return
        a2: release t, 10
            return
        a3: call copy
            when interrupt(7), a3
            return";
    let changes = vec![
        (2, Change::Port(0, 1)),
        (4, Change::Interrupt(Line(8))),
        (5, Change::Interrupt(Line(7))),
        (6, Change::Port(0, 5)),
        (9, Change::Interrupt(Line(7))),
    ];
    let world = World { drivers: vec![Driver::copy(0, 1)], ..ports(2, changes) };
    let expected = " 2: height = 1, call copy, seen = 1
 5: call copy
 6: height = 5, release t, call copy, seen = 5, start t
 8: complete t
 9: call copy
";
    happens(text, world, 20, expected);
}

#[test]
fn a_trigger_on_a_port_does_not_fire_at_the_instant_of_its_setting() {
    let text = "driver copy
        port one, two
        a0: call copy
            when one == 1, a0
            return";
    let world = World {
        drivers: vec![Driver::copy(0, 1)],
        ports: vec![1, 0],
        // An interrupt that nobody waits for is no reason to look; another port is.
        changes: vec![(2, Change::Interrupt(Line(0))), (3, Change::Port(1, 9))],
        ..World::of_times(&[])
    };
    happens(text, world, 10, " 0: call copy, two = 1\n 3: two = 9, call copy, two = 1\n");
}

#[test]
fn timeouts_end_at_the_instant_of_what_they_wait_for() {
    let text = "task long, short
        driver copy
        port height, seen
        threads 2
            release long, 40
            release short, 40
            fork a
            fork b
            return
        a:  dispatch long, interrupt(7), a1
            return
        a1: call copy
            dispatch short
            dispatch long, height >= 3, a2
            return
        a2: call copy
            return
        b:  idle complete(short)
            call copy
            return";
    let changes = vec![
        (2, Change::Interrupt(Line(8))),
        (4, Change::Interrupt(Line(7))),
        (6, Change::Port(0, 3)),
        (8, Change::Port(0, 2)),
        (10, Change::Port(0, 4)),
    ];
    let world =
        World { drivers: vec![Driver::copy(0, 1)], ports: vec![0; 2], changes, ..World::of_times(&[20, 3]) };
    // At 7 the height is what is waited for, but the wait begins there; at 8 it isn't any more.
    let expected = " 0: release long, release short, start long
 4: call copy, preempt long, start short
 6: height = 3
 7: complete short, call copy, seen = 3, resume long
 8: height = 2
10: height = 4, call copy, seen = 4, preempt long
";
    happens(text, world, 30, expected);
}

#[test]
fn completion_entries_and_triggers_on_completion_run_when_a_job_ends() {
    let text = "task t, u
        driver publish
        port out, seen
        complete t, c0
            release t, 10
            when complete(t), a1
            return
        a1: release u, 10
            return
        c0: call publish
            return";
    let world = World { drivers: vec![Driver::copy(0, 1)], ..ports(2, Vec::new()) };
    happens(
        text,
        world,
        9,
        " 0: release t, start t\n 2: complete t, call publish, release u, start u\n 5: complete u\n",
    );
}

/// At 4, t completes, a trigger fires, and a timeout expires: in this order (Algorithm 6).
#[test]
fn at_one_instant_completions_come_before_triggers_and_triggers_before_timeouts() {
    let text = "task t
        driver completed, triggered, expired
        threads 2
            release t, 10
            fork s0
            fork s1
            future 2, a1
            return
        a1: call triggered
            future 100, a1
            return
        s0: dispatch t
            call completed
            return
        s1: idle 2
            call expired
            return";
    let drivers = vec![Driver::copy(0, 0); 3];
    let world = World { drivers, ..World::of_times(&[2]) };
    happens(
        text,
        world,
        9,
        " 0: release t, start t\n 2: complete t, call completed, call triggered, call expired\n",
    );
}

/// The trigger at 4 releases t while the thread's timeout at 4 expires: the release is seen, since triggers come first.
#[test]
fn a_task_that_is_released_when_a_timeout_expires_can_be_dispatched() {
    let text = "task t
        threads 1
            fork s0
            future 4, a1
            return
        a1: release t, 10
            future 100, a1
            return
        s0: idle 4
            dispatch t
            return";
    happens(text, World::of_times(&[2]), 9, " 4: release t, start t\n 6: complete t\n");
}

#[test]
fn tasks_that_no_thread_dispatches_are_scheduled_by_the_policy_in_what_is_left() {
    let text = "task t, u
        threads 1
            fork s0
        a0: release t, 10
            release u, 10
            future 10, a0
            return
        s0: dispatch t
            idle 5
            dispatch t
            idle 10
            fork s0
            return";
    let expected = " 0: release t, release u, start t
 2: complete t, start u
 6: complete u
";
    happens(text, World::of_times(&[2, 4]), 10, expected);
    let held = World { idle_is_held: true, ..World::of_times(&[2, 4]) };
    happens(text, held, 10, " 0: release t, release u, start t\n 2: complete t\n");
    let nobody = World { policy: Policy::None, ..World::of_times(&[2, 4]) };
    happens(text, nobody, 10, " 0: release t, release u, start t\n 2: complete t\n");
}

#[test]
fn to_completion_means_that_nobody_is_interrupted() {
    let text = "task t, u
            release t, 10
            future 1, a1
            return
        a1: release u, 5
            future 100, a1
            return";
    let expected = " 0: release t, start t\n 1: release u\n 4: complete t, start u\n 6: complete u\n";
    let world = World { policy: Policy::EarliestDeadlineToCompletion, ..World::of_times(&[4, 2]) };
    happens(text, world, 9, expected);
    let expected = " 0: release t, start t\n 1: release u, preempt t, start u\n 3: complete u, resume t\n 6: complete t\n";
    happens(text, World::of_times(&[4, 2]), 9, expected);
    let world = World { policy: Policy::FixedPriority, ..World::of_times(&[4, 2]) };
    happens(
        text,
        world,
        9,
        " 0: release t, start t\n 1: release u\n 4: complete t, start u\n 6: complete u\n",
    );
}

/// Two modules at one instant: both publish before either updates its actuator, and both read the sensor's one value.
#[test]
fn programs_keep_the_phases_and_share_what_a_sensor_says() {
    let module = |publish: &str, update: &str, read: &str, other: &str| {
        program(&format!(
            "task t, u
            driver publish0, publish1, update0, update1, read0, read1
            port out0, out1, in0, in1
            a0: call {publish}
                phase actuators
                call {update}
                phase releases
                call {read}
                future {other}, a0
                return"
        ))
    };
    let programs =
        [module("publish0", "update0", "read0", "5"), module("publish1", "update1", "read1", "10")];
    let mut drivers = vec![Driver::copy(0, 0); 4];
    drivers.extend([Driver::sensor(0, 2), Driver::sensor(0, 3)]);
    let world = World { drivers, ports: vec![9; 4], ..World::of_times(&[]) };
    let trace = run(&programs, world, 11).expect("no trap");
    let expected = " 0: call publish0, call publish1, call update0, call update1, call read0, read 0, in0 = 0, call read1, in1 = 0
 5: call publish0, call update0, call read0, read 0, in0 = 1
10: call publish0, call publish1, call update0, call update1, call read0, read 0, in0 = 2, call read1, in1 = 2
";
    assert_eq!(show(&programs[0], &trace), expected);
}

#[test]
fn guards_decide_branches() {
    let text = "driver test, yes
        port flag
        a0: call test
            branch a1
            call yes
        a1: future 2, a0
            return";
    let drivers = vec![Driver::guard(0), Driver::copy(0, 0)];
    let changes = vec![(3, Change::Port(0, 1))];
    let world = World { drivers, ..ports(1, changes) };
    happens(text, world, 5, " 0: call test\n 2: call test\n 3: flag = 1\n 4: call test, call yes\n");
}

#[test]
fn runs_of_drivers_and_tasks_are_what_they_stand_for() {
    let text = "task t, u
        driver a, b, c
            calls b, 2
            releases t, 10, 2
            return";
    let world = World { drivers: vec![Driver::copy(0, 0); 3], ..World::of_times(&[1, 1]) };
    happens(
        text,
        world,
        9,
        " 0: call b, call c, release t, release u, start t\n 1: complete t, start u\n 2: complete u\n",
    );
}

#[test]
fn programs_that_mean_nothing_are_trapped() {
    let trap = |text: &str| run(&[program(text)], World::of_times(&[1]), 20).expect_err("a trap");
    assert_eq!(trap("call #0\n return"), Trap::Meaningless { program: 0, address: 0 });
    assert_eq!(trap("jump @5"), Trap::Meaningless { program: 0, address: 5 });
    assert_eq!(trap("word 0x30"), Trap::Meaningless { program: 0, address: 0 });
    assert_eq!(trap("future 5, @0\n future 6, @0\n return"), Trap::Triggers { program: 0 });
    assert_eq!(trap("threads 1\n fork @2\n fork @2\n idle 5\n return"), Trap::Threads { program: 0 });
    assert_eq!(trap("threads 2\n fork @0\n return"), Trap::Endless { at: 0 });
    assert_eq!(trap("resume"), Trap::Meaningless { program: 0, address: 0 });
}

#[test]
fn a_machine_without_programs_does_nothing() {
    let bytes = program("").to_bytes();
    let container = Container::read(&bytes).expect("a container");
    assert_eq!(Machine::new(&[], World::of_times(&[])).run(9), Ok(Vec::new()));
    assert_eq!(
        Machine::new(&[container], World::of_times(&[])).run(9),
        Err(Trap::Meaningless { program: 0, address: 0 })
    );
}
