//! Which image a board runs: a hash of it, which is in the image, too, so that a loader can say for which image an
//! order must be meant.
//!
//! On a board it is the SHA-256 of the whole image, with zeros where the hash will stand. In the simulator there is no
//! image; there it is that of the kernel's tables: what the numbers in a program mean, and where everything is.

use std::fmt;

use sha2::{Digest, Sha256};

/// Bytes of an identity.
pub const BYTES: usize = 32;

/// The identity of an image, or of what takes its place in the simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(pub [u8; BYTES]);

impl Identity {
    /// What stands in an image until it is sealed.
    pub const NONE: Identity = Identity([0; BYTES]);

    /// The identity of a system in the simulator, with these tables of the kernel.
    #[must_use]
    pub(crate) fn of_tables(tables: &str) -> Identity {
        Identity(Sha256::digest(tables.as_bytes()).into())
    }

    /// Puts the identity of an image at `places` in it, where there must be zeros; answers it.
    pub(crate) fn seal(image: &mut [u8], places: &[usize]) -> Identity {
        let identity = Identity(Sha256::digest(&*image).into());
        for place in places {
            let room = place.checked_add(BYTES).and_then(|end| image.get_mut(*place..end));
            room.into_iter().for_each(|room| room.copy_from_slice(&identity.0));
        }
        identity
    }
}

/// Hexadecimal digits.
impl fmt::Display for Identity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Identity};

    #[test]
    fn an_image_is_sealed_at_all_places_and_nowhere_else() {
        let plain: Vec<u8> = (0..200).map(|byte| if byte < 100 { byte } else { 0 }).collect();
        let mut sealed = plain.clone();
        let identity = Identity::seal(&mut sealed, &[100, 140]);
        assert_eq!([&sealed[100..132], &sealed[140..172]], [&identity.0[..]; 2]);
        assert_eq!((&sealed[..100], &sealed[132..140]), (&plain[..100], &[0; 8][..]));
        let mut other = plain;
        other[99] ^= 1;
        assert_ne!(Identity::seal(&mut other, &[100]), identity, "every byte counts");
        assert_eq!(other.len(), 200);
        assert_eq!(BYTES, 32);
    }
}
