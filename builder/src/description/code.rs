//! The stable codes of all diagnostics about a system description.

macro_rules! codes {
    ($($(#[doc = $text:literal])+ $constant:ident = $name:literal;)+) => {
        $($(#[doc = $text])+ pub const $constant: &str = concat!("beryl::description::", $name);)+
    };
}

codes! {
    /// The file can't be read.
    UNREADABLE = "unreadable";
    /// The text isn't TOML.
    SYNTAX = "syntax";
    /// A key that doesn't belong here.
    UNKNOWN_KEY = "unknown_key";
    /// A key or table that must be there.
    MISSING = "missing";
    /// A value of another kind than this key has.
    WRONG_KIND = "wrong_kind";
    /// A name that is no identifier.
    NAME = "name";
    /// A name that nothing declares.
    UNKNOWN_NAME = "unknown_name";
    /// A name that several modules have.
    AMBIGUOUS = "ambiguous";
    /// Two things with one name.
    DUPLICATE_NAME = "duplicate_name";
    /// A size or duration that can't be read, with or without its unit.
    QUANTITY = "quantity";
    /// A value outside of its range.
    RANGE = "range";
    /// Two values that contradict each other.
    CONFLICT = "conflict";
    /// The memory is too small.
    TOO_LITTLE_MEMORY = "too_little_memory";
    /// An object used as what it isn't.
    ROLE = "role";
    /// An object with too few users, too many, or the wrong ones.
    USERS = "users";
    /// More of something than there is room for.
    TOO_MANY = "too_many";
}
