//! A host that asks, and looks at the answers: pings, and datagrams that should be sent back.

use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::ChecksumCapabilities;
use smoltcp::socket::{icmp, udp};
use smoltcp::time::Instant;
use smoltcp::wire::{EthernetAddress, Icmpv4Packet, Icmpv4Repr, IpAddress, IpCidr, IpEndpoint, Ipv4Address};

use crate::queue::{Frame, Queue};

const HERE: Ipv4Address = Ipv4Address::new(10, 0, 0, 1);
const BOARD: IpAddress = IpAddress::Ipv4(Ipv4Address::new(10, 0, 0, 2));
const ADDRESS: [u8; 6] = [0x02, 0, 0, 0, 0, 0x01];
/// Pings are told from those of others by this.
const IDENTITY: u16 = 0xB351;
/// Where the board sends datagrams back, where they come to, and where the board tells of itself.
const ECHO: u16 = 7;
const ANSWERED: u16 = 7000;
const TOLD: u16 = 9;
/// No datagram is longer.
const LONGEST: u16 = 180;

/// One question: when it was asked, and when it was answered, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// When.
    pub at: u64,
    /// The answer.
    pub answered: Option<u64>,
}

/// All questions of a kind, in their order.
#[derive(Clone, Debug, Default)]
pub struct Tally(pub Vec<Asked>);

impl Tally {
    /// Notes the answer to a question, the first if it is answered again.
    fn answer(&mut self, number: usize, now: u64) -> Result<(), String> {
        let asked = self.0.get_mut(number).ok_or_else(|| format!("an answer to {number}, not asked"))?;
        match asked.answered {
            Some(_) => Err(format!("two answers to {number}")),
            None => {
                asked.answered = Some(now);
                Ok(())
            }
        }
    }

    fn ask(&mut self, now: u64) -> u16 {
        self.0.push(Asked { at: now, answered: None });
        u16::try_from(self.0.len() - 1).unwrap_or(u16::MAX)
    }

    /// How many were answered.
    #[must_use]
    pub fn answered(&self) -> usize {
        self.0.iter().filter(|asked| asked.answered.is_some()).count()
    }
}

/// The host.
pub struct Host {
    interface: Interface,
    sockets: SocketSet<'static>,
    handles: [SocketHandle; 3],
    queue: Queue,
    /// Its questions.
    pub pings: Tally,
    /// Its datagrams.
    pub datagrams: Tally,
    /// How often the board has told of itself, and how many frames it had received the last time.
    pub told: [u32; 2],
    /// What was wrong with answers.
    pub wrong: Vec<String>,
}

impl Default for Host {
    fn default() -> Host {
        let mut queue = Queue::default();
        let config = Config::new(EthernetAddress(ADDRESS).into());
        let mut interface = Interface::new(config, &mut queue, Instant::ZERO);
        interface.update_ip_addrs(|addresses| {
            let _ = addresses.push(IpCidr::new(IpAddress::Ipv4(HERE), 24));
        });
        let mut pings = icmp::Socket::new(
            icmp::PacketBuffer::new(vec![icmp::PacketMetadata::EMPTY; 64], vec![0; 4096]),
            icmp::PacketBuffer::new(vec![icmp::PacketMetadata::EMPTY; 64], vec![0; 4096]),
        );
        let is_bound = pings.bind(icmp::Endpoint::Ident(IDENTITY)).is_ok();
        let [datagrams, told] = [ANSWERED, TOLD].map(|port| {
            let mut socket = udp::Socket::new(
                udp::PacketBuffer::new(vec![udp::PacketMetadata::EMPTY; 64], vec![0; 8192]),
                udp::PacketBuffer::new(vec![udp::PacketMetadata::EMPTY; 64], vec![0; 8192]),
            );
            assert!(socket.bind(port).is_ok() && is_bound, "sockets that nobody has bound before");
            socket
        });
        let mut sockets = SocketSet::new(Vec::new());
        let handles = [sockets.add(pings), sockets.add(datagrams), sockets.add(told)];
        let (pings, datagrams) = (Tally::default(), Tally::default());
        Host { interface, sockets, handles, queue, pings, datagrams, told: [0; 2], wrong: Vec::new() }
    }
}

impl Host {
    /// Sends a ping.
    pub fn ping(&mut self, now: u64) {
        let number = self.pings.ask(now);
        let request = Icmpv4Repr::EchoRequest { ident: IDENTITY, seq_no: number, data: &now.to_le_bytes() };
        let socket = self.sockets.get_mut::<icmp::Socket>(self.handles[0]);
        if let Ok(bytes) = socket.send(request.buffer_len(), BOARD) {
            request.emit(&mut Icmpv4Packet::new_unchecked(bytes), &ChecksumCapabilities::default());
        }
        self.go_on(now);
    }

    /// Sends a datagram, each of another length than the one before.
    pub fn datagram(&mut self, now: u64) {
        let number = self.datagrams.ask(now);
        let socket = self.sockets.get_mut::<udp::Socket>(self.handles[1]);
        let _ = socket.send_slice(&content(number), IpEndpoint::new(BOARD, ECHO));
        self.go_on(now);
    }

    /// Takes a frame from the wire.
    pub fn take(&mut self, now: u64, frame: Frame) {
        self.queue.come.push_back(frame);
        self.go_on(now);
    }

    /// The next frame that goes over the wire.
    pub fn give(&mut self) -> Option<Frame> {
        self.queue.go.pop_front()
    }

    fn go_on(&mut self, now: u64) {
        let instant = Instant::from_micros(i64::try_from(now / 1000).unwrap_or(i64::MAX));
        self.interface.poll(instant, &mut self.queue, &mut self.sockets);
        if let Err(wrong) = self.look(now) {
            self.wrong.push(wrong);
        }
    }

    /// Looks at what has come.
    fn look(&mut self, now: u64) -> Result<(), String> {
        let [pings, datagrams, told] = self.handles;
        let socket = self.sockets.get_mut::<icmp::Socket>(pings);
        while let Ok((bytes, _)) = socket.recv() {
            let packet = Icmpv4Packet::new_checked(bytes).map_err(|_| "an answer that is too short")?;
            let answer = Icmpv4Repr::parse(&packet, &ChecksumCapabilities::default());
            let Ok(Icmpv4Repr::EchoReply { seq_no, data, .. }) = answer else {
                return Err(format!("no answer to a ping: {answer:?}"));
            };
            let asked = self.pings.0.get(usize::from(seq_no)).map(|asked| asked.at.to_le_bytes());
            if asked.as_ref().map(<[u8; 8]>::as_slice) != Some(data) {
                return Err(format!("ping {seq_no} is answered with {data:?}"));
            }
            self.pings.answer(usize::from(seq_no), now)?;
        }
        let socket = self.sockets.get_mut::<udp::Socket>(datagrams);
        while let Ok((bytes, _)) = socket.recv() {
            let number = bytes.first_chunk().map(|number| u16::from_le_bytes(*number));
            let number = number.filter(|number| content(*number) == bytes);
            let number = number.ok_or_else(|| format!("a datagram that wasn't sent: {bytes:?}"))?;
            self.datagrams.answer(usize::from(number), now)?;
        }
        let socket = self.sockets.get_mut::<udp::Socket>(told);
        while let Ok((bytes, _)) = socket.recv() {
            let received = bytes.try_into().map_err(|_| format!("the board tells of {bytes:?}"))?;
            self.told = [self.told[0] + 1, u32::from_le_bytes(received)];
        }
        Ok(())
    }
}

/// What is in a datagram: other bytes in each, so that no two of them are equal.
fn content(number: u16) -> Vec<u8> {
    let length = 2 + number % (LONGEST - 1);
    let rest = (2..length).map(|place| (place.wrapping_mul(31).wrapping_add(number) & 0xFF) as u8);
    number.to_le_bytes().into_iter().chain(rest).collect()
}
