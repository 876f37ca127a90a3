//! The bus with tests at the other ends of its lines.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

use beryl_abi::frame::{Head, LOST};

use super::{Awaited, Bus, Tally};
use crate::crossing::{Frame, Link, Schedule};
use crate::quantity::{Bytes, Nanoseconds};

/// Each 10 us, node 0 sends at 2 to both others, and node 1 at 6 to node 2.
fn schedule() -> (Schedule, Vec<Link>) {
    let frame = |node: usize, start: u64, links: &[usize]| Frame {
        node,
        start: Nanoseconds::new(start),
        end: Nanoseconds::new(start + 1_000),
        counts: Nanoseconds::new(start + 2_000),
        bytes: Bytes::new(4),
        links: links.to_vec(),
    };
    let link = |from: usize, to: &[usize]| Link {
        name: String::new(),
        module: 0,
        task: 0,
        port: 0,
        length: 4,
        from,
        to: to.to_vec(),
    };
    let frames = vec![frame(0, 2_000, &[0, 1]), frame(1, 6_000, &[2])];
    let mut schedule = Schedule::default();
    (schedule.cycle, schedule.frames) = (Nanoseconds::new(10_000), frames);
    (schedule, vec![link(0, &[1, 2]), link(0, &[2]), link(1, &[2])])
}

fn frame(number: u64, start: u64, content: Option<&[u8]>) -> Vec<u8> {
    let sealed = |content: &[u8]| [content, &crc32fast::hash(content).to_le_bytes()].concat();
    let body = content.map(sealed);
    let length = body.as_ref().map_or(LOST, |body| u32::try_from(body.len()).unwrap_or(LOST));
    [&Head { number, start, length }.encode()[..], &body.unwrap_or_default()].concat()
}

/// What has gone over the bus.
fn tally_of(sent: u64, lost: u64, fates: &str) -> Tally {
    Tally { sent, lost, corrupt: 0, fates: fates.to_owned() }
}

/// What three nodes get that send this, wait for so many frames, and hang up; and what has gone over the bus.
fn carried(sent: [&[u8]; 3], due: [usize; 3]) -> io::Result<([Vec<u8>; 3], Tally)> {
    let (got, tally) = carried_between(&[0, 1, 2], &sent, &due)?;
    Ok((got.try_into().unwrap_or_default(), tally))
}

/// The same of machines of which each node is one's.
fn carried_between(machines: &[usize], sent: &[&[u8]], due: &[usize]) -> io::Result<(Vec<Vec<u8>>, Tally)> {
    let (schedule, links) = schedule();
    let awaited = Awaited::default();
    let bus = Bus { schedule: &schedule, links: &links, machines, awaited: &awaited };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for (bytes, frames) in sent.iter().zip(due) {
        let (one, mut other) = UnixStream::pair()?;
        other.write_all(bytes)?;
        other.shutdown(std::net::Shutdown::Write)?;
        ours.push(one);
        // One that waits for nothing has hung up before the bus begins.
        theirs.push(Some(other).filter(|_| *frames > 0));
    }
    let got = std::thread::scope(|scope| {
        let reading = theirs.into_iter().zip(due).map(|(line, frames)| {
            scope.spawn(move || -> io::Result<Vec<u8>> {
                let (mut all, Some(mut line)) = (Vec::new(), line) else { return Ok(Vec::new()) };
                for _ in 0..*frames {
                    let mut head = [0; Head::BYTES];
                    line.read_exact(&mut head)?;
                    let mut body = vec![0; Head::decode(head).behind() as usize];
                    line.read_exact(&mut body)?;
                    all.extend([&head[..], &body].concat());
                }
                Ok(all)
            })
        });
        let reading: Vec<_> = reading.collect();
        let tally = bus.carry(ours)?;
        let got = reading.into_iter().map(|one| one.join().unwrap_or_else(|_| Ok(Vec::new())));
        Ok::<_, io::Error>((got.collect::<io::Result<Vec<_>>>()?, tally))
    });
    let (got, tally) = got?;
    assert_eq!(awaited.now(), None);
    Ok((got, tally))
}

/// Both send over the line of their machine, and what one of them reads of the other doesn't come back on it.
#[test]
fn cores_of_a_node_have_one_line() -> io::Result<()> {
    let [first, second] = [frame(0, 2_000, Some(&[1, 2, 3, 4])), frame(1, 6_000, Some(&[5]))];
    let both = [&first[..], &second].concat();
    let (got, tally) = carried_between(&[0, 0, 1], &[&both, &[]], &[0, 2])?;
    assert_eq!(got, [Vec::new(), both.clone()]);
    assert_eq!(tally, tally_of(2, 0, ".."));
    let ((schedule, links), awaited) = (schedule(), Awaited::default());
    let bus = Bus { schedule: &schedule, links: &links, machines: &[0, 0, 1], awaited: &awaited };
    assert_eq!(bus.readers(&schedule.frames[0]), [1]);
    // The one that listens has two cores, and hears each frame once.
    let (got, _) = carried_between(&[0, 1, 1], &[&first, &[]], &[0, 1])?;
    assert_eq!(got, [Vec::new(), first]);
    Ok(())
}

#[test]
fn a_frame_gets_to_all_that_read_it_and_to_nobody_else() -> io::Result<()> {
    let [first, second] = [frame(0, 2_000, Some(&[1, 2, 3, 4])), frame(1, 6_000, Some(&[5]))];
    let (got, tally) = carried([&first, &second, &[]], [0, 1, 2])?;
    assert_eq!(got, [Vec::new(), first.clone(), [first, second].concat()]);
    assert_eq!(tally, tally_of(2, 0, ".."));
    Ok(())
}

#[test]
fn a_lost_frame_is_told_and_one_that_nobody_sends_any_more_is_lost() -> io::Result<()> {
    let [lost, missing] = [frame(0, 2_000, None), frame(1, 6_000, None)];
    let (got, tally) = carried([&lost, &[], &[]], [0, 1, 2])?;
    assert_eq!(got, [Vec::new(), lost.clone(), [lost, missing].concat()]);
    assert_eq!(tally, tally_of(1, 1, "l"));
    Ok(())
}

/// It is given to all as it is; each byte of it counts, of its values and of its checksum.
#[test]
fn a_corrupt_frame_is_carried_and_told_apart() -> io::Result<()> {
    let [first, second] = [frame(0, 2_000, Some(&[1, 2, 3, 4])), frame(1, 6_000, Some(&[5]))];
    for place in Head::BYTES..first.len() {
        let mut hit = first.clone();
        hit[place] ^= 0x10;
        let (got, tally) = carried([&hit, &second, &[]], [0, 1, 2])?;
        assert_eq!(got, [Vec::new(), hit.clone(), [hit, second.clone()].concat()]);
        assert_eq!(tally, Tally { corrupt: 1, ..tally_of(2, 0, "c.") });
        assert_eq!(tally.to_string(), "2 frames, 0 lost, 1 corrupt");
    }
    Ok(())
}

#[test]
fn a_frame_that_is_not_due_ends_the_run() -> io::Result<()> {
    for (number, start) in [(2, 2_000), (0, 2_001)] {
        let reason =
            carried([&frame(number, start, None), &[], &[]], [0; 3]).err().map(|reason| reason.to_string());
        let expected = format!("frame {number} of {start} ns came where frame 0 of 2000 ns was due");
        assert_eq!(reason, Some(expected));
    }
    Ok(())
}

#[test]
fn a_bus_at_which_nobody_is_ends() -> io::Result<()> {
    assert_eq!(carried([&[], &[], &[]], [0; 3])?.1, Tally::default());
    Ok(())
}

/// It isn't there any more when the bus has something for it. What it sent before is for others.
#[test]
fn what_a_node_sent_before_it_hung_up_is_carried() -> io::Result<()> {
    let [first, second] = [frame(0, 2_000, Some(&[1])), frame(1, 6_000, Some(&[5]))];
    let (got, tally) = carried([&first, &second, &[]], [0, 0, 2])?;
    assert_eq!(got, [Vec::new(), Vec::new(), [first, second].concat()]);
    assert_eq!(tally, tally_of(2, 0, ".."));
    Ok(())
}
