//! The drivers beside models of their registers, which are at the addresses of the manual and not of the crate that names them.

use std::cell::RefCell;
use std::rc::Rc;
use std::vec::Vec;

use crate::Silent;
use crate::converter::Converter;
use crate::model::Model;
use crate::pins::{Pin, Pins};
use crate::pulses::{Channel, Pulses};
use crate::serial::Line;
use crate::spi::Bus;

fn pin(number: u8) -> Pin {
    Pin::new(number).expect("a pin")
}

#[test]
fn a_port_has_sixteen_pins() {
    let known = (0..=u8::MAX).filter(|number| Pin::new(*number).is_some());
    assert_eq!(known.collect::<Vec<_>>(), (0..16).collect::<Vec<_>>());
}

#[test]
fn a_pin_is_an_output_an_input_or_a_devices() {
    let (mode, change, lower, upper) = (0x00, 0x18, 0x20, 0x24);
    let port = Model::new();
    // Two pins of the debugger, as after reset.
    port.put(mode, 0x2800_0000);
    let pins = Pins::new(port.registers());
    pins.output(pin(5));
    assert_eq!([port.get(mode), port.get(change)], [0x2800_0400, 1 << 21]);
    pins.put(pin(5), true);
    assert_eq!(port.get(change), 1 << 5);
    pins.device(pin(5), 5);
    pins.device(pin(9), 7);
    pins.device(pin(9), 6);
    let [mode_now, lower, upper] = [mode, lower, upper].map(|address| port.get(address));
    assert_eq!([mode_now, lower, upper], [0x2808_0800, 5 << 20, 6 << 4]);
    pins.input(pin(5));
    assert_eq!(port.get(mode), 0x2808_0000);
}

#[test]
fn what_is_up_is_read() {
    let port = Model::new();
    port.put(0x10, 0x8001);
    let pins = Pins::new(port.registers());
    let up = (0..16).filter(|number| pins.is_up(pin(*number)));
    assert_eq!(up.collect::<Vec<_>>(), [0, 15]);
}

/// The line takes a byte at the third look, and has one for who asks.
#[test]
fn a_line_sends_and_receives_bytes() {
    let (state, data, rate, control) = (0x00, 0x04, 0x08, 0x0C);
    let model = Model::new();
    let line = Line::start(model.registers(), 347);
    assert_eq!([model.get(rate), model.get(control)], [347, 1 << 13 | 1 << 3 | 1 << 2]);
    assert_eq!(line.send(b'a'), Err(Silent));
    let sent = Rc::new(RefCell::new(Vec::new()));
    let (seen, mut looks) = (sent.clone(), 0);
    model.does(move |line| {
        looks += 1;
        line.put(state, if looks % 3 == 0 { 1 << 7 } else { 0 });
        seen.borrow_mut().push(line.get(data));
    });
    assert_eq!([b'a', b'b'].map(|byte| line.send(byte)), [Ok(()), Ok(())]);
    assert_eq!(model.get(data), u32::from(b'b'));
    assert_eq!(*sent.borrow(), [0, 0, 0, 97, 97, 97]);
    assert_eq!(line.receive(), None);
    model.put(state, 1 << 5);
    model.put(data, 0x41);
    assert_eq!(line.receive(), Some(b'A'));
    line.interrupt();
    assert_eq!(model.get(control), 1 << 13 | 1 << 5 | 1 << 3 | 1 << 2);
}

/// Who is at the other end answers with the complement of what it got before.
#[test]
fn a_bus_exchanges_bytes() {
    let (control, state, data) = (0x00, 0x08, 0x0C);
    let model = Model::new();
    let bus = Bus::start(model.registers(), 200);
    assert_eq!(model.get(control), 1 << 9 | 1 << 8 | 1 << 6 | 7 << 3 | 1 << 2);
    assert_eq!(bus.exchange(1), Err(Silent));
    let (mut is_sending, mut kept) = (false, 0xFF);
    model.does(move |bus| {
        if is_sending {
            let got = bus.get(data) & 0xFF;
            bus.put(data, !kept & 0xFF);
            kept = got;
        }
        bus.put(state, if is_sending { 1 } else { 2 });
        is_sending = !is_sending;
    });
    assert_eq!([7, 8, 9].map(|byte| bus.exchange(byte)), [Ok(0), Ok(0xF8), Ok(0xF7)]);
}

#[test]
fn each_channel_has_a_width_of_the_period() {
    let (first, second, on) = (0x18, 0x1C, 0x20);
    let widths = [0x34, 0x38, 0x3C, 0x40];
    let model = Model::new();
    let pulses = Pulses::start(model.registers(), 80, 20_000);
    let [control, event, divided, last] = [0x00, 0x14, 0x28, 0x2C].map(|address| model.get(address));
    assert_eq!([control, event, divided, last], [1 << 7 | 1, 1, 79, 19_999]);
    let channels = [Channel::One, Channel::Two, Channel::Three, Channel::Four];
    for (channel, width) in channels.into_iter().zip([1_500, 0, 20_000, u16::MAX]) {
        pulses.width(channel, width);
    }
    assert_eq!(widths.map(|address| model.get(address)), [1_500, 0, 20_000, 20_000]);
    assert_eq!([first, second, on].map(|address| model.get(address)), [0x6868, 0x6868, 0x1111]);
}

/// The converter is done at the second look, with ten times the input's number.
#[test]
fn a_voltage_is_converted_when_it_is_asked_for() {
    let (state, control, inputs, data) = (0x00, 0x08, 0x34, 0x4C);
    let model = Model::new();
    let converter = Converter::start(model.registers());
    assert_eq!(model.get(control), 1);
    assert_eq!(converter.convert(3), Err(Silent));
    let mut is_started = false;
    model.does(move |converter| {
        if is_started {
            converter.put(state, 2);
            converter.put(data, converter.get(inputs) * 10);
            converter.put(control, 1);
        }
        is_started = converter.get(control) >> 30 & 1 == 1;
    });
    assert_eq!([3, 18, 200].map(|input| converter.convert(input)), [Ok(30), Ok(180), Ok(180)]);
    assert_eq!(model.get(control), 1);
}
