//! Servers: random clients of one, run by the kernel. A call is counted as a section of its client's, under
//! inheritance; no job takes longer than the analysis says.

use std::cell::{Cell, RefCell};

use beryl_abi::{CallError, Duration, EndpointId, ThreadId};
use beryl_analysis::{self as analysis, Lock, Policy, Protocol, Ticks, Urgency, User, prove};
use beryl_kernel::Endpoint;
use beryl_testing::{Draw, XorShift as Random, cases};
use beryl_user::endpoint::{Client, Server};
use beryl_user::period::Period;
use beryl_user::time::Wait;

use crate::scenario::{ALL, Scenario, free, note, notes, periodic, spend};

const SYSTEMS: u64 = 60;
const CLIENTS: usize = 5;
const LENGTH: u64 = 15_000;

/// A client: work, what the server does for it, work.
#[derive(Clone, Copy, Debug)]
struct Row {
    period: u64,
    offset: u64,
    priority: u8,
    before: u64,
    served: u64,
    after: u64,
    /// How long it waits for the server.
    patience: Option<u64>,
}

thread_local! {
    static ROWS: RefCell<(Vec<Row>, Random)> =
        const { RefCell::new((Vec::new(), Random::behind(1))) };
    static GIVEN_UP: Cell<usize> = const { Cell::new(0) };
}

fn row(random: &mut Random) -> Row {
    let period = 200 + 50 * random.under(20);
    // One in three never asks.
    let served = 10 * random.under(3) * random.under(4);
    let priority = 1 + u8::try_from(random.under(5)).unwrap();
    let (before, after) = (10 * random.under(3), 10 * (1 + random.under(2)));
    Row { period, offset: 10 * random.under(period / 10), priority, before, served, after, patience: None }
}

extern "C" fn server() -> ! {
    // SAFETY: the endpoint has these types, and only this thread serves it.
    let server: Server<i32, i32> = unsafe { Server::new(EndpointId(0)) };
    let mut server = server;
    server.serve(|ticks| {
        let most = u64::try_from(ticks).unwrap();
        let drawn = ROWS.with_borrow_mut(|(_, random)| random.under(2 * most));
        spend(most - drawn.saturating_sub(most));
        ticks
    })
}

extern "C" fn client<const ME: usize>() -> ! {
    // SAFETY: the calling thread is periodic, and the endpoint has these types.
    let (mut period, mut server): (_, Client<i32, i32>) =
        unsafe { (Period::new(), Client::new(EndpointId(0))) };
    let row = ROWS.with_borrow(|(rows, _)| rows[ME]);
    loop {
        spend(row.before);
        if row.served > 0 {
            let wait = row.patience.map_or(Wait::Forever, |most| Wait::AtMost(Duration::from_ticks(most)));
            let answer = server.call_for(&i32::try_from(row.served).unwrap(), wait);
            assert!(answer.is_ok() || row.patience.is_some() && answer == Err(CallError::TimedOut));
            GIVEN_UP.set(GIVEN_UP.get() + usize::from(answer.is_err()));
        }
        spend(row.after);
        note(&format!("{ME}"));
        period.wait();
    }
}

const ENTRIES: [extern "C" fn() -> !; CLIENTS] =
    [client::<0>, client::<1>, client::<2>, client::<3>, client::<4>];

fn urgency(priority: u8) -> Option<Urgency> {
    Some(Urgency { priority: priority.into(), ..Urgency::default() })
}

/// As the builder makes it.
fn lock(rows: &[Row], server: u8) -> Lock {
    let asking = rows.iter().enumerate().filter(|(_, row)| row.served > 0);
    let client = |(thread, row): (usize, &Row)| User {
        thread,
        urgency: urgency(row.priority),
        hold: Ticks::new(row.served),
    };
    let mut users: Vec<User> = asking.map(client).collect();
    let longest = users.iter().map(|user| user.hold).max().unwrap_or(Ticks::ZERO);
    users.push(User { thread: 90, urgency: urgency(server), hold: Ticks::ZERO });
    let below = Urgency { band: usize::MAX, ..Urgency::default() };
    users.push(User { thread: 91, urgency: Some(below), hold: longest });
    Lock { name: "server".to_owned(), protocol: Protocol::Inheritance, users }
}

fn system(rows: &[Row], locks: Vec<Lock>) -> analysis::System {
    let task = |(index, row): (usize, &Row)| analysis::Task {
        name: index.to_string(),
        period: Ticks::new(row.period),
        deadline: Ticks::new(row.period),
        worst: Ticks::new(row.before + row.served + row.after),
        priority: row.priority.into(),
        ..Default::default()
    };
    let tasks = rows.iter().enumerate().map(task).collect();
    let bands = vec![analysis::Band { name: "fixed".to_owned(), policy: Policy::Fixed, tasks }];
    // The end of a job comes behind a release at the same instant.
    let costs = analysis::KernelCosts { completion: Ticks::new(1), ..Default::default() };
    analysis::System { bands, costs, locks, ..Default::default() }
}

fn longest_seen(rows: &[Row], server_priority: u8, seed: u64) -> Vec<u64> {
    ROWS.set((rows.to_vec(), Random::behind(seed | 1)));
    let mut scenario = Scenario::new().thread(free(server_priority), server);
    for (row, entry) in rows.iter().zip(ENTRIES) {
        scenario = scenario.thread(periodic(row.priority, row.offset, row.period), entry);
    }
    let endpoint = Endpoint { callers: ALL, server: ThreadId(0), request: 4, reply: 4 };
    let outcome = scenario.with(|system| system.endpoints[0] = endpoint).outcome(LENGTH).unwrap();
    let (mut longest, mut jobs) = (vec![0; rows.len()], vec![0_u64; rows.len()]);
    for line in notes(&outcome) {
        let (instant, client) = line.split_once(' ').unwrap();
        let (instant, client): (u64, usize) = (instant.parse().unwrap(), client.parse().unwrap());
        let release = rows[client].offset + jobs[client] * rows[client].period;
        jobs[client] += 1;
        longest[client] = longest[client].max(instant - release);
    }
    longest
}

#[test]
fn no_client_and_nobody_else_takes_longer_than_with_the_server_counted() {
    let (mut held, mut reached, mut longer_without) = (0, 0, 0);
    for seed in 1..=SYSTEMS {
        let mut random = Random::new(seed);
        let rows: Vec<Row> = (0..CLIENTS).map(|_| row(&mut random)).collect();
        let server = 1 + u8::try_from(random.under(5)).unwrap();
        let Ok(proof) = prove(&system(&rows, vec![lock(&rows, server)])) else { continue };
        held += 1;
        let bounds = |proof: &analysis::Proof| -> Vec<u64> {
            proof.bands[0].tasks.iter().map(|task| task.response.get()).collect()
        };
        let seen = longest_seen(&rows, server, seed);
        let exceeds = |bounds: &[u64]| seen.iter().zip(bounds).any(|(seen, bound)| seen > bound);
        let with = bounds(&proof);
        assert!(!exceeds(&with), "seed {seed}: {seen:?} of {with:?}, server {server}: {rows:#?}");
        reached += seen.iter().zip(&with).filter(|(seen, bound)| **seen + 10 > **bound).count();
        // Negative control: without the server less urgent clients are in nobody's way.
        let without = prove(&system(&rows, Vec::new())).unwrap();
        longer_without += usize::from(exceeds(&bounds(&without)));
    }
    println!("{held} hold, {reached} bounds reached; {longer_without} take longer than without the server");
    assert!(held > 30 && reached > 4 && longer_without > 5);
}

/// A server that goes on with what nobody waits for any longer is in the way of others no longer than where
/// it is waited for.
#[test]
fn nor_do_they_where_clients_give_up() {
    let held: Vec<bool> = (1..=SYSTEMS).map(holds_where_clients_give_up).collect();
    let held = held.into_iter().filter(|held| *held).count();
    println!("{held} hold, {} calls were given up", GIVEN_UP.get());
    assert!(held > 30 && GIVEN_UP.get() > 200);
}

/// A hundred and twenty systems, and six hundred under `./x test --long`; `SYSTEMS=6000` in the environment
/// tries as many, for a change of the server or of the analysis.
#[test]
fn nor_do_they_in_many_systems() {
    let systems: u64 = std::env::var("SYSTEMS")
        .map_or(cases(2 * SYSTEMS, 10 * SYSTEMS), |text| text.parse().expect("a number"));
    let held: u64 = (1..=systems).map(|seed| u64::from(holds_where_clients_give_up(seed))).sum();
    println!("{held} of {systems} hold");
    assert!(held > systems / 2);
}

/// Whether a system is proved; then no job takes longer.
fn holds_where_clients_give_up(seed: u64) -> bool {
    let mut random = Random::new(seed);
    let mut rows: Vec<Row> = (0..CLIENTS).map(|_| row(&mut random)).collect();
    let server = 1 + u8::try_from(random.under(5)).unwrap();
    for row in &mut rows {
        row.patience = (random.under(4) > 0).then(|| 1 + random.under(2 * row.served + 10));
    }
    let Ok(proof) = prove(&system(&rows, vec![lock(&rows, server)])) else { return false };
    let seen = longest_seen(&rows, server, seed);
    for (task, seen) in proof.bands[0].tasks.iter().zip(&seen) {
        assert!(*seen <= task.response.get(), "seed {seed}: {seen} of {task:?}, server {server}: {rows:#?}");
    }
    true
}
