//! The thread with the protocol stack: it answers pings, sends datagrams back, and tells of itself ten times a second.

use beryl_user::call;
use beryl_user::interrupt::Interrupt;
use beryl_user::time::{self, Duration, Wait, microseconds, milliseconds};
use smoltcp::iface::{Config, Interface, PollIngressSingleResult, SocketSet, SocketStorage};
use smoltcp::socket::udp::{PacketBuffer, PacketMetadata, Socket};
use smoltcp::time::Instant;
use smoltcp::wire::{EthernetAddress, IpAddress, IpCidr, IpEndpoint, Ipv4Address};

use crate::frames::Frames;
use crate::wire::{ADDRESS, Wire};

/// Who we are, and who is told of us.
const HERE: Ipv4Address = Ipv4Address::new(10, 0, 0, 2);
const TOLD: IpEndpoint = IpEndpoint { addr: IpAddress::Ipv4(Ipv4Address::new(10, 0, 0, 1)), port: 9 };
/// Where datagrams come that are sent back (RFC 862).
const ECHO: u16 = 7;
/// The longest datagram, and how many of them wait.
const DATAGRAM: usize = 192;
const WAITING: usize = 4;
/// From one telling to the next.
const TELLING: Duration = milliseconds(100);

/// Serves the network for ever.
pub fn serve(mut frame_has_come: Interrupt) -> ! {
    let Some(wire) = Wire::start() else { call::stop() };
    let mut frames = Frames::of(wire);
    let mut interface = Interface::new(Config::new(EthernetAddress(ADDRESS).into()), &mut frames, now());
    interface.update_ip_addrs(|addresses| {
        let _ = addresses.push(IpCidr::new(IpAddress::Ipv4(HERE), 24));
    });
    let (mut came, mut goes) = ([PacketMetadata::EMPTY; WAITING], [PacketMetadata::EMPTY; WAITING]);
    let (mut came_bytes, mut goes_bytes) = ([0; WAITING * DATAGRAM], [0; WAITING * DATAGRAM]);
    let mut socket = Socket::new(
        PacketBuffer::new(&mut came[..], &mut came_bytes[..]),
        PacketBuffer::new(&mut goes[..], &mut goes_bytes[..]),
    );
    let _ = socket.bind(ECHO);
    let mut storage = [SocketStorage::EMPTY];
    let mut sockets = SocketSet::new(&mut storage[..]);
    let echo = sockets.add(socket);

    let (mut received, mut next) = (0_u32, time::now());
    loop {
        frames.wire.acknowledge();
        // A frame at a time, so that datagrams are sent back as they come.
        // step boundary: each round is a frame, which the budget pays for
        while interface.poll_ingress_single(now(), &mut frames, &mut sockets) != PollIngressSingleResult::None
        {
            received = received.wrapping_add(1);
            send_back(sockets.get_mut::<Socket>(echo));
            interface.poll_egress(now(), &mut frames, &mut sockets);
        }
        if next <= time::now() {
            next = next.after(TELLING);
            let _ = sockets.get_mut::<Socket>(echo).send_slice(&received.to_le_bytes(), TOLD);
        }
        interface.poll_egress(now(), &mut frames, &mut sockets);
        let left = next.ticks().saturating_sub(time::now().ticks());
        // Woken by a frame or by the time: it looks for both.
        let _ = frame_has_come.wait_for(Wait::AtMost(Duration::from_ticks(left)));
    }
}

/// Sends back what has come.
fn send_back(socket: &mut Socket<'_>) {
    let mut datagram = [0; DATAGRAM];
    while let Ok((length, from)) = socket.recv_slice(&mut datagram) {
        let _ = socket.send_slice(&datagram[..length], from);
    }
}

/// The stack's time is the kernel's.
fn now() -> Instant {
    let microsecond = microseconds(1).ticks();
    Instant::from_micros(i64::try_from(time::now().ticks() / microsecond).unwrap_or(i64::MAX))
}
