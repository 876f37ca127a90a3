//! Endpoints: a question, a server that works on it in its client's place, an answer.

use beryl_abi::CallError;
use beryl_kernel::{Endpoint, Sizes, Table};

use super::addresses::{is_long, short};
use super::semaphores::Patience;
use super::{Answer, Index, Model, Outcome, Phase, Reason};

impl<S: Sizes> Model<'_, S> {
    fn endpoint(&self, endpoint: Index) -> Endpoint {
        *self.system.endpoints.at(endpoint)
    }

    fn server(&self, endpoint: Index) -> Index {
        self.endpoint(endpoint).server.index()
    }

    /// Whether requests or replies travel through memory.
    pub fn is_long_endpoint(&self, endpoint: Index) -> bool {
        let row = self.endpoint(endpoint);
        is_long(row.request) || is_long(row.reply)
    }

    pub fn endpoint_call(
        &mut self,
        me: Index,
        endpoint: Index,
        words: [u32; 2],
        patience: Patience,
        then: Option<Index>,
    ) -> Outcome {
        let (row, server) = (self.endpoint(endpoint), self.server(endpoint));
        if self.threads[server].phase == Phase::Stopped {
            return Err(CallError::PeerDied);
        }
        if self.chain(server).contains(&me) {
            return Err(CallError::Deadlock);
        }
        let receives = self.threads[server]
            .waiting()
            .is_some_and(|wait| matches!(wait.reason, Reason::Request(waited, _) if waited == endpoint));
        let until = match patience {
            Patience::Poll if !receives => return Err(CallError::WouldBlock),
            Patience::Poll | Patience::Forever => None,
            Patience::Until(instant) => Some(instant),
        };
        let (request, to) = if self.is_long_endpoint(endpoint) {
            (Err(words[0]), words[1])
        } else {
            (Ok(short(row.request, words)), 0)
        };
        self.wait(me, Reason::Queue(endpoint, request, to), until, then);
        match receives {
            true => self.serve(endpoint),
            false => self.come_in_time(server),
        }
        Ok(None)
    }

    pub fn endpoint_receive(
        &mut self,
        me: Index,
        endpoint: Index,
        to: u32,
        patience: Patience,
        then: Option<Index>,
    ) -> Outcome {
        if self.serving[endpoint].is_some() {
            return Err(CallError::Deadlock);
        }
        let somebody_waits = self.next_client(endpoint).is_some();
        if patience == Patience::Poll && !somebody_waits {
            return Err(CallError::WouldBlock);
        }
        if somebody_waits {
            self.wait(me, Reason::Request(endpoint, to), None, then);
            self.serve(endpoint);
            return Ok(None);
        }
        let outcome = self.begin_to_wait(me, Reason::Request(endpoint, to), patience, then);
        if outcome.is_ok() {
            self.answers.remove(&me);
        }
        outcome
    }

    pub fn endpoint_reply(
        &mut self,
        me: Index,
        endpoint: Index,
        words: [u32; 2],
        then: Option<Index>,
    ) -> Outcome {
        let Some(client) = self.serving[endpoint].take() else { return Err(CallError::NotServing) };
        self.answers.remove(&me);
        let row = self.endpoint(endpoint);
        let long = self.is_long_endpoint(endpoint);
        let answered = client.map(|client| {
            let Reason::Reply(_, to) = self.threads[client].waiting().unwrap().reason else { unreachable!() };
            if long {
                let words = self.read(words[0], row.reply);
                self.write(to, &words);
                return (client, Answer::success());
            }
            (client, Answer::values(short(row.reply, words)))
        });
        // who has its reply doesn't wait for the server any more, whatever that waits for
        let promised = answered.and_then(|(client, answer)| Some((client, self.end_wait(client, answer)?)));
        self.wait(me, Reason::Request(endpoint, words[1]), None, then);
        if self.next_client(endpoint).is_some() {
            self.serve(endpoint);
        }
        // what the client was promised comes after what its server was
        if let Some((client, semaphore)) = promised {
            self.take_next(client, semaphore);
        }
        Ok(None)
    }

    /// A client goes on, in its own place.
    fn release_client(&mut self, client: Index, answer: Answer) {
        if let Some(semaphore) = self.end_wait(client, answer) {
            self.take_next(client, semaphore);
        }
    }

    /// A client doesn't wait any more; answers the semaphore that it shall own.
    fn end_wait(&mut self, client: Index, answer: Answer) -> Option<Index> {
        let then = self.threads[client].waiting().and_then(|waiting| waiting.then);
        self.threads[client].answer = Some(answer);
        self.threads[client].phase = Phase::Ready;
        then
    }

    fn next_client(&self, endpoint: Index) -> Option<Index> {
        self.most_urgent(|reason| matches!(reason, Reason::Queue(other, ..) if *other == endpoint))
    }

    /// The server, which waits, gets the most urgent client's request.
    fn serve(&mut self, endpoint: Index) {
        let (client, server) = (self.next_client(endpoint).unwrap(), self.server(endpoint));
        let Phase::Waiting(wait) = &mut self.threads[client].phase else { unreachable!() };
        let Reason::Queue(_, request, to) = wait.reason.clone() else { unreachable!() };
        wait.reason = Reason::Reply(endpoint, to);
        let Some(Reason::Request(_, to)) = self.threads[server].waiting().map(|wait| wait.reason.clone())
        else {
            unreachable!()
        };
        let answer = match request {
            Ok(words) => Answer::values(words),
            Err(address) => {
                let words = self.read(address, self.endpoint(endpoint).request);
                self.write(to, &words);
                Answer::success()
            }
        };
        self.serving[endpoint] = Some(Some(client));
        self.alone.remove(&server);
        self.have_answered_in_time(server);
        self.wake(server, answer);
    }

    /// The client that is being served has stopped or given up: its server works on in its own place.
    pub fn forget_client(&mut self, endpoint: Index) {
        self.serving[endpoint] = Some(None);
        let server = self.server(endpoint);
        self.alone.insert(server);
        if self.is_ready(server) || self.lender_to(server).is_some() {
            self.date(server);
            self.arrive(server);
            self.enter_band(server);
        }
    }

    /// A server has stopped: nobody is served any more.
    pub fn dismiss_clients(&mut self, server: Index) {
        for endpoint in 0..self.serving.len() {
            if self.server(endpoint) != server {
                continue;
            }
            self.serving[endpoint] = None;
            self.alone.remove(&server);
            self.answers.remove(&server);
            let waits = |reason: &Reason| matches!(reason, Reason::Queue(other, ..) | Reason::Reply(other, _) if *other == endpoint);
            while let Some(client) = self.most_urgent(waits) {
                self.give_up(client, CallError::PeerDied);
            }
        }
    }
}
