//! Endpoints: what clients and servers hand to the kernel.

use beryl_abi::CallNumber;
use beryl_abi::call::FOREVER;
use beryl_user::call::CallError;
use beryl_user::endpoint::{Client, EndpointId, Server};
use beryl_user::port::Plain;
use beryl_user::time::Wait;

use crate::script::Event::{Call, Mark};
use crate::script::{SHARED, STACK, Script};

const CALL: CallNumber = CallNumber::EndpointCall;
const RECEIVE: CallNumber = CallNumber::EndpointReceive;
const REPLY: CallNumber = CallNumber::EndpointReply;

fn client<Q: Plain, R: Plain>() -> Client<Q, R> {
    // SAFETY: no kernel is behind it.
    unsafe { Client::new(EndpointId(1)) }
}

fn server<Q: Plain, R: Plain>() -> Server<Q, R> {
    // SAFETY: no kernel is behind it.
    unsafe { Server::new(EndpointId(1)) }
}

#[test]
fn a_short_question_is_one_call_and_touches_no_memory() {
    let host = Script::answering(SHARED, [[0, 5, 6], [CallError::PeerDied as u32, 0, 0]]);
    let (results, events) = host.run(|| [client::<i32, i64>().call(&-2), client::<i32, i64>().call(&3)]);
    assert_eq!(results, [Ok(6 << 32 | 5), Err(CallError::PeerDied)]);
    assert_eq!(events, [Call(CALL, [1, u32::MAX - 1, 0, FOREVER], 0), Call(CALL, [1, 3, 0, FOREVER], 0)]);
}

#[test]
fn a_client_says_how_long_it_waits() {
    let answers = [[0, 5, 6], [CallError::TimedOut as u32, 0, 0], [CallError::WouldBlock as u32, 0, 0]];
    let host = Script::answering(SHARED, answers);
    let ticks = |ticks| Wait::AtMost(beryl_abi::Duration::from_ticks(ticks));
    let waits = [ticks(7), ticks(9), Wait::Poll, ticks(1 << 40)];
    let (results, events) = host.run(|| waits.map(|wait| client::<i32, i32>().call_for(&3, wait)));
    let errors = [CallError::TimedOut, CallError::WouldBlock, CallError::TooLong].map(Err);
    assert_eq!(results, [Ok(5), errors[0], errors[1], errors[2]]);
    assert_eq!(events, [7, 9, 0].map(|wait| Call(CALL, [1, 3, 0, wait], 0)));
}

#[test]
fn if_either_is_long_both_travel_by_the_stack() {
    let host = Script::new(SHARED, |host, _, [_, request, reply, _]| {
        assert_eq!(host.word(request), 7);
        (0..3).for_each(|word| host.set(reply + 4 * word, 30 + word));
        [0; 3]
    });
    let (result, events) = host.run(|| client::<i32, [i32; 3]>().call(&7));
    assert_eq!(result, Ok([30, 31, 32]));
    assert_eq!(events, [Call(CALL, [1, STACK, STACK, FOREVER], 0)]);

    let host = Script::new(SHARED, |host, _, [_, request, reply, _]| {
        assert_eq!([0, 4, 8].map(|offset| host.word(request + offset)), [1, 2, 3]);
        host.set(reply, 44);
        [0; 3]
    });
    let (result, events) = host.run(|| client::<[i32; 3], i32>().call(&[1, 2, 3]));
    assert_eq!(result, Ok(44));
    assert_eq!(events, [Call(CALL, [1, STACK, STACK, FOREVER], 0)]);
}

#[test]
fn a_server_answers_one_request_with_the_call_that_takes_the_next() {
    let host = Script::answering(SHARED, [[0, 5, 0], [0, 6, 0], [CallError::Raised as u32, 0, 0]]);
    let (results, events) = host.run(|| {
        let mut server = server::<i32, i32>();
        let request = server.receive().unwrap();
        let first = *request.value();
        let request = request.reply(&(first * 10)).unwrap();
        let second = *request.value();
        (first, second, request.reply(&-1).map(drop))
    });
    assert_eq!(results, (5, 6, Err(CallError::Raised)));
    assert_eq!(
        events,
        [
            Call(RECEIVE, [1, 0, 0, FOREVER], 0),
            Call(REPLY, [1, 50, 0, 0], 0),
            Call(REPLY, [1, u32::MAX, 0, 0], 0)
        ]
    );
}

#[test]
fn a_server_of_long_messages_keeps_them_in_one_place() {
    let host = Script::new(SHARED, |host, number, arguments| {
        let place = if number == RECEIVE {
            arguments[1]
        } else {
            assert_eq!([0, 4, 8].map(|offset| host.word(arguments[1] + offset)), [40, 41, 42]);
            arguments[2]
        };
        host.set(place, host.word(SHARED) + 1);
        host.set(SHARED, host.word(place));
        [0; 3]
    });
    host.set(SHARED, 39);
    let (values, events) = host.run(|| {
        let mut server = server::<i32, [i32; 3]>();
        let request = server.receive_for(Wait::AtMost(beryl_abi::Duration::from_ticks(8))).unwrap();
        let first = *request.value();
        let request = request.reply(&[first, first + 1, first + 2]).unwrap();
        (first, *request.value())
    });
    assert_eq!(values, (40, 41));
    assert_eq!(events, [Call(RECEIVE, [1, STACK, 0, 8], 39), Call(REPLY, [1, STACK, STACK, 0], 40)]);
}

#[test]
fn a_server_that_can_serve_no_longer_stops() {
    let error = [CallError::NotServing as u32, 0, 0];
    let mut answers = [[0, 5, 0], [0, 6, 0], error].into_iter();
    let host = Script::new(SHARED, move |_, _, _| answers.next().unwrap_or_else(|| panic!("stopped")));
    let run = std::panic::AssertUnwindSafe(|| {
        let _ = host.run(|| {
            server::<i32, i32>().serve(|request| {
                host.mark("serve");
                request + 1
            })
        });
    });
    assert!(std::panic::catch_unwind(run).is_err());
    let ((), events) = host.run(|| ());
    assert_eq!(
        events,
        [
            Call(RECEIVE, [1, 0, 0, FOREVER], 0),
            Mark("serve"),
            Call(REPLY, [1, 6, 0, 0], 0),
            Mark("serve"),
            Call(REPLY, [1, 7, 0, 0], 0),
            Call(CallNumber::Stop, [0; 4], 0)
        ]
    );
}
