//! The public half of a key: what a board needs to know whom to believe.
//!
//! It forges nothing, so a board that is opened up and read gives nobody the power to sign.

use ed25519_compact::Signature;

/// A key that verifies Ed25519 signatures (RFC 8032).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey([u8; PublicKey::BYTES]);

impl PublicKey {
    /// Its length.
    pub const BYTES: usize = 32;

    /// The key with these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; PublicKey::BYTES]) -> PublicKey {
        PublicKey(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; PublicKey::BYTES] {
        &self.0
    }

    /// The key in a text that `beryl swap keygen` wrote: lines that begin with `#`, and 64 hexadecimal digits;
    /// spaces and line ends between them don't matter. Nothing if it holds anything else.
    #[must_use]
    pub const fn parse(text: &str) -> Option<PublicKey> {
        let text = text.as_bytes();
        let mut bytes = [0; PublicKey::BYTES];
        let (mut place, mut digits, mut is_comment) = (0, 0, false);
        while place < text.len() {
            let character = text[place];
            place += 1;
            if is_comment || character == b'#' {
                is_comment = character != b'\n';
                continue;
            }
            if character.is_ascii_whitespace() {
                continue;
            }
            let Some(digit) = (character as char).to_digit(16) else { return None };
            if digits == 2 * PublicKey::BYTES {
                return None;
            }
            bytes[digits / 2] = bytes[digits / 2] << 4 | digit as u8;
            digits += 1;
        }
        if digits == 2 * PublicKey::BYTES { Some(PublicKey(bytes)) } else { None }
    }

    /// The same at compile time, for a key that is part of the application.
    ///
    /// # Panics
    /// If the text holds no key: then the application doesn't compile.
    #[must_use]
    pub const fn included(text: &str) -> PublicKey {
        match PublicKey::parse(text) {
            Some(key) => key,
            None => panic!(
                "this text holds no public key: 64 hexadecimal digits, as `beryl swap keygen` writes them"
            ),
        }
    }

    /// Whether the owner of the key signed this message. A function of its own: what the compiler puts into
    /// it of the library is long, and wants a large stack.
    #[must_use]
    #[inline(never)]
    pub fn has_signed(&self, message: &[u8], signature: &[u8; Signature::BYTES]) -> bool {
        ed25519_compact::PublicKey::new(self.0).verify(message, &Signature::new(*signature)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::PublicKey;

    /// RFC 8032, section 7.1, test 3.
    const KEY: &str = "# a test\nfc51cd8e6218a1a38da47ed00230f058\n0816ed13ba3303ac5deb911548908025\n";
    const SIGNATURE: [u8; 64] = [
        0x62, 0x91, 0xd6, 0x57, 0xde, 0xec, 0x24, 0x02, 0x48, 0x27, 0xe6, 0x9c, 0x3a, 0xbe, 0x01, 0xa3, 0x0c,
        0xe5, 0x48, 0xa2, 0x84, 0x74, 0x3a, 0x44, 0x5e, 0x36, 0x80, 0xd7, 0xdb, 0x5a, 0xc3, 0xac, 0x18, 0xff,
        0x9b, 0x53, 0x8d, 0x16, 0xf2, 0x90, 0xae, 0x67, 0xf7, 0x60, 0x98, 0x4d, 0xc6, 0x59, 0x4a, 0x7c, 0x15,
        0xe9, 0x71, 0x6e, 0xd2, 0x8d, 0xc0, 0x27, 0xbe, 0xce, 0xea, 0x1e, 0xc4, 0x0a,
    ];

    #[test]
    fn a_key_is_sixty_four_digits_and_nothing_else() {
        let key = PublicKey::parse(KEY).expect("a key");
        assert_eq!((key.bytes()[0], key.bytes()[31]), (0xfc, 0x25));
        let digits = "0123456789abcdefABCDEF0123456789abcdef0123456789abcdef0123456789";
        assert!(PublicKey::parse(digits).is_some());
        for wrong in ["", "# only words", &digits[1..], "0", &KEY.replace('f', "g")] {
            assert_eq!(PublicKey::parse(wrong), None, "{wrong}");
        }
        assert_eq!(PublicKey::parse(&std::format!("{digits}0")), None);
    }

    #[test]
    fn a_signature_of_the_standard_is_believed_and_no_other() {
        let key = PublicKey::included(KEY);
        assert!(key.has_signed(&[0xaf, 0x82], &SIGNATURE));
        assert!(!key.has_signed(&[0xaf, 0x83], &SIGNATURE));
        for bit in 0..512 {
            let mut other = SIGNATURE;
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(!key.has_signed(&[0xaf, 0x82], &other), "bit {bit}");
        }
    }
}
