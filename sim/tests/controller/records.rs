//! A trace in words, one line a record: kernel time, then what happened. What notes tell of threads and
//! objects is left out.

/// The lines of a whole trace.
pub fn lines(trace: &[u8]) -> Vec<String> {
    let words: Vec<u32> = trace.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let mut rest = words.as_slice();
    let mut lines = Vec::new();
    while let [header, after @ ..] = rest {
        let (record, next) = after.split_at((header >> 24) as usize);
        let kind = header & 0xFF;
        if kind < beryl_abi::Kind::Block as u32 {
            lines.push(line(kind, header >> 8 & 0xFFFF, record));
        }
        rest = next;
    }
    lines
}

/// Lines without switches: what the system did, not how.
pub fn without_switches(lines: &[String]) -> Vec<String> {
    lines.iter().filter(|line| !line.contains("switch")).cloned().collect()
}

/// What drivers moved and when, in logical time only.
pub fn driver_values(lines: &[String]) -> Vec<String> {
    lines.iter().filter_map(|line| Some(line.split_once(" driver ")?.1.to_owned())).collect()
}

fn line(kind: u32, subject: u32, words: &[u32]) -> String {
    let long = |index: usize| u64::from(words[index + 1]) << 32 | u64::from(words[index]);
    let what = match kind {
        1 => format!("release {subject} at {} until {}", long(2), long(4)),
        2 => format!("switch {} to {subject}", words[2]),
        3 => format!("complete {subject}"),
        4 => format!("miss {subject} of {}", long(2)),
        5 => format!("driver {subject} at {}: {:?}", long(2), &words[5..]),
        6 => format!("skip at {}", long(2)),
        7 => format!("violation {subject} at {}", long(2)),
        8 => format!("fault {subject} kind {} address {:#x}", words[2], words[3]),
        9 => format!("overrun {subject}"),
        other => format!("record {other}"),
    };
    format!("{} {what}", long(0))
}
