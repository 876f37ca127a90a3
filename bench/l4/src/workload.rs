//! A file server, a driver and clients: the counts of Table 2, with another workload than the paper's.
//!
//! Five clients compute and ask the server. It answers three of four requests from its cache and asks the driver for each
//! fourth, which starts the disk and waits for its interrupt. All is given by numbers, nothing is drawn.

use beryl_abi::ThreadId;
use beryl_kernel::Rank;

use crate::counted::Count;
use crate::interrupts::LineId;
use crate::ipc::Ipc;
use crate::rules::Rules;
use crate::scheduler::L4;
use crate::slices::Slice;
use crate::{IDLE, NotReady};

const DRIVER: ThreadId = ThreadId(1);
const SERVER: ThreadId = ThreadId(2);
const FIRST_CLIENT: u8 = 3;
const CLIENTS: u8 = 5;
const DISK_THREAD: ThreadId = ThreadId(20);
const DISK: LineId = LineId(0);
/// Microseconds of a tick, of a client's slice, and how long the disk takes.
const TICK: u32 = 5000;
const SLICE: u32 = 10_000;
const SEEK: u32 = 900;

/// How many requests are compared.
pub const REQUESTS: u32 = 4_000;

/// Requests until a server asks its disk.
const HITS: u32 = 4;

/// What is beside the kernel.
struct World {
    now: u32,
    next_tick: u32,
    /// When the disk interrupts, if it is at work.
    disk: Option<u32>,
    /// How many requests the server got.
    requests: u32,
    driver: Driver,
    /// The client for which the server asked the driver.
    asked_for: Option<ThreadId>,
}

/// What the driver does next.
enum Driver {
    /// It starts the disk for a request.
    Starts,
    /// The disk has interrupted: it lets it do so again.
    Acknowledges,
    /// It answers.
    Answers,
}

/// What the system asks of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The running thread's IPC.
    Ipc(Ipc),
    /// A line is raised.
    Interrupt(LineId),
    /// So many microseconds are over.
    Tick(u32),
}

impl<R: Rules, C: Count> L4<R, C> {
    /// Carries a step out.
    ///
    /// # Errors
    /// As [`ipc`](L4::ipc).
    pub fn carry_out(&mut self, step: Step) -> Result<(), NotReady> {
        match step {
            Step::Ipc(ipc) => return self.ipc(ipc),
            Step::Interrupt(line) => self.interrupt(line),
            Step::Tick(length) => _ = self.tick(length),
        }
        Ok(())
    }
}

/// Runs the system until the server got so many requests.
///
/// # Errors
/// If somebody answers who isn't waited for, which the system never does.
pub fn run<R: Rules, C: Count>(requests: u32) -> Result<L4<R, C>, NotReady> {
    run_by(requests, L4::carry_out)
}

/// The same with somebody who carries the kernel's steps out, and may look at what each takes.
///
/// # Errors
/// As [`run`].
pub fn run_by<R: Rules, C: Count>(
    requests: u32,
    mut carry_out: impl FnMut(&mut L4<R, C>, Step) -> Result<(), NotReady>,
) -> Result<L4<R, C>, NotReady> {
    let mut kernel = L4::<R, C>::new();
    kernel.start(DRIVER, Rank::fixed(1), Slice::FOREVER);
    kernel.register(DISK, DISK_THREAD, DRIVER);
    kernel.ipc(Ipc::wait())?;
    kernel.start(SERVER, Rank::fixed(4), Slice::FOREVER);
    kernel.ipc(Ipc::wait())?;
    for client in 0..CLIENTS {
        kernel.start(ThreadId(FIRST_CLIENT + client), Rank::fixed(10), Slice::microseconds(SLICE));
    }
    let mut world =
        World { now: 0, next_tick: TICK, disk: None, requests: 0, driver: Driver::Starts, asked_for: None };
    while world.requests < requests {
        world.step(&mut kernel, &mut carry_out)?;
    }
    Ok(kernel)
}

impl World {
    /// The running thread computes, and then does what is next for it.
    fn step<R: Rules, C: Count>(
        &mut self,
        kernel: &mut L4<R, C>,
        carry_out: &mut impl FnMut(&mut L4<R, C>, Step) -> Result<(), NotReady>,
    ) -> Result<(), NotReady> {
        let thread = kernel.running();
        self.now += match thread {
            IDLE => self.disk.map_or(TICK, |end| end.saturating_sub(self.now)),
            DRIVER => 20,
            SERVER => 30,
            // Between 200 and 600, not in step with anything.
            ThreadId(client) => 200 + (self.requests * 37 + u32::from(client) * 113) % 400,
        };
        if self.disk.is_some_and(|end| end <= self.now) {
            self.disk = None;
            carry_out(kernel, Step::Interrupt(DISK))?;
        }
        if self.next_tick <= self.now {
            self.next_tick += TICK;
            carry_out(kernel, Step::Tick(TICK))?;
        }
        let ipc = match kernel.running() {
            // Who was interrupted goes on when it runs again.
            running if running != thread || running == IDLE => return Ok(()),
            DRIVER => self.drive(),
            SERVER => self.serve(kernel.heard(SERVER)),
            _ => Ipc::call(SERVER).of(4),
        };
        carry_out(kernel, Step::Ipc(ipc))
    }

    fn drive(&mut self) -> Ipc {
        match self.driver {
            Driver::Starts => {
                (self.driver, self.disk) = (Driver::Acknowledges, Some(self.now + SEEK));
                Ipc::receive(DISK_THREAD)
            }
            Driver::Acknowledges => {
                self.driver = Driver::Answers;
                Ipc::send(DISK_THREAD)
            }
            Driver::Answers => {
                self.driver = Driver::Starts;
                Ipc::reply_wait(SERVER).of(8)
            }
        }
    }

    /// What the server does, which took its last message from `heard`.
    fn serve(&mut self, heard: ThreadId) -> Ipc {
        if let Some(client) = self.asked_for.take() {
            return Ipc::reply_wait(client).of(8);
        }
        self.requests += 1;
        if !self.requests.is_multiple_of(HITS) {
            return Ipc::reply_wait(heard).of(8);
        }
        self.asked_for = Some(heard);
        Ipc::call(DRIVER).of(2)
    }
}

/// How many threads may be left in a lazy queue.
pub const LEFT: [u8; 8] = [1, 2, 5, 10, 15, 20, 25, 30];

/// Leaves so many threads in a lazy queue that aren't ready, at most 30: each calls a server of its own, which gives the
/// processor to the next. The last server runs, and once it waits the scheduler has them all before it.
pub fn leave_stale<R: Rules, C: Count>(kernel: &mut L4<R, C>, number: u8) {
    let server = |pair: u8| ThreadId(31 + pair);
    for pair in 1..=number {
        kernel.start(server(pair), Rank::fixed(20), Slice::FOREVER);
        // Both wait for somebody, so neither is refused.
        let _ = kernel.ipc(Ipc::wait());
    }
    (1..=number).for_each(|pair| kernel.start(ThreadId(pair), Rank::fixed(3), Slice::FOREVER));
    for pair in 1..=number {
        let _ = kernel.ipc(Ipc::call(server(pair)));
        if pair < number {
            kernel.thread_switch(Some(ThreadId(pair + 1)));
        }
    }
}
