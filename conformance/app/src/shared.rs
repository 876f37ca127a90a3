//! What is shared without a queue: state messages, of one word and of more, and a region in which a reader sees halves.

use beryl_user::period::Period;
use beryl_user::region::Region;
use beryl_user::state::{Reader, SlowReader, Writer};
use beryl_user::trace::tell;

use crate::work;

/// What is told of a word that isn't there.
const NOTHING: u32 = u32::MAX;

/// Writes a pair and its sum, each time others.
pub fn publisher(mut period: Period, mut pair: Writer<[i64; 2]>, mut sum: Writer<i32>) -> ! {
    let mut number = 1_i64;
    loop {
        work(230);
        pair.write(&[number, -number]);
        work(280);
        sum.write(&(number as i32));
        number = number.wrapping_mul(3).wrapping_add(1);
        work(90);
        period.wait();
    }
}

/// Reads the pair and the sum.
pub fn follower(mut period: Period, mut pair: Reader<[i64; 2]>, mut sum: Reader<i32>) -> ! {
    loop {
        work(120);
        let [one, other] = pair.read().unwrap_or_default();
        tell(1, (one ^ other) as u32);
        tell(2, sum.read().unwrap_or_default().cast_unsigned());
        work(150);
        period.wait();
    }
}

/// Reads the pair by a call.
pub fn latecomer(mut period: Period, mut pair: SlowReader<[i64; 2]>) -> ! {
    loop {
        work(340);
        let [one, other] = pair.read().unwrap_or_default();
        tell(3, one as u32);
        tell(4, other as u32);
        work(2_600);
        period.wait();
    }
}

/// Writes many numbers and their sum.
pub fn surveyor(mut period: Period, mut survey: Writer<[i32; 50]>) -> ! {
    let mut numbers = [0; 50];
    loop {
        work(60);
        for (place, number) in (1..).zip(&mut numbers) {
            *number += place;
        }
        numbers[49] = numbers[..49].iter().sum();
        survey.write(&numbers);
        period.wait();
    }
}

/// Reads them by a call, which copies them in pieces: the sum is right however often the writer is due meanwhile.
pub fn auditor(mut period: Period, mut survey: SlowReader<[i32; 50]>) -> ! {
    loop {
        work(90);
        if let Ok(numbers) = survey.read() {
            let sum: i32 = numbers[..49].iter().sum();
            tell(7, u32::from(sum == numbers[49]));
            tell(8, sum.cast_unsigned());
        }
        work(800);
        period.wait();
    }
}

/// Writes one half of the region, works, and writes the other; and one word behind its end.
pub fn halves(mut period: Period, mut frame: Region) -> ! {
    let mut number = 0_u32;
    loop {
        number = number.wrapping_add(1);
        let first = frame.store(0, number);
        work(2_300);
        let second = frame.store(60, number);
        let outside = frame.store(64, number);
        tell(5, [first, second, outside].iter().flatten().count() as u32);
        work(160);
        period.wait();
    }
}

/// Looks at both halves, and at what isn't there.
pub fn onlooker(mut period: Period, frame: Region) -> ! {
    loop {
        work(110);
        for offset in [0, 60, 64, 2] {
            tell(6, frame.load(offset).unwrap_or(NOTHING));
        }
        work(140);
        period.wait();
    }
}
