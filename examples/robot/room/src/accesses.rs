//! The maps in what a simulation exchanged with its environment: `accesses.bin`, as a run leaves it.

use crate::Map;

/// The line over which maps go, as an actuator's channel.
const LINE: u32 = 1 << 31 | 10;

/// All whole maps, the first one first.
///
/// # Errors
/// It has another form, or a block doesn't fit behind the one before.
pub fn maps(bytes: &[u8]) -> Result<Vec<Map>, String> {
    let (mut maps, mut rest) = (Vec::<Map>::new(), bytes);
    while !rest.is_empty() {
        let (channel, value, behind) = access(rest).ok_or("this is no file of accesses")?;
        rest = behind;
        if channel != LINE {
            continue;
        }
        if value.first() == Some(&1) {
            maps.push(Map::default());
        }
        maps.last_mut().ok_or("a map began in its middle")?.take(value)?;
    }
    maps.retain(Map::is_whole);
    Ok(maps)
}

/// The first access: channel, length, instant (two words) and the value, padded to words.
fn access(bytes: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let word = |index: usize| bytes.get(4 * index..4 * index + 4)?.try_into().ok().map(u32::from_le_bytes);
    let (channel, length) = (word(0)?, usize::try_from(word(1)?).ok()?);
    let (_, values) = bytes.split_at_checked(16)?;
    Some((channel, values.get(..length)?, values.get(length.checked_next_multiple_of(4)?..)?))
}
