//! Mailboxes: messages in the order in which they came.

use beryl_abi::CallError;
use beryl_kernel::{Mailbox, Sizes, Table};

use super::addresses::{is_long, short};
use super::semaphores::Patience;
use super::{Answer, Index, Model, Outcome, Reason};

impl<S: Sizes> Model<'_, S> {
    fn mailbox(&self, mailbox: Index) -> Mailbox {
        *self.system.mailboxes.at(mailbox)
    }

    pub fn send(
        &mut self,
        me: Index,
        mailbox: Index,
        words: [u32; 2],
        patience: Patience,
        then: Option<Index>,
    ) -> Outcome {
        let row = self.mailbox(mailbox);
        let message = if is_long(row.length) { Err(words[0]) } else { Ok(short(row.length, words)) };
        if let Some(receiver) = self.next_receiver(mailbox) {
            let message = self.content(mailbox, &message);
            self.hand_over(mailbox, receiver, message);
            return self.go_on(me, Answer::success(), then);
        }
        if self.mailboxes[mailbox].len() < usize::from(row.capacity) {
            let message = self.content(mailbox, &message);
            self.mailboxes[mailbox].push(message);
            return self.go_on(me, Answer::success(), then);
        }
        if patience == Patience::Poll {
            return Err(CallError::WouldBlock);
        }
        self.begin_to_wait(me, Reason::Send(mailbox, message), patience, then)
    }

    pub fn receive(
        &mut self,
        me: Index,
        mailbox: Index,
        to: u32,
        patience: Patience,
        then: Option<Index>,
    ) -> Outcome {
        if self.mailboxes[mailbox].is_empty() {
            self.comes_back(mailbox, false);
            if patience == Patience::Poll {
                return Err(CallError::WouldBlock);
            }
            return self.begin_to_wait(me, Reason::Receive(mailbox, to), patience, then);
        }
        let message = self.mailboxes[mailbox].remove(0);
        let message = self.with_news(mailbox, message);
        self.comes_back(mailbox, true);
        let answer = self.delivered(mailbox, to, message);
        // the first who waits for room has it now
        let sender = self.next(mailbox, |reason| matches!(reason, Reason::Send(box_, _) if *box_ == mailbox));
        if let Some(sender) = sender {
            let Reason::Send(_, message) = self.threads[sender].waiting().unwrap().reason.clone() else {
                unreachable!()
            };
            let message = self.content(mailbox, &message);
            self.mailboxes[mailbox].push(message);
            self.wake(sender, Answer::success());
        }
        self.go_on(me, answer, then)
    }

    fn content(&self, mailbox: Index, message: &Result<Vec<u32>, u32>) -> Vec<u32> {
        match message {
            Ok(words) => words.clone(),
            Err(address) => self.read(*address, self.mailbox(mailbox).length),
        }
    }

    fn hand_over(&mut self, mailbox: Index, receiver: Index, message: Vec<u32>) {
        let Reason::Receive(_, to) = self.threads[receiver].waiting().unwrap().reason else { unreachable!() };
        let answer = self.delivered(mailbox, to, message);
        self.wake(receiver, answer);
    }

    /// A long message goes to memory, a short one into registers.
    fn delivered(&mut self, mailbox: Index, to: u32, message: Vec<u32>) -> Answer {
        if is_long(self.mailbox(mailbox).length) {
            self.write(to, &message);
            return Answer::success();
        }
        Answer::values(message)
    }

    pub fn next_receiver(&self, mailbox: Index) -> Option<Index> {
        self.next(mailbox, |reason| matches!(reason, Reason::Receive(box_, _) if *box_ == mailbox))
    }

    fn next(&self, mailbox: Index, of: impl Fn(&Reason) -> bool) -> Option<Index> {
        if self.mailbox(mailbox).first_come { self.first_come(of) } else { self.most_urgent(of) }
    }
}
