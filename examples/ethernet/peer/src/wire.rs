//! The host at the other end of a board's wire, which is a stream of frames: each with its length before it, in four bytes,
//! the highest first.

use std::io::{self, Read, Write};
use std::time::Instant;

use crate::host::Host;

/// No frame is longer.
const LONGEST: u32 = 1514;

/// Serves until the wire ends. A question of each kind goes out whenever the board has told of itself, so that as many are asked
/// on a slow machine as on a fast one.
///
/// # Errors
/// Those of the stream, and a length that no frame has.
pub fn serve(mut wire: impl Read + Write) -> io::Result<Host> {
    let (mut host, begin) = (Host::default(), Instant::now());
    let now = || u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
    while let Some(frame) = frame(&mut wire)? {
        let [told, _] = host.told;
        host.take(now(), frame);
        if host.told[0] > told {
            host.ping(now());
            host.datagram(now());
        }
        while let Some(frame) = host.give() {
            let length = u32::try_from(frame.len()).unwrap_or(u32::MAX);
            // The board has ended: what it was still asked, nobody answers.
            if wire.write_all(&[&length.to_be_bytes()[..], &frame].concat()).is_err() {
                return Ok(host);
            }
        }
    }
    Ok(host)
}

/// The next frame; none at the end of the wire, which may be in the middle of one.
fn frame(wire: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    if is_over(wire.read_exact(&mut length))? {
        return Ok(None);
    }
    let length = u32::from_be_bytes(length);
    if length > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a frame of {length} bytes")));
    }
    let mut frame = vec![0; length as usize];
    Ok(if is_over(wire.read_exact(&mut frame))? { None } else { Some(frame) })
}

fn is_over(read: io::Result<()>) -> io::Result<bool> {
    match read {
        Ok(()) => Ok(false),
        Err(reason)
            if matches!(reason.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset) =>
        {
            Ok(true)
        }
        Err(reason) => Err(reason),
    }
}
