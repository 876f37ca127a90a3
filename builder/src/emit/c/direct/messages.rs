//! Messages of functions in C: in registers, or from where they are and to where they shall go.
//!
//! The kernel takes whole words at multiples of four, from stacks and from what a process can change. Whether
//! a message is there is known to nobody but the kernel: it is asked, and a refusal has changed nothing, so
//! the glue, which has a place of its own, is asked then.

use beryl_abi::CallNumber;
use beryl_abi::call::{LONGEST_MESSAGE, SHORT_MESSAGE};
use beryl_timing::{Basic, Element, Type};

use super::{Body, OWN};
use crate::assembly::{Assembly, Use};

/// Bytes of a register.
const WORD: u32 = SHORT_MESSAGE / 2;

/// What a function does with messages, if they needn't be looked at on the way. `glue` is the one that it is
/// in the glue.
pub(super) fn body(assembly: &Assembly, used: Use, function: &str, glue: &str) -> Option<Body> {
    let rows = &assembly.objects;
    let kinds = match used {
        Use::Send(index) | Use::Receive(index) => [&rows.mailboxes[index].kind; 2],
        Use::Call(index) | Use::Serve(index) => {
            [&rows.endpoints[index].request, &rows.endpoints[index].reply]
        }
        _ => return None,
    };
    if !kinds.into_iter().all(is_whole_words) {
        return None;
    }
    match kinds.into_iter().all(|kind| kind.size() <= SHORT_MESSAGE) {
        // A compiler that doesn't know of a multiple of four would fetch bytes.
        true if kinds.into_iter().any(|kind| kind.alignment() < WORD) => None,
        true => in_registers(used, function, kinds),
        false => in_place(used, function, glue),
    }
}

fn in_registers(used: Use, function: &str, [request, reply]: [&Type; 2]) -> Option<Body> {
    use CallNumber::{EndpointCall, EndpointReceive, EndpointReply, MailboxReceive, MailboxSend};
    Some(match (used, function) {
        (Use::Send(_), "send") => {
            let words = words(request);
            let text =
                format!("return beryl_call_3_wait({}, {OWN}, {words}, beryl_2).status", MailboxSend as u32);
            Body::waiting("beryl_2", text)
        }
        (Use::Receive(_), "receive") => {
            let call = format!("beryl_call_1_wait({}, {OWN}, beryl_2)", MailboxReceive as u32);
            Body::waiting("beryl_2", format!("return {}({call}, beryl_1)", put(request)))
        }
        (Use::Call(_), "call") => {
            let call =
                format!("beryl_call_3_wait({}, {OWN}, {}, beryl_3)", EndpointCall as u32, words(request));
            Body::new(format!("return {}({call}, beryl_2)", put(reply)))
        }
        (Use::Serve(_), "first") => {
            let call = format!("beryl_call_1_wait({}, {OWN}, beryl_2)", EndpointReceive as u32);
            Body::new(format!("return {}({call}, beryl_1)", put(request)))
        }
        (Use::Serve(_), "next") => {
            let call = format!("beryl_call_3({}, {OWN}, {})", EndpointReply as u32, words(reply));
            Body::new(format!("return {}({call}, beryl_2)", put(request)))
        }
        _ => return None,
    })
}

/// The two registers of the message that a function is given first.
fn words(kind: &Type) -> String {
    let second = if kind.size() > WORD { "beryl_word(beryl_1, 4)" } else { "0" };
    format!("beryl_word(beryl_1, 0), {second}")
}

/// What leaves a message that came in registers.
fn put(kind: &Type) -> &'static str {
    if kind.size() > WORD { "beryl_put_two" } else { "beryl_put" }
}

fn in_place(used: Use, function: &str, glue: &str) -> Option<Body> {
    use CallNumber::{EndpointCall, EndpointReceive, EndpointReply, MailboxReceive, MailboxSend};
    const FIRST: &str = "(uint32_t)beryl_1";
    const BOTH: &str = "(uint32_t)beryl_1, (uint32_t)beryl_2";
    let two = |number: CallNumber| format!("beryl_call_2_wait({}, {OWN}, {FIRST}, beryl_2)", number as u32);
    let (refuses, call, given) = match (used, function) {
        (Use::Send(_), "send") => (Some("beryl_2"), two(MailboxSend), 2),
        (Use::Receive(_), "receive") => (Some("beryl_2"), two(MailboxReceive), 2),
        (Use::Serve(_), "first") => (None, two(EndpointReceive), 2),
        (Use::Call(_), "call") => {
            (None, format!("beryl_call_3_wait({}, {OWN}, {BOTH}, beryl_3)", EndpointCall as u32), 3)
        }
        (Use::Serve(_), "next") => {
            (None, format!("beryl_call_3({}, {OWN}, {BOTH})", EndpointReply as u32), 2)
        }
        _ => return None,
    };
    let given = ["beryl_1", "beryl_2", "beryl_3"].get(..given)?.join(", ");
    let text = format!(
        "const beryl_status beryl_came_to = {call}.status;\n    return beryl_came_to == BERYL_BAD_ADDRESS ? \
         {glue}(beryl_handle, {given}) : beryl_came_to"
    );
    Some(Body { refuses, may_come_to_the_glue: true, ..Body::new(text) })
}

/// Whole words of integers: any bytes are such a value, and each value has one representation.
fn is_whole_words(kind: &Type) -> bool {
    is_integers(kind) && kind.size().is_multiple_of(WORD) && kind.size() <= LONGEST_MESSAGE
}

fn is_integers(kind: &Type) -> bool {
    match &kind.element {
        Element::Basic(Basic::Boolean | Basic::Float | Basic::Double) => false,
        Element::Basic(Basic::Char | Basic::Byte | Basic::Short | Basic::Int | Basic::Long) => true,
        Element::Record(record) => record.fields.iter().all(|field| is_integers(&field.kind)),
    }
}
