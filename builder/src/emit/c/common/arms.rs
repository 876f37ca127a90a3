//! What is done with an object by its value where its messages have types: an expression for each shape of its kind, in the glue.

use beryl_timing::Type;

use crate::assembly::Assembly;
use crate::emit::handles;
use crate::plan::Places;

/// The types of a mailbox's messages.
pub(super) fn mailbox(assembly: &Assembly, index: usize) -> String {
    assembly.objects.mailboxes[index].kind.rust_name()
}

/// The types of an endpoint's requests and replies.
pub(super) fn endpoint(assembly: &Assembly, index: usize) -> String {
    let row = &assembly.objects.endpoints[index];
    [&row.request, &row.reply].map(Type::rust_name).join(", ")
}

pub(super) fn send(assembly: &Assembly, _: &Places, index: usize) -> String {
    format!("messages::send::<{}>(object, message, wait)", mailbox(assembly, index))
}

pub(super) fn receive(assembly: &Assembly, _: &Places, index: usize) -> String {
    format!("messages::receive::<{}>(object, message, wait)", mailbox(assembly, index))
}

pub(super) fn ask(assembly: &Assembly, _: &Places, index: usize) -> String {
    format!("messages::ask::<{}>(object, request, reply, wait)", endpoint(assembly, index))
}

pub(super) fn first(assembly: &Assembly, _: &Places, index: usize) -> String {
    format!("messages::first::<{}>(object, request, wait)", endpoint(assembly, index))
}

pub(super) fn next(assembly: &Assembly, _: &Places, index: usize) -> String {
    format!("messages::next::<{}>(object, reply, request)", endpoint(assembly, index))
}

pub(super) fn write(assembly: &Assembly, places: &Places, index: usize) -> String {
    format!("messages::write({}, value)", handles::state(assembly, places, "Writer", index))
}

pub(super) fn read(assembly: &Assembly, places: &Places, index: usize) -> String {
    format!("messages::read({}, value)", handles::state(assembly, places, "Reader", index))
}

pub(super) fn read_slow(assembly: &Assembly, _: &Places, index: usize) -> String {
    let row = &assembly.objects.states[index];
    let (kind, id) = (row.kind.rust_name(), row.id.map_or(0, |id| id.0));
    let own = format!("state::SlowReader::<{kind}>::new(beryl_abi::StateMessageId({id}))");
    format!("messages::read_slow({own}, value)")
}
