//! The stable codes of all diagnostics; `tests/wrong` has a program for each.

macro_rules! codes {
    ($($(#[doc = $text:literal])+ $constant:ident = $name:literal;)+) => {
        $($(#[doc = $text])+ pub const $constant: &str = concat!("beryl::timing::", $name);)+

        /// Every code, for tests and manuals.
        pub const ALL: &[&str] = &[$($constant),+];
    };
}

codes! {
    /// A character that the language has no use for.
    UNREADABLE = "unreadable";
    /// A `/*` without its `*/`.
    OPEN_COMMENT = "open_comment";
    /// A name or number longer than any reasonable one.
    TOO_LONG = "too_long";
    /// The words don't form what must stand here.
    SYNTAX = "syntax";
    /// A brace that is opened and never closed.
    UNCLOSED = "unclosed";
    /// A digit sequence that is no number, or a unknown unit of time.
    MALFORMED_NUMBER = "malformed_number";
    /// A word of the language used as a name.
    RESERVED_WORD = "reserved_word";
    /// A driver of Giotto's form that doesn't fit what uses it.
    DRIVER = "driver";
    /// An asynchronous activity without trigger, or with one that can't be.
    TRIGGER = "trigger";
    /// An asynchronous activity without priority, or with one that is no whole number in range.
    PRIORITY = "priority";
    /// No module in any source.
    EMPTY_SYSTEM = "empty_system";
    /// Two things with one name in one scope.
    DUPLICATE_NAME = "duplicate_name";
    /// An import of a module that doesn't exist.
    UNKNOWN_MODULE = "unknown_module";
    /// Modules that import each other, or one that imports itself.
    IMPORT_CYCLE = "import_cycle";
    /// A module without a start mode.
    MISSING_START_MODE = "missing_start_mode";
    /// A module with two start modes.
    SECOND_START_MODE = "second_start_mode";
    /// A name that nothing declares.
    UNKNOWN_NAME = "unknown_name";
    /// A name that stands for something that can't be used here.
    WRONG_USE = "wrong_use";
    /// A type that doesn't exist.
    UNKNOWN_TYPE = "unknown_type";
    /// A struct without fields, or with a field that is no plain value.
    STRUCT = "struct";
    /// A struct that would have unused bytes between its fields or behind them.
    PADDING = "padding";
    /// Two modules with different structs of one name.
    STRUCT_CONFLICT = "struct_conflict";
    /// An array length that is no whole number in range.
    ARRAY_LENGTH = "array_length";
    /// A literal that its type can't hold.
    LITERAL_RANGE = "literal_range";
    /// Two sides of a connection with different types.
    TYPE_MISMATCH = "type_mismatch";
    /// A state, output or actuator without initial value.
    MISSING_INITIAL = "missing_initial";
    /// An input with an initial value.
    UNWANTED_INITIAL = "unwanted_initial";
    /// A sensor without getter or an actuator without setter.
    MISSING_DRIVER = "missing_driver";
    /// A task without its native function.
    MISSING_FUNCTION = "missing_function";
    /// A port that `uses` names twice.
    REPEATED_ARGUMENT = "repeated_argument";
    /// One native function used in two different ways.
    NATIVE_CONFLICT = "native_conflict";
    /// A mode without period.
    MISSING_PERIOD = "missing_period";
    /// A period that is no time, or zero, negative or too long.
    PERIOD = "period";
    /// An activity without frequency.
    MISSING_FREQUENCY = "missing_frequency";
    /// A frequency that is no whole number, or zero, negative or too large.
    FREQUENCY = "frequency";
    /// A period that the frequency doesn't divide into whole microseconds.
    NOT_DIVISIBLE = "not_divisible";
    /// Slots that don't exist, overlap, or stand out of order.
    SLOTS = "slots";
    /// A mode switch at an instant at which a task may be inside its logical execution time.
    NOT_HARMONIC = "not_harmonic";
    /// A task with two activities in one mode.
    INVOKED_TWICE = "invoked_twice";
    /// An actuator with two writers in one mode.
    SECOND_WRITER = "second_writer";
    /// A task activity with more or fewer arguments than the task has inputs.
    ARGUMENT_COUNT = "argument_count";
    /// A task output of another module whose task isn't public.
    NOT_PUBLIC = "not_public";
    /// A module that exists and isn't imported.
    NOT_IMPORTED = "not_imported";
}
