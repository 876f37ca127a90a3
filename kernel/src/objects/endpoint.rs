//! Endpoints: synchronous calls of a server.

use beryl_abi::ThreadId;
use beryl_abi::call::SHORT_MESSAGE;

use crate::objects::queue::Queue;
use crate::rows::objects::Endpoint;
use crate::scheduling::thread::ThreadState;
use crate::table::{Blank, Table};

/// The state of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndpointState {
    /// The clients that wait to be served.
    pub(crate) queue: Queue,
    /// The client that is being served.
    pub(crate) client: ThreadId,
    /// Whether a request is being served. Its client may have stopped or given up meanwhile.
    pub(crate) serving: bool,
}

impl EndpointState {
    pub(crate) const IDLE: EndpointState =
        EndpointState { queue: Queue::EMPTY, client: ThreadId::NONE, serving: false };
}

impl EndpointState {
    /// The server was waiting and now serves a client.
    #[inline(always)]
    pub(crate) fn serve(&mut self, client: ThreadId) {
        (self.client, self.serving) = (client, true);
    }

    /// Whether anybody waits for its server, or for the reply.
    pub(crate) fn has_clients(&self) -> bool {
        self.client.is_some() || !self.queue.is_empty()
    }

    /// The current request is over; returns its client, if that still waits for the reply.
    #[inline(always)]
    pub(crate) fn end(&mut self) -> ThreadId {
        self.serving = false;
        core::mem::replace(&mut self.client, ThreadId::NONE)
    }

    /// The server is free and takes the first client of the queue, if any.
    #[inline(always)]
    pub(crate) fn serve_next(&mut self, threads: &impl Table<ThreadState>) -> Option<ThreadId> {
        let client = self.queue.take(threads)?;
        self.serve(client);
        Some(client)
    }
}

impl Blank for EndpointState {
    const BLANK: EndpointState =
        EndpointState { queue: Queue::BLANK, client: ThreadId(0), ..EndpointState::IDLE };
}

impl Endpoint {
    /// Whether requests and replies travel in memory.
    #[inline(always)]
    pub fn is_long(&self) -> bool {
        u32::from(self.request.max(self.reply)) > SHORT_MESSAGE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_served_one_after_the_other() {
        let mut threads = [ThreadState::DORMANT; 3];
        let mut endpoint = EndpointState::IDLE;
        assert_eq!(endpoint.serve_next(&threads), None);
        endpoint.serve(ThreadId(0));
        endpoint.queue = Queue::of(&mut threads, ThreadId(1));
        endpoint.queue.append(&mut threads, ThreadId(2));
        assert_eq!(endpoint.end(), ThreadId(0));
        assert_eq!((endpoint.serve_next(&threads), endpoint.serving), (Some(ThreadId(1)), true));
        endpoint.client = ThreadId::NONE;
        assert_eq!(endpoint.end(), ThreadId::NONE, "who has stopped");
        assert_eq!(endpoint.serve_next(&threads), Some(ThreadId(2)));
    }
}
