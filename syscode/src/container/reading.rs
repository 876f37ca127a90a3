//! Reading a container in steps, so that a target can check one that has just arrived without stopping for
//! it.
//!
//! ```text
//!   Checksum --> Names --> Numbers --> read
//!     sixteen      one       durations,
//!     bytes        name      entries, conditions
//! ```

use super::reader::{Container, eights, entries, word};
use super::{ContainerError, Exception, LONGEST};
use crate::checksum::Checksum;
use crate::condition::Condition;

/// How many bytes one step adds to the checksum.
pub(crate) const CHUNK: usize = 16;

/// How far the reading of a container has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    stage: Stage,
    /// The checksum of the names, which a program and its image have in common.
    names: Checksum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Checksum { offset: usize, sum: Checksum },
    Names { offset: usize, number: usize },
    Numbers { number: usize },
}

impl Reading {
    /// Nothing is read.
    pub const BEGIN: Reading =
        Reading { stage: Stage::Checksum { offset: 0, sum: Checksum::BEGIN }, names: Checksum::BEGIN };

    /// One step; returns the container when all is read. The bytes must be the same each time.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn step<'a>(&mut self, bytes: &'a [u8]) -> Result<Option<Container<'a>>, ContainerError> {
        let container = Container::open(bytes)?;
        self.stage = match self.stage {
            Stage::Checksum { offset, sum } => sum_up(&container, bytes, offset, sum)?,
            Stage::Names { offset, number } if number < container.name_count() => {
                let end = end_of_name(&container, offset)?;
                self.names = self.names.with(container.content().get(offset..end).unwrap_or_default());
                Stage::Names { offset: end, number: number + 1 }
            }
            Stage::Names { offset, .. } if offset != container.content().len() => {
                return Err(ContainerError::Malformed { offset });
            }
            Stage::Names { .. } => Stage::Numbers { number: 0 },
            Stage::Numbers { number } => {
                if check_numbers(&container, number)? {
                    return Ok(Some(container));
                }
                Stage::Numbers { number: number + 1 }
            }
        };
        Ok(None)
    }

    /// The checksum of the names read so far: the module, the tasks, the drivers, the ports. All programs for
    /// one module of one image have the same.
    #[must_use]
    pub fn interface(&self) -> u32 {
        self.names.value()
    }
}

fn sum_up(
    container: &Container<'_>,
    bytes: &[u8],
    offset: usize,
    sum: Checksum,
) -> Result<Stage, ContainerError> {
    let content = container.content();
    let end = content.len().min(offset + CHUNK);
    let sum = sum.with(content.get(offset..end).unwrap_or_default());
    if end < content.len() {
        return Ok(Stage::Checksum { offset: end, sum });
    }
    let (stored, computed) = (word(bytes, content.len()), sum.value());
    if stored != computed {
        return Err(ContainerError::Corrupted { stored, computed });
    }
    Ok(Stage::Names { offset: container.names_offset(), number: 0 })
}

/// The end of a name that lies inside the bytes.
pub(super) fn end_of_name(container: &Container<'_>, offset: usize) -> Result<usize, ContainerError> {
    let bytes = container.content();
    let length = usize::from(*bytes.get(offset).ok_or(ContainerError::Malformed { offset })?);
    let end = offset + 1 + length;
    if end > bytes.len() { Err(ContainerError::Malformed { offset }) } else { Ok(end) }
}

/// Checks the numbers at one position of their lists; returns whether none were left.
fn check_numbers(container: &Container<'_>, number: usize) -> Result<bool, ContainerError> {
    let duration = container.durations().nth(number);
    // A delay of zero would keep the machine at one instant for ever.
    if duration.is_some_and(|duration| !(1..=LONGEST).contains(&duration.ticks())) {
        return Err(ContainerError::Duration { number });
    }
    let entry = entries(container.handlers_bytes()).nth(number);
    if entry.is_some_and(|(exception, _)| usize::from(exception) >= Exception::ALL.len()) {
        return Err(ContainerError::Malformed { offset: container.handlers_offset() + number * 4 });
    }
    let condition = eights(container.conditions_bytes()).nth(number);
    if condition.is_some_and(|bytes| Condition::decode(bytes).is_none()) {
        return Err(ContainerError::Condition { number });
    }
    Ok(duration.is_none() && entry.is_none() && condition.is_none())
}
