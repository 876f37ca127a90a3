//! The line from a node to its bus: frames in both directions, in the form of [`beryl_abi::frame`].

use std::io::{ErrorKind, Read, Write};

use beryl_abi::frame::{Head, LOST};

use crate::bus::Link;
use crate::corruption::{self, Burst};
use crate::plugged::Broken;

/// A value in a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// The link.
    pub(super) link: usize,
    /// From when on it counts, in nanoseconds.
    pub(super) counts: u64,
    /// The value.
    pub(super) bytes: Vec<u8>,
}

/// The line.
pub(super) struct Line<L>(pub(super) L);

impl<L: Read + Write> Line<L> {
    /// Sends a frame whose slot begins at a time, with what hits it on its way if something does; or none if it's lost.
    pub(super) fn send(
        &mut self,
        number: u64,
        start: u64,
        carried: Option<(Vec<Value>, Option<Burst>)>,
    ) -> Result<(), Broken> {
        let body = carried.map(|(values, hit)| corruption::sealed(&written(&values), hit));
        let length = body.as_ref().map_or(LOST, |body| u32::try_from(body.len()).unwrap_or(LOST));
        let frame = [&Head { number, start, length }.encode()[..], &body.unwrap_or_default()].concat();
        self.0.write_all(&frame).map_err(|reason| broken(number, &reason))
    }

    /// Waits for a frame and takes its values. It has to be the one of this number, sent at this time. Of one that is lost or
    /// corrupt there are none.
    pub(super) fn receive(
        &mut self,
        number: u64,
        start: u64,
        links: &[Link<'_>],
    ) -> Result<Vec<Value>, Broken> {
        let mut head = [0; Head::BYTES];
        self.0.read_exact(&mut head).map_err(|reason| broken(number, &reason))?;
        let head = Head::decode(head);
        if (head.number, head.start) != (number, start) {
            return Err(Broken(format!(
                "frame {} of {} ns came where frame {number} of {start} ns was due",
                head.number, head.start
            )));
        }
        let mut body = vec![0; usize::try_from(head.behind()).unwrap_or_default()];
        self.0.read_exact(&mut body).map_err(|reason| broken(number, &reason))?;
        let Some(content) = corruption::opened(&body) else { return Ok(Vec::new()) };
        read(content, links)
            .ok_or_else(|| Broken(format!("frame {number} has other values than the schedule")))
    }
}

/// Values as bytes: each behind the number of its link and the instant from which it counts.
fn written(values: &[Value]) -> Vec<u8> {
    let mut body = Vec::new();
    for Value { link, counts, bytes } in values {
        body.extend(u32::try_from(*link).unwrap_or(u32::MAX).to_le_bytes());
        body.extend(counts.to_le_bytes());
        body.extend(bytes);
    }
    body
}

/// The values that were [written].
fn read(mut body: &[u8], links: &[Link<'_>]) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    while !body.is_empty() {
        let (link, behind) = body.split_first_chunk()?;
        let (counts, behind) = behind.split_first_chunk()?;
        let link = usize::try_from(u32::from_le_bytes(*link)).ok()?;
        let (bytes, behind) = behind.split_at_checked(usize::try_from(links.get(link)?.length).ok()?)?;
        values.push(Value { link, counts: u64::from_le_bytes(*counts), bytes: bytes.to_vec() });
        body = behind;
    }
    Some(values)
}

fn broken(number: u64, reason: &std::io::Error) -> Broken {
    match reason.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe | ErrorKind::ConnectionReset => {
            Broken(format!("the bus ended before frame {number}"))
        }
        _ => Broken(format!("frame {number}: {reason}")),
    }
}
