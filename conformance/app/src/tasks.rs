//! Tasks with objects: what they share with threads beside their ports, and mathematics, to the bit.

use beryl_user::lock::Lock;
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::math;
use beryl_user::period::Period;
use beryl_user::state::{Reader, Writer};
use beryl_user::trace::tell;

use crate::work;

/// Turns on, says how high, sends what may be sent, and adds it up.
pub fn blend_impl(
    count: &i32,
    angle: &mut f64,
    height: &mut f64,
    mut notes: Sender<i32>,
    mut level: Writer<[f64; 2]>,
    mut sums: Lock<[i64; 2]>,
) {
    work(310);
    *angle = math::fmod(*angle + f64::from(*count) * 0.7, 6.25);
    *height = math::sin(*angle) * math::pow(1.1, f64::from(*count % 9)) + math::sqrt(*angle);
    level.write(&[*angle, *height]);
    let number = *count;
    sums.with(|[first, second]| {
        work(140);
        *first = first.wrapping_add(i64::from(number));
        *second = second.wrapping_mul(3).wrapping_add(*first);
    });
    let _ = notes.try_send(&number);
    work(120);
}

/// Follows at a single's precision.
pub fn single_impl(height: &f64, gain: &mut f32) {
    work(270);
    *gain = math::atan2f(math::expf(*height as f32), *gain + 0.5);
}

/// Tells of the notes that come.
pub fn noting(mut notes: Receiver<i32>) -> ! {
    loop {
        if let Ok(number) = notes.receive() {
            tell(1, number.cast_unsigned());
            work(430);
        }
    }
}

/// Tells of the level, a half of a number at a time, and of the sums.
pub fn leveller(mut period: Period, mut level: Reader<[f64; 2]>, mut sums: Lock<[i64; 2]>) -> ! {
    loop {
        work(90);
        for number in level.read().unwrap_or_default() {
            let bits = number.to_bits();
            tell(2, bits as u32);
            tell(3, (bits >> 32) as u32);
        }
        let second = sums.with(|[_, second]| {
            work(180);
            *second
        });
        tell(4, second as u32);
        work(60);
        period.wait();
    }
}

/// Shows a value to nobody but the trace.
pub fn show_single(_gain: &f32) {
    work(25);
}
