//! The rows of objects.

use anyhow::Result;
use beryl_abi::{Line, ThreadId};
use beryl_builder::Project;
use beryl_builder::assembly::objects::{Count, words};
use beryl_builder::assembly::{Assembly, objects as assembly};
use beryl_kernel::{
    Condition, Endpoint, EventGroup, Interrupt, Mailbox, Notification, Port, Semaphore, SemaphoreKind,
    StateMessage,
};

/// Whose objects they are.
pub struct Objects<'a> {
    pub project: &'a Project,
    pub assembly: &'a Assembly,
}

impl Objects<'_> {
    pub fn semaphores(&self) -> Vec<Semaphore> {
        let rows = self.assembly.objects.semaphores.iter();
        let kind = |count: &Count| match count {
            Count::Counting { initial, most } => SemaphoreKind::Counting { initial: *initial, most: *most },
            Count::Binary { word, .. } => SemaphoreKind::Binary {
                word: word.map_or(0, |word| self.project.places.address(&self.assembly.cells, word)),
            },
        };
        rows.map(|row| Semaphore { processes: row.processes, kind: kind(&row.count) }).collect()
    }

    pub fn endpoints(&self) -> Result<Vec<Endpoint>> {
        let rows = self.assembly.objects.endpoints.iter();
        let row = |row: &assembly::Endpoint| {
            Ok(Endpoint {
                callers: row.callers,
                server: ThreadId(u8::try_from(row.server)?),
                request: u8::try_from(words(&row.request))?,
                reply: u8::try_from(words(&row.reply))?,
            })
        };
        rows.map(row).collect()
    }

    pub fn interrupts(&self) -> Result<Vec<Interrupt>> {
        let rows = self.assembly.objects.interrupts.iter();
        let row = |row: &assembly::Interrupt| {
            let thread = row.thread.map(u8::try_from).transpose()?.map_or(ThreadId::NONE, ThreadId);
            Ok(Interrupt { line: Line(row.line), thread, bits: row.bits })
        };
        rows.map(row).collect()
    }

    pub fn conditions(&self) -> Vec<Condition> {
        let rows = self.assembly.objects.conditions.iter();
        rows.map(|row| Condition { processes: row.processes }).collect()
    }

    pub fn event_groups(&self) -> Vec<EventGroup> {
        let rows = self.assembly.objects.event_groups.iter();
        rows.map(|row| EventGroup { sources: row.sources, waiters: row.waiters }).collect()
    }

    pub fn mailboxes(&self) -> Result<Vec<Mailbox>> {
        let rows = self.assembly.objects.mailboxes.iter();
        let row = |row: &assembly::Mailbox| {
            Ok(Mailbox {
                senders: row.senders,
                receivers: row.receivers,
                base: self.project.places.address(&self.assembly.cells, row.buffer),
                length: u8::try_from(words(&row.kind))?,
                capacity: row.capacity,
                first_come: row.first_come,
            })
        };
        rows.map(row).collect()
    }

    pub fn notifications(&self) -> Result<Vec<Notification>> {
        let rows = self.assembly.objects.notifications.iter();
        let row = |row: &assembly::Notification| {
            let thread = ThreadId(u8::try_from(row.thread)?);
            Ok(Notification { senders: row.senders, thread, bits: row.bits })
        };
        rows.map(row).collect()
    }

    pub fn state_messages(&self) -> Result<Vec<StateMessage>> {
        let address = |cell| self.project.places.address(&self.assembly.cells, cell);
        let row = |row: &assembly::State| {
            Ok(StateMessage {
                readers: row.slow_readers,
                index: row.index.map_or(0, address),
                base: address(row.buffers),
                length: u16::try_from(row.stride())?,
                depth: row.depth,
            })
        };
        self.assembly.objects.slow_states().map(row).collect()
    }

    pub fn ports(&self) -> Result<Vec<Port>> {
        let rows = self.assembly.ports.iter();
        let row = |row: &beryl_builder::assembly::Port| {
            Ok(Port {
                address: self.project.places.address(&self.assembly.cells, row.cell),
                length: u8::try_from(self.assembly.cells.extent(row.cell, row.cell))?,
            })
        };
        rows.map(row).collect()
    }
}
