//! Reports: what supervisors are told.

use beryl_abi::{Incident, Instant, Report};
use beryl_kernel::{Optional, ReportId, Sizes, Table};

use super::{Answer, Index, Model};

impl<S: Sizes> Model<'_, S> {
    /// Something happens to a thread, or to another of those who are watched. Its supervisor hears of it when all is done that follows.
    pub fn inform(&mut self, thread: Index, incident: Incident) {
        let Some(row) = self.system.watched.get(thread) else { return };
        let ReportId(report) = row.reports[incident as usize % Incident::OF_A_THREAD];
        if ReportId(report) == ReportId::NONE {
            return;
        }
        let (count, last) = self.reports.entry(report).or_insert_with(|| {
            self.unsent.push(report);
            (0, 0)
        });
        *count = count.saturating_add(1);
        *last = self.now;
    }

    /// Whoever waits for reports gets them.
    pub fn send_reports(&mut self) {
        for report in std::mem::take(&mut self.unsent) {
            let mailbox = self.system.tellings.get(report.into()).unwrap().mailbox.index();
            match self.next_receiver(mailbox) {
                Some(supervisor) => {
                    let news = self.news(report);
                    self.comes_back(mailbox, true);
                    self.wake(supervisor, Answer::values(news));
                }
                None => {
                    self.mailboxes[mailbox].push(vec![report.into()]);
                    self.is_there_to_be_fetched(mailbox);
                }
            }
        }
    }

    /// What is told of a report.
    fn news(&mut self, number: u8) -> Vec<u32> {
        self.heard += 1;
        let (count, last) = self.reports.remove(&number).unwrap();
        Report { number, count, at: Instant::from_ticks(last) }.words().to_vec()
    }

    /// What comes out of a mailbox: the kernel's own messages say only which report they are.
    pub fn with_news(&mut self, mailbox: Index, message: Vec<u32>) -> Vec<u32> {
        match self.is_kernels(mailbox) {
            true => self.news(u8::try_from(message[0]).unwrap()),
            false => message,
        }
    }

    /// Whether only the kernel sends to a mailbox.
    pub fn is_kernels(&self, mailbox: Index) -> bool {
        S::SUPERVISED && self.system.mailboxes.at(mailbox).senders == 0
    }
}
