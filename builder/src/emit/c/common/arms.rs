//! What is done with an object by its value where its messages have a type: an expression for each, in the glue.

use beryl_timing::Type;

use crate::assembly::Assembly;
use crate::emit::handles;
use crate::plan::Places;

fn mailbox(assembly: &Assembly, index: usize, side: &str) -> (String, String) {
    let kind = assembly.objects.mailboxes[index].kind.rust_name();
    (format!("let mut own = mailbox::{side}::<{kind}>::new(beryl_abi::MailboxId({index}));"), kind)
}

pub(super) fn send(assembly: &Assembly, _: &Places, index: usize) -> String {
    let (own, kind) = mailbox(assembly, index, "Sender");
    format!("{{ {own} beryl_user::c::send(&raw mut own, &taken::<{kind}>(message), wait) }}")
}

pub(super) fn receive(assembly: &Assembly, _: &Places, index: usize) -> String {
    let (own, kind) = mailbox(assembly, index, "Receiver");
    let receive = "|room| beryl_user::c::receive(&raw mut own, room, wait)";
    format!("{{ {own} received::<{kind}>(message, {receive}) }}")
}

/// The handle of an endpoint, and the types of a request and of a reply.
fn endpoint(assembly: &Assembly, index: usize, side: &str) -> (String, [String; 2]) {
    let row = &assembly.objects.endpoints[index];
    let kinds = [&row.request, &row.reply].map(Type::rust_name);
    let types = kinds.join(", ");
    (format!("let mut own = endpoint::{side}::<{types}>::new(beryl_abi::EndpointId({index}));"), kinds)
}

pub(super) fn ask(assembly: &Assembly, _: &Places, index: usize) -> String {
    let (own, [request, reply]) = endpoint(assembly, index, "Client");
    let ask = "|room| beryl_user::c::call(&raw mut own, &asked, room, wait)";
    format!("{{ {own} let asked = taken::<{request}>(request); received::<{reply}>(reply, {ask}) }}")
}

pub(super) fn first(assembly: &Assembly, _: &Places, index: usize) -> String {
    let (own, [request, _]) = endpoint(assembly, index, "Server");
    let first = "|room| beryl_user::c::first(&raw mut own, room, wait)";
    format!("{{ {own} received::<{request}>(request, {first}) }}")
}

pub(super) fn next(assembly: &Assembly, _: &Places, index: usize) -> String {
    let (own, [request, reply]) = endpoint(assembly, index, "Server");
    let next = "|room| beryl_user::c::next(&raw mut own, &answer, room)";
    format!("{{ {own} let answer = taken::<{reply}>(reply); received::<{request}>(request, {next}) }}")
}

fn state(assembly: &Assembly, places: &Places, index: usize, side: &str) -> (String, String) {
    let kind = assembly.objects.states[index].kind.rust_name();
    (format!("let mut own = {};", handles::state(assembly, places, side, index)), kind)
}

pub(super) fn write(assembly: &Assembly, places: &Places, index: usize) -> String {
    let (own, kind) = state(assembly, places, index, "Writer");
    format!("{{ {own} beryl_user::c::write(&raw mut own, &taken::<{kind}>(value)); 0 }}")
}

pub(super) fn read(assembly: &Assembly, places: &Places, index: usize) -> String {
    let (own, kind) = state(assembly, places, index, "Reader");
    let refused = "beryl_abi::CallError::WouldBlock as u32";
    let read = format!("|room| if beryl_user::c::read(&raw mut own, room) {{ 0 }} else {{ {refused} }}");
    format!("{{ {own} received::<{kind}>(value, {read}) }}")
}

pub(super) fn read_slow(assembly: &Assembly, _: &Places, index: usize) -> String {
    let row = &assembly.objects.states[index];
    let (kind, id) = (row.kind.rust_name(), row.id.map_or(0, |id| id.0));
    let own = format!("let mut own = state::SlowReader::<{kind}>::new(beryl_abi::StateMessageId({id}));");
    format!("{{ {own} received::<{kind}>(value, |room| beryl_user::c::read_slow(&raw mut own, room)) }}")
}
