//! `[lock.<name>]` to `[region.<name>]`: the tables of objects.

use super::diagnostic::{Problem, Reporter};
use super::doorbells;
use super::gates;
use super::kinds::called;
use super::limits;
use super::placed::value;
use super::section::{Entry, Section};
use super::value::{Between, Class, SemaphoreKind, TypeName, UpTo, Values, is_name, path};
use super::{
    Count, Endpoint, Gate, Gated, Interrupt, Limit, Limited, Lock, Mailbox, Objects, Placed, ProgramCheck,
    Region, Rhythm, Semaphore, Slot, State, Trace, code, priorities, replaceable,
};
use beryl_abi::Classes;
use beryl_timing::{Help, Type};

const LOCK: &[&str] = &["type", "hold"];
const SEMAPHORE: &[&str] = &["kind", "type", "initial", "most", "hold"];
const MAILBOX: &[&str] = &["type", "capacity", "order", "separation", "early", "tells", "limits"];
const ENDPOINT: &[&str] = &["request", "reply", "hold", "separation", "early", "tells", "limits"];
const INTERRUPT: &[&str] = &["line", "separation"];
const STATE: &[&str] = &["type", "period", "jitter", "catch_up", "read_within", "values"];
const REGION: &[&str] = &["size"];
const SLOT: &[&str] = &["size", "programs", "check", "offers", "ports"];
const TRACE: &[&str] = &["buffer", "classes"];
/// Nothing but a name.
const NAME_ALONE: &[&str] = &[];
/// Nothing but a name, and the gate before it.
const GATE_ALONE: &[&str] = &gates::KEYS;

/// The objects that can be read, and whether there are others.
pub(super) fn objects(file: &Section<'_>, reporter: &mut Reporter) -> (Objects, bool) {
    let (mut unclear, mut before) = (false, Before::default());
    let mut objects = Objects {
        locks: all("lock", LOCK, lock, file, &mut unclear, reporter),
        semaphores: all("semaphore", SEMAPHORE, semaphore, file, &mut unclear, reporter),
        conditions: all("condition", NAME_ALONE, name_alone, file, &mut unclear, reporter),
        mailboxes: gated(
            ("mailbox", MAILBOX, mailbox),
            (Gated::Mailbox, &mut before),
            file,
            &mut unclear,
            reporter,
        ),
        endpoints: gated(
            ("endpoint", ENDPOINT, endpoint),
            (Gated::Endpoint, &mut before),
            file,
            &mut unclear,
            reporter,
        ),
        event_groups: gated(
            ("event_group", GATE_ALONE, name_alone),
            (Gated::EventGroup, &mut before),
            file,
            &mut unclear,
            reporter,
        ),
        notifications: gated(
            ("notification", GATE_ALONE, name_alone),
            (Gated::Notification, &mut before),
            file,
            &mut unclear,
            reporter,
        ),
        doorbells: all("doorbell", doorbells::KEYS, doorbells::doorbell, file, &mut unclear, reporter),
        interrupts: all("interrupt", INTERRUPT, interrupt, file, &mut unclear, reporter),
        states: all("state", STATE, state, file, &mut unclear, reporter),
        regions: all("region", REGION, region, file, &mut unclear, reporter),
        slots: all("slot", SLOT, slot, file, &mut unclear, reporter),
        trace: trace(file, &mut unclear, reporter),
        priorities: priorities::of_threads(file, reporter),
        replaceable: replaceable::of_processes(file, reporter),
        gates: Vec::new(),
        limits: Vec::new(),
    };
    (objects.gates, objects.limits) = (before.gates, before.limits);
    objects.interrupts.sort_by_key(|interrupt| interrupt.line.value);
    (objects, unclear)
}

type Read<T> = fn(Placed<String>, &Section<'_>, &mut Reporter) -> Option<T>;

/// What stands before objects.
#[derive(Default)]
struct Before {
    gates: Vec<Gate>,
    limits: Vec<Limit>,
}

/// All objects of a kind, and what stands before them.
fn gated<T>(
    (kind, keys, read): (&str, &'static [&'static str], Read<T>),
    (of, before): (fn(usize) -> Gated, &mut Before),
    file: &Section<'_>,
    unclear: &mut bool,
    reporter: &mut Reporter,
) -> Vec<T> {
    let mut found = 0..;
    let read = |name: Placed<String>, section: &Section<'_>, reporter: &mut Reporter| {
        let object = read(name, section, reporter)?;
        let of = of(found.next()?);
        before.gates.extend(gates::gate(of, section, reporter));
        before.limits.extend(limited(of).into_iter().flat_map(|of| limits::limits(of, section, reporter)));
        Some(object)
    };
    all(kind, keys, read, file, unclear, reporter)
}

/// What has clients of which each sends or asks something of its own.
fn limited(of: Gated) -> Option<Limited> {
    match of {
        Gated::Mailbox(index) => Some(Limited::Mailbox(index)),
        Gated::Endpoint(index) => Some(Limited::Endpoint(index)),
        Gated::EventGroup(_) | Gated::Notification(_) => None,
    }
}

/// All objects of a kind. Sets `unclear` if one of them can't be read.
fn all<T>(
    kind: &str,
    keys: &'static [&'static str],
    mut read: impl FnMut(Placed<String>, &Section<'_>, &mut Reporter) -> Option<T>,
    file: &Section<'_>,
    unclear: &mut bool,
    reporter: &mut Reporter,
) -> Vec<T> {
    let entries = file.entries(kind, reporter);
    let mut one = |entry: &Entry<'_>| {
        let section = entry.open(called(kind), 1, keys, reporter)?;
        read(entry.name.clone(), &section, reporter)
    };
    let found: Vec<T> = entries.iter().filter_map(&mut one).collect();
    *unclear |= found.len() < file.count(kind) || entries.iter().any(|entry| !is_name(&entry.name));
    found
}

/// The only table of its kind: its name is its key.
fn trace(file: &Section<'_>, unclear: &mut bool, reporter: &mut Reporter) -> Option<Trace> {
    let section = file.optional_section("trace", TRACE, reporter);
    let read = section.and_then(|section| {
        let buffer = section.required("buffer", reporter)?;
        let classes: Vec<Placed<Class>> = section.values("classes", reporter);
        let chosen = classes.iter().fold(Classes::NONE, |all, class| all.with(class.value.0));
        Some(Trace {
            name: Placed::new("trace".to_owned(), file.place_of("trace")?),
            buffer,
            classes: if section.has("classes") { chosen } else { Classes::RUN },
        })
    });
    *unclear |= read.is_none() && file.has("trace");
    read
}

fn name_alone(name: Placed<String>, _: &Section<'_>, _: &mut Reporter) -> Option<Placed<String>> {
    Some(name)
}

fn lock(name: Placed<String>, section: &Section<'_>, reporter: &mut Reporter) -> Option<Lock> {
    let hold = section.optional("hold", reporter);
    Some(Lock { name, kind: kind(section, reporter)?, hold })
}

/// The type that may stand there; nothing if what stands there isn't one.
fn kind(section: &Section<'_>, reporter: &mut Reporter) -> Option<Option<Type>> {
    let kind = section.optional("type", reporter);
    (kind.is_some() || !section.has("type")).then(|| kind.map(|kind: Placed<TypeName>| kind.value.0))
}

fn semaphore(name: Placed<String>, section: &Section<'_>, reporter: &mut Reporter) -> Option<Semaphore> {
    let count = match value(section.required("kind", reporter)?) {
        SemaphoreKind::Binary => {
            refuse(&["initial", "most"], "binary", section, reporter);
            Count::Binary { kind: kind(section, reporter)? }
        }
        SemaphoreKind::Counting => {
            refuse(&["type", "hold"], "counting", section, reporter);
            counting(section, reporter)?
        }
    };
    let hold = section.optional("hold", reporter);
    Some(Semaphore { name, count, hold })
}

fn counting(section: &Section<'_>, reporter: &mut Reporter) -> Option<Count> {
    let initial: Option<Placed<Between<0, { u16::MAX }>>> = section.required("initial", reporter);
    let most: Option<Placed<Between<1, { u16::MAX }>>> = section.required("most", reporter);
    let (initial, most) = (initial?, most?);
    if initial.value.0 > most.value.0 {
        let problem = Problem {
            code: code::CONFLICT,
            place: initial.place,
            message: format!(
                "it can't start with {} units where it has at most {}",
                initial.value.0, most.value.0
            ),
            label: "more".to_owned(),
            help: "exchange the two, or correct one of them".into(),
        };
        reporter.report_with(problem, most.place, "than this");
    }
    Some(Count::Counting { initial: initial.value.0, most: most.value.0 })
}

fn refuse(keys: &[&str], kind: &str, section: &Section<'_>, reporter: &mut Reporter) {
    for (key, place) in keys.iter().filter_map(|key| Some((key, section.place_of(key)?))) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: format!("`{key}` means nothing for a {kind} semaphore"),
            label: "no use".to_owned(),
            help: section.without(
                format!("leave `{key}` out, or take the other `kind`").into(),
                key,
                reporter,
            ),
        });
    }
}

fn mailbox(name: Placed<String>, section: &Section<'_>, reporter: &mut Reporter) -> Option<Mailbox> {
    let kind = message("type", section, reporter);
    let capacity = section.required::<Between<1, 255>>("capacity", reporter);
    let order = section.optional("order", reporter).map(value).unwrap_or_default();
    let capacity = u8::try_from(capacity?.value.0).ok()?;
    Some(Mailbox { name, kind: kind?, capacity, order })
}

fn endpoint(name: Placed<String>, section: &Section<'_>, reporter: &mut Reporter) -> Option<Endpoint> {
    let request = message("request", section, reporter);
    let reply = message("reply", section, reporter);
    let hold = section.optional("hold", reporter);
    Some(Endpoint { name, request: request?, reply: reply?, hold })
}

/// The type of what one step of the kernel copies.
fn message(key: &str, section: &Section<'_>, reporter: &mut Reporter) -> Option<Type> {
    let Placed { value: TypeName(kind), place } = section.required(key, reporter)?;
    let most = beryl_abi::call::LONGEST_MESSAGE;
    if kind.size() > most {
        reporter.report(Problem {
            code: code::RANGE,
            place,
            message: format!(
                "a message of type `{kind}` has {} bytes; the kernel copies at most {most} at once",
                kind.size()
            ),
            label: "too long".to_owned(),
            help: "send it in parts, or put the data into a [region.name] and send where it lies there"
                .into(),
        });
    }
    Some(kind)
}

fn interrupt(name: Placed<String>, section: &Section<'_>, reporter: &mut Reporter) -> Option<Interrupt> {
    let line: Placed<Between<0, { u16::MAX }>> = section.required("line", reporter)?;
    let separation = section.optional("separation", reporter);
    let line = Placed::new(line.value.0, line.place);
    Some(Interrupt { name, line, separation, is_silent: false, is_bell: false })
}

fn state(name: Placed<String>, section: &Section<'_>, reporter: &mut Reporter) -> Option<State> {
    let kind: Option<Placed<TypeName>> = section.required("type", reporter);
    let rhythm = rhythm(section, reporter);
    let read_within = section.optional("read_within", reporter);
    let kind = kind?.value.0;
    let is_traced = is_traced(&kind, section, reporter);
    Some(State { name, kind, rhythm, read_within, is_traced })
}

fn is_traced(kind: &Type, section: &Section<'_>, reporter: &mut Reporter) -> bool {
    let values: Option<Placed<Values>> = section.optional("values", reporter);
    let Some(traced) = values.filter(|values| values.value == Values::Traced) else { return false };
    if kind.size() > State::MOST_TRACED {
        reporter.report(Problem {
            code: code::RANGE,
            place: traced.place,
            message: format!(
                "a value of type `{kind}` has {} bytes; a record of the trace has room for {}",
                kind.size(),
                State::MOST_TRACED
            ),
            label: "too long to be traced".to_owned(),
            help: Help::from(
                "write `\"untold\"`, and put what you want to see into a state message of its own",
            )
            .or(traced.place, "\"untold\""),
        });
    }
    true
}

fn rhythm(section: &Section<'_>, reporter: &mut Reporter) -> Option<Rhythm> {
    let jitter = section.optional("jitter", reporter).map(value).unwrap_or_default();
    let catch_up = section.optional::<UpTo<255>>("catch_up", reporter).map_or(0, |most| most.value.0);
    if !section.has("period") && (section.has("jitter") || section.has("catch_up")) {
        section.missing(
            "`period`",
            "add the least distance of two writes, or leave out `jitter` and `catch_up`",
            reporter,
        );
    }
    Some(Rhythm { period: section.optional("period", reporter)?, jitter, catch_up })
}

fn region(name: Placed<String>, section: &Section<'_>, reporter: &mut Reporter) -> Option<Region> {
    Some(Region { name, size: section.required("size", reporter)? })
}

fn slot(name: Placed<String>, section: &Section<'_>, reporter: &mut Reporter) -> Option<Slot> {
    let programs = section.values("programs", reporter).into_iter().map(path).collect();
    let check = section.optional("check", reporter).map_or(ProgramCheck::Any, |check: Placed<_>| check.value);
    let offers = section.optional("offers", reporter).map(super::value::name);
    let ports = section.values("ports", reporter).into_iter().map(path).collect();
    Some(Slot { name, size: section.required("size", reporter)?, programs, check, offers, ports })
}
