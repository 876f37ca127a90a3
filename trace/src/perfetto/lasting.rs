//! Tracks for everything that lasts for a while besides runs and jobs: waits of each thread, modes, held
//! locks, served interrupts.

use std::collections::BTreeMap;

use beryl_abi::{Awaited, Instant, ThreadId};

use super::messages::{TracePacket, TrackDescriptor};
use super::{Export, THREADS, text, track};
use crate::event::Event;
use crate::jobs::History;
use crate::spans::{Subject, stretches};
use crate::waits::Waited;

/// Track numbers start at a base for each kind.
const WAITS: u64 = 5 << 16;
const SUBJECTS: u64 = 6 << 16;
const HEADINGS: u64 = 7 << 16;

impl Export<'_> {
    /// The waits of each thread, below its runs; waiting for a release isn't part of a job.
    pub(super) fn waits(&mut self, history: &History) -> Vec<TracePacket> {
        let mut of_thread: BTreeMap<ThreadId, Vec<&Waited>> = BTreeMap::new();
        for wait in history.waits.waits.iter().filter(|wait| wait.awaited != Awaited::Period) {
            of_thread.entry(wait.thread).or_default().push(wait);
        }
        let mut tracks = Vec::new();
        for (thread, waits) in of_thread {
            let uuid = WAITS + u64::from(thread.0);
            let parent = THREADS + u64::from(thread.0);
            tracks.push(named(uuid, format!("{}: waits", self.names.thread(thread)), Some(parent)));
            let mut reached = Instant::START;
            for wait in waits {
                let name = self.names.awaited(wait.awaited, wait.object);
                let details = wait.owner.map(|owner| text("owner", self.names.thread(owner)));
                let from = wait.from.max(reached);
                reached = wait.to.max(from);
                self.slice(uuid, from, reached, &name, details.into_iter().collect());
            }
        }
        tracks
    }

    /// Modes, locks and interrupts, each kind below a track of its own.
    pub(super) fn stretches(&mut self, history: &History, events: &[Event]) -> Vec<TracePacket> {
        let mut tracks = Vec::new();
        let mut known: BTreeMap<Subject, (u64, Instant)> = BTreeMap::new();
        let all = stretches(events, &history.waits.holds, self.names);
        let mut subjects: Vec<Subject> = all.iter().map(|stretch| stretch.subject).collect();
        subjects.sort_unstable();
        subjects.dedup();
        let mut heading = (HEADINGS, "");
        for (uuid, subject) in (SUBJECTS..).zip(subjects) {
            if subject.heading() != heading.1 {
                heading = (heading.0 + 1, subject.heading());
                tracks.push(named(heading.0, heading.1.to_owned(), None));
            }
            tracks.push(named(uuid, subject.name(self.names), Some(heading.0)));
            known.insert(subject, (uuid, Instant::START));
        }
        for stretch in &all {
            let Some((uuid, reached)) = known.get_mut(&stretch.subject) else { continue };
            // Only in a damaged trace does a stretch begin before the previous one's end.
            let from = stretch.from.max(*reached);
            *reached = stretch.to.max(from);
            let (uuid, to) = (*uuid, *reached);
            self.slice(uuid, from, to, &stretch.label, vec![text("what", stretch.words())]);
        }
        tracks
    }
}

fn named(uuid: u64, name: String, parent_uuid: Option<u64>) -> TracePacket {
    track(TrackDescriptor { uuid, name: Some(name), parent_uuid, ..TrackDescriptor::default() })
}
