//! From the description's objects to rows: who may name them, where they lie, how deep their buffers are.

use beryl_abi::{Duration, StateMessageId};
use beryl_analysis::Ticks;
use beryl_analysis::state_message::{self, Writer};
use beryl_timing::{Basic, Type};

use super::objects::{
    Condition, Count, Endpoint, EventGroup, Interrupt, Lock, Mailbox, Notification, Objects, Processes,
    Region, Replaceable, Semaphore, Slot, State, Trace, Value, words,
};
use super::{Assembly, CellId, Home, Role, Thread, clients, gates};
use crate::description::{self, Description, ProgramCheck, Use};
use crate::quantity::Nanoseconds;

/// The deepest buffer that a row of the kernel's table can name.
const DEEPEST: u64 = 128;

/// A state message whose buffer would be deeper than possible: its position, and how deep.
pub(super) struct TooDeep {
    pub(super) state: usize,
    pub(super) depth: Option<u64>,
}

/// Adds the objects of the description, once all threads are there. The deepest buffers are reported.
pub(super) fn add(assembly: &mut Assembly, description: &Description) -> Vec<TooDeep> {
    let mut resolver = Resolver { assembly, tick: description.board.board.tick, too_deep: Vec::new() };
    let mut objects = resolver.objects(&description.objects);
    for (slot, row) in objects.slots.iter_mut().zip(&description.objects.slots) {
        slot.offers = description.band(row.offers.as_ref());
    }
    let too_deep = resolver.too_deep;
    assembly.objects = objects;
    too_deep
}

struct Resolver<'a> {
    assembly: &'a mut Assembly,
    tick: Nanoseconds,
    too_deep: Vec<TooDeep>,
}

impl Resolver<'_> {
    fn objects(&mut self, rows: &description::Objects) -> Objects {
        let locks = rows.locks.iter().enumerate().map(|(index, row)| self.lock(index, row)).collect();
        let semaphores = rows.semaphores.iter().enumerate().map(|(index, row)| self.semaphore(index, row));
        let semaphores = semaphores.collect();
        let conditions = rows.conditions.iter().enumerate().map(|(index, name)| Condition {
            name: name.value.clone(),
            processes: self.processes(Use::Condition(index)),
        });
        let conditions = conditions.collect();
        let mailboxes =
            rows.mailboxes.iter().enumerate().map(|(index, row)| self.mailbox(index, row)).collect();
        let endpoints = rows.endpoints.iter().enumerate().map(|(index, row)| Endpoint {
            name: row.name.value.clone(),
            callers: self.processes(Use::Call(index)),
            server: self.thread(Use::Serve(index)),
            request: row.request.clone(),
            reply: row.reply.clone(),
            hold: row.hold.map(|hold| hold.rounded_up(self.tick)),
        });
        let endpoints = endpoints.collect();
        let event_groups = rows.event_groups.iter().enumerate().map(|(index, name)| EventGroup {
            name: name.value.clone(),
            sources: self.processes(Use::Set(index)),
            waiters: self.processes(Use::AwaitBits(index)),
        });
        let event_groups = event_groups.collect();
        let notifications = rows.notifications.iter().enumerate().map(|(index, name)| Notification {
            name: name.value.clone(),
            senders: self.processes(Use::Notify(index)),
            thread: self.thread(Use::Await(index)),
            bits: rows.bell(name).unwrap_or_else(|| self.bit(Use::Await(index))),
            is_bell: rows.bell(name).is_some(),
        });
        let notifications = notifications.collect();
        let interrupts = rows.interrupts.iter().enumerate().map(|(index, row)| Interrupt {
            name: row.name.value.clone(),
            line: row.line.value,
            thread: self.users(Use::Interrupt(index)).next().map(|(thread, _)| thread),
            bits: self.bit(Use::Interrupt(index)),
            is_silent: row.is_silent,
            is_bell: row.is_bell,
        });
        let interrupts = interrupts.collect();
        let regions = rows.regions.iter().enumerate().map(|(index, row)| Region {
            name: row.name.value.clone(),
            size: row.size.get(),
            processes: self.processes(Use::Region(index)),
        });
        let regions = regions.collect();
        let mut base = 0;
        let slots = rows.slots.iter().enumerate().map(|(index, row)| {
            let slot = Slot {
                name: row.name.value.clone(),
                processes: self.processes(Use::Slot(index)),
                size: row.size.get(),
                base,
                certified_only: row.check == ProgramCheck::Certificate,
                offers: None,
            };
            base += 2 * slot.size;
            slot
        });
        let slots = slots.collect();
        let states = self.states(&rows.states);
        let trace = rows.trace.as_ref().map(|row| Trace {
            notes: row.buffer.get() / 16,
            classes: row.classes,
            reader: self.thread(Use::Trace),
        });
        // Their names are those of threads: the description has refused others.
        let named = |name: &description::Placed<String>| {
            self.assembly.threads.iter().position(|thread| thread.name == **name).unwrap_or(0)
        };
        let priorities = rows.priorities.iter().map(named).collect();
        let gates = gates::gates(rows, self.tick, |index| self.users(Use::Interrupt(index)).next().is_some());
        let process = |name: &str| self.assembly.processes.iter().position(|row| row.name == name);
        let limits = clients::limits(rows, self.tick, process);
        let replaceable = rows.replaceable.iter().enumerate().map(|(index, name)| {
            let process = process(name).unwrap_or(0);
            let size = self.assembly.processes.get(process).map_or(0, |process| process.room.get());
            Replaceable { process, writers: self.processes(Use::Replace(index)), size }
        });
        let replaceable = replaceable.collect();
        Objects {
            locks,
            semaphores,
            conditions,
            mailboxes,
            endpoints,
            event_groups,
            notifications,
            interrupts,
            states,
            regions,
            slots,
            trace,
            priorities,
            replaceable,
            gates,
            limits,
        }
    }

    fn lock(&mut self, index: usize, row: &description::Lock) -> Lock {
        let value = self.value(Use::Lock(index), row.kind.as_ref());
        // Its ceiling follows from the levels of all threads.
        let hold = row.hold.map(|hold| hold.rounded_up(self.tick));
        Lock { name: row.name.value.clone(), value, ceiling: 0, hold }
    }

    fn semaphore(&mut self, index: usize, row: &description::Semaphore) -> Semaphore {
        let processes = self.processes(Use::Semaphore(index));
        let count = match &row.count {
            description::Count::Counting { initial, most } => {
                Count::Counting { initial: *initial, most: *most }
            }
            description::Count::Binary { kind } => Count::Binary {
                word: (processes.count_ones() == 1).then(|| self.private(Use::Semaphore(index), WORD)),
                value: self.value(Use::Semaphore(index), kind.as_ref()),
            },
        };
        let hold = row.hold.map(|hold| hold.rounded_up(self.tick));
        Semaphore { name: row.name.value.clone(), processes, count, hold }
    }

    fn mailbox(&mut self, index: usize, row: &description::Mailbox) -> Mailbox {
        // A short message is stored in two words, whatever its length.
        let bytes = words(&row.kind).max(beryl_abi::call::SHORT_MESSAGE) * u32::from(row.capacity);
        Mailbox {
            name: row.name.value.clone(),
            senders: self.processes(Use::Send(index)),
            receivers: self.processes(Use::Receive(index)),
            kind: row.kind.clone(),
            capacity: row.capacity,
            first_come: row.order == description::Order::Arrival,
            buffer: self.assembly.cells.add(Home::Kernel, array(bytes), None),
        }
    }

    fn states(&mut self, rows: &[description::State]) -> Vec<State> {
        let mut ids = (0..=u8::MAX).map(StateMessageId);
        let mut states = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let slow_readers = self.processes(Use::ReadSlow(index));
            let id = if slow_readers == 0 && !row.is_traced { None } else { ids.next() };
            states.push(self.state(index, row, slow_readers, id));
        }
        states
    }

    fn state(
        &mut self,
        index: usize,
        row: &description::State,
        slow_readers: Processes,
        id: Option<StateMessageId>,
    ) -> State {
        let writer = self.thread(Use::Write(index));
        let home = Home::State(self.assembly.threads.get(writer).map_or(0, |thread| thread.process));
        let window = self.window(index, row);
        let single = row.kind.size() <= 4;
        let is_by_calls = self.users(Use::Read(index)).next().is_none();
        let depth = match single {
            true => 1,
            false if is_by_calls => State::DEPTH_BY_CALLS,
            false => self.depth(index, row, writer, window),
        };
        let counter = (!single).then(|| self.assembly.cells.add(home, WORD, None));
        let buffers = self.assembly.cells.add(home, array(words(&row.kind) * u32::from(depth)), None);
        State {
            name: row.name.value.clone(),
            kind: row.kind.clone(),
            writer,
            readers: self.processes(Use::Read(index)) | slow_readers,
            slow_readers,
            id,
            index: counter,
            buffers,
            depth,
            window,
            is_traced: row.is_traced,
        }
    }

    fn depth(&mut self, index: usize, row: &description::State, writer: usize, window: Duration) -> u8 {
        let writer = self.rhythm(row, writer);
        let depth = state_message::depth(&writer, Ticks::new(window.ticks())).ok();
        match depth.filter(|depth| *depth <= DEEPEST).and_then(|depth| u8::try_from(depth).ok()) {
            Some(depth) => depth,
            None => {
                self.too_deep.push(TooDeep { state: index, depth });
                1
            }
        }
    }

    /// How often the writer writes: once a job if it is periodic, else as described.
    fn rhythm(&self, row: &description::State, writer: usize) -> Writer {
        let ticks = |duration: Duration| Ticks::new(duration.ticks());
        match (self.assembly.threads.get(writer).map(|thread| &thread.role), &row.rhythm) {
            (Some(Role::Task(task)), _) => {
                Writer { period: ticks(task.separation), jitter: ticks(task.longest), catch_up: 0 }
            }
            (Some(Role::Periodic(times)), _) => Writer {
                period: ticks(times.period),
                jitter: ticks(times.deadline),
                catch_up: times.catch_up.into(),
            },
            (_, Some(rhythm)) => Writer {
                period: ticks(rhythm.period.rounded_down(self.tick)),
                jitter: ticks(rhythm.jitter.rounded_up(self.tick)),
                catch_up: rhythm.catch_up.into(),
            },
            // The description has refused this.
            (_, None) => Writer { period: Ticks::new(1), jitter: Ticks::ZERO, catch_up: 0 },
        }
    }

    /// The longest that a read without the kernel may take: a job reads within its deadline, others as described.
    fn window(&self, index: usize, row: &description::State) -> Duration {
        let described = row.read_within.map_or(Duration::ZERO, |within| within.rounded_up(self.tick));
        let windows = self.users(Use::Read(index)).map(|(_, thread)| match &thread.role {
            Role::Task(task) => task.longest,
            Role::Periodic(times) => times.deadline,
            _ => described,
        });
        windows.max().unwrap_or(Duration::ZERO)
    }

    /// The users of an object in one way, with their threads' indices.
    fn users(&self, used: Use) -> impl Iterator<Item = (usize, &Thread)> {
        self.assembly.threads.iter().enumerate().filter(move |(_, thread)| thread.uses.contains(&used))
    }

    fn processes(&self, used: Use) -> Processes {
        self.users(used).fold(0, |all, (_, thread)| all | 1_u32.checked_shl(shift(thread)).unwrap_or(0))
    }

    /// The only thread that uses an object in this way; the description has refused others.
    fn thread(&self, used: Use) -> usize {
        self.users(used).next().map_or(0, |(index, _)| index)
    }

    /// The bit of a notification or interrupt in its thread's word: its place among the thread's.
    fn bit(&self, used: Use) -> u32 {
        let Some((_, thread)) = self.users(used).next() else { return 0 };
        let bits = thread.uses.iter().filter(|own| matches!(own, Use::Await(_) | Use::Interrupt(_)));
        let place = bits.take_while(|own| **own != used).count();
        u32::try_from(place).ok().and_then(|place| 1_u32.checked_shl(place)).unwrap_or(0)
    }

    fn value(&mut self, used: Use, kind: Option<&Type>) -> Option<Value> {
        kind.map(|kind| Value { kind: kind.clone(), cell: self.private(used, kind.clone()) })
    }

    /// A cell in the memory of the users' process.
    fn private(&mut self, used: Use, kind: Type) -> CellId {
        let process = self.users(used).next().map_or(0, |(_, thread)| thread.process);
        self.assembly.cells.add(Home::Process(process), kind, None)
    }
}

const WORD: Type = Type::basic(Basic::Int);

/// So many bytes as words.
fn array(bytes: u32) -> Type {
    Type::array(Basic::Int, bytes / 4)
}

fn shift(thread: &Thread) -> u32 {
    u32::try_from(thread.process).unwrap_or(u32::MAX)
}
