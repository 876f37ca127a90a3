//! The syntax tree: the text's structure, before any of it has been checked.

use crate::model::{Comparison, Role};
use crate::place::Place;
use crate::ratio::Ratio;

#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) place: Place,
}

#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) name: Name,
    /// Its opening brace.
    pub(crate) body: Place,
    pub(crate) imports: Vec<Name>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) records: Vec<Record>,
    pub(crate) sensors: Vec<Sensor>,
    pub(crate) actuators: Vec<Actuator>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) modes: Vec<Mode>,
    /// Drivers of Giotto's form; their content has already gone into the modes.
    pub(crate) drivers: Vec<Name>,
    pub(crate) asynchronous: Vec<Asynchronous>,
}

#[derive(Debug)]
pub(crate) struct Constant {
    pub(crate) name: Name,
    pub(crate) value: Expression,
}

/// `struct name { field; ... }`
#[derive(Debug)]
pub(crate) struct Record {
    /// The whole text of it.
    pub(crate) place: Place,
    pub(crate) name: Name,
    pub(crate) fields: Vec<Field>,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) struct Sensor {
    pub(crate) name: Name,
    pub(crate) kind: Kind,
    pub(crate) getter: Option<Name>,
}

#[derive(Debug)]
pub(crate) struct Actuator {
    pub(crate) name: Name,
    pub(crate) kind: Kind,
    pub(crate) initial: Option<Expression>,
    pub(crate) setter: Option<Name>,
}

#[derive(Debug)]
pub(crate) struct Task {
    /// Its first word.
    pub(crate) begin: Place,
    pub(crate) name: Name,
    /// Its opening brace.
    pub(crate) body: Place,
    pub(crate) public: bool,
    pub(crate) ports: Vec<Port>,
    pub(crate) uses: Vec<Uses>,
}

#[derive(Debug)]
pub(crate) struct Port {
    pub(crate) name: Name,
    pub(crate) role: Role,
    pub(crate) kind: Kind,
    pub(crate) initial: Option<Expression>,
}

/// `uses function(arguments);`
#[derive(Debug)]
pub(crate) struct Uses {
    pub(crate) function: Name,
    pub(crate) arguments: Vec<Name>,
    pub(crate) place: Place,
}

/// A type as written: a name, perhaps with the module that declares it, and perhaps an array length.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) module: Option<Name>,
    pub(crate) name: Name,
    pub(crate) length: Option<Expression>,
}

#[derive(Debug)]
pub(crate) struct Mode {
    /// Its first word.
    pub(crate) begin: Place,
    pub(crate) name: Name,
    pub(crate) start: bool,
    pub(crate) period: Option<Expression>,
    pub(crate) activities: Vec<Activity>,
}

#[derive(Debug)]
pub(crate) struct Activity {
    pub(crate) frequency: Option<Expression>,
    /// Empty if there are none.
    pub(crate) slots: Vec<Slots>,
    /// The word of an update that is made when its mode is entered.
    pub(crate) entering: Option<Place>,
    pub(crate) guard: Option<Guard>,
    /// The task, actuator or mode.
    pub(crate) name: Name,
    pub(crate) action: Action,
    pub(crate) place: Place,
}

#[derive(Debug)]
pub(crate) enum Action {
    Invoke { arguments: Vec<Expression> },
    Update { source: Expression },
    Switch,
}

/// `task [trigger = source, priority = 2] name(arguments);`
#[derive(Debug)]
pub(crate) struct Asynchronous {
    pub(crate) trigger: Option<Expression>,
    pub(crate) priority: Option<Expression>,
    pub(crate) guard: Option<Guard>,
    pub(crate) task: Name,
    pub(crate) arguments: Vec<Expression>,
    pub(crate) place: Place,
}

/// `if condition then`
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(crate) condition: Condition,
    /// The condition's words, one blank in between where there may be one.
    pub(crate) text: String,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// `function(arguments)`
    Native {
        function: Name,
        arguments: Vec<Expression>,
    },
    /// A truth value.
    Value(Expression),
    Compared(Box<Compared>),
    Not(Box<Condition>),
    /// Joined by `and`.
    All(Vec<Condition>),
    /// Joined by `or`.
    Any(Vec<Condition>),
}

/// `left < right`
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) left: Expression,
    pub(crate) comparison: Comparison,
    /// The place of the comparison's own word.
    pub(crate) word: Place,
    pub(crate) right: Expression,
}

/// `first` or `first-last`
#[derive(Debug)]
pub(crate) struct Slots {
    pub(crate) first: Expression,
    pub(crate) last: Option<Expression>,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) form: Form,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) enum Form {
    Literal(Literal),
    /// Elements of an array, or fields of a record; at most three deep.
    List(Vec<Expression>),
    /// One name, or several with dots.
    Path(Vec<Name>),
    /// `-limit`; numbers have their sign in the literal.
    Negative(Box<Expression>),
    /// Operators of one rank, from the left: `a + b - c`, or `a * b / c`.
    Reckoned(Box<Expression>, Vec<(Operator, Expression)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Boolean(bool),
    Integer(i128),
    /// The digits with the sign, so that each type rounds them only once.
    Real(String),
    Character(u8),
    /// What was reckoned and is no integer: it left a remainder, or something with a point went into it.
    Fraction {
        value: Ratio,
        pointed: bool,
    },
    /// In microseconds.
    Time(Ratio),
}
