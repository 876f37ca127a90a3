//! The stable codes of all diagnostics; `tests/wrong` has a program for each.

macro_rules! codes {
    ($($(#[doc = $text:literal])+ $constant:ident = $name:literal;)+) => {
        $($(#[doc = $text])+ pub const $constant: &str = concat!("beryl::timing::", $name);)+

        /// Every code, for tests and manuals.
        pub const ALL: &[&str] = &[$($constant),+];
    };
}

codes! {
    /// A character that the language doesn't use.
    UNREADABLE = "unreadable";
    /// A `/*` without its `*/`.
    OPEN_COMMENT = "open_comment";
    /// An unreasonably long name or number.
    TOO_LONG = "too_long";
    /// The words don't form what is expected here.
    SYNTAX = "syntax";
    /// A brace that is never closed.
    UNCLOSED = "unclosed";
    /// A digit sequence that isn't a number, or an unknown unit of time.
    MALFORMED_NUMBER = "malformed_number";
    /// A word of the language used as a name.
    RESERVED_WORD = "reserved_word";
    /// A driver of Giotto's form that doesn't fit its use.
    DRIVER = "driver";
    /// An asynchronous activity without a trigger, or with an invalid one.
    TRIGGER = "trigger";
    /// An asynchronous activity without a priority, or with one that isn't a whole number in range.
    PRIORITY = "priority";
    /// No module in any source.
    EMPTY_SYSTEM = "empty_system";
    /// Two declarations with the same name in one scope.
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
    /// A name that can't be used here.
    WRONG_USE = "wrong_use";
    /// A type that doesn't exist.
    UNKNOWN_TYPE = "unknown_type";
    /// A struct without fields, or with a field that isn't a plain value.
    STRUCT = "struct";
    /// A struct that would have unused bytes between or after its fields.
    PADDING = "padding";
    /// Two modules with different structs of the same name.
    STRUCT_CONFLICT = "struct_conflict";
    /// An array length that isn't a whole number in range.
    ARRAY_LENGTH = "array_length";
    /// Arithmetic that gives nothing: units that don't fit, a division by zero, or numbers out of reach.
    ARITHMETIC = "arithmetic";
    /// A literal that its type can't hold.
    LITERAL_RANGE = "literal_range";
    /// A connection between two different types.
    TYPE_MISMATCH = "type_mismatch";
    /// A state, output or actuator without an initial value.
    MISSING_INITIAL = "missing_initial";
    /// An input with an initial value.
    UNWANTED_INITIAL = "unwanted_initial";
    /// A sensor without a getter, or an actuator without a setter.
    MISSING_DRIVER = "missing_driver";
    /// A task without its native function.
    MISSING_FUNCTION = "missing_function";
    /// A port that `uses` names twice.
    REPEATED_ARGUMENT = "repeated_argument";
    /// One native function used in two different ways.
    NATIVE_CONFLICT = "native_conflict";
    /// A mode without a period.
    MISSING_PERIOD = "missing_period";
    /// A period that isn't a time, or is zero, negative or too long.
    PERIOD = "period";
    /// An activity without a frequency.
    MISSING_FREQUENCY = "missing_frequency";
    /// A frequency that isn't a whole number, or is zero, negative or too large.
    FREQUENCY = "frequency";
    /// A period that the frequency doesn't divide into whole microseconds.
    NOT_DIVISIBLE = "not_divisible";
    /// Slots that don't exist, overlap, or are out of order.
    SLOTS = "slots";
    /// A mode switch at an instant when a task may be inside its logical execution time.
    NOT_HARMONIC = "not_harmonic";
    /// A task with two activities in one mode.
    INVOKED_TWICE = "invoked_twice";
    /// An actuator with two writers in one mode.
    SECOND_WRITER = "second_writer";
    /// A task activity with more or fewer arguments than the task has inputs.
    ARGUMENT_COUNT = "argument_count";
    /// A task output of another module whose task isn't public.
    NOT_PUBLIC = "not_public";
    /// A module that exists but isn't imported.
    NOT_IMPORTED = "not_imported";
}
