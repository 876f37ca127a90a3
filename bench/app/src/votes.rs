//! What a task's votes take: what most replicas of a module say, by how many there are and how long what they say is.

use bench_board::enclosed;
use beryl_user::vote::settle;

use crate::end;

/// How often each case is measured.
const SAMPLES: u32 = 100;

/// Thread: measures everything.
#[inline(always)]
pub fn votes() -> ! {
    by_words::<3>();
    by_words::<5>();
    by_words::<7>();
    end()
}

fn by_words<const N: usize>() {
    by_wrong::<N, 1>();
    by_wrong::<N, 4>();
    by_wrong::<N, 16>();
}

/// Nobody is wrong; the first of them, as many as may be; and each says something else.
fn by_wrong<const N: usize, const WORDS: usize>() {
    vote::<N, WORDS>("same", |_| 0);
    vote::<N, WORDS>("outvoted", |replica| if replica < N / 2 { replica as i32 + 1 } else { 0 });
    vote::<N, WORDS>("apart", |replica| replica as i32);
}

/// What replicas say, what was kept of it, and what the last vote told.
struct Voted<const N: usize, const WORDS: usize> {
    all: [[i32; WORDS]; N],
    kept: [i32; WORDS],
    outcome: i32,
}

/// Votes about values of which the last words differ, if anything does. The first vote tells its outcome, and isn't measured.
#[inline(never)]
fn vote<const N: usize, const WORDS: usize>(case: &str, said: fn(usize) -> i32) {
    let all = core::array::from_fn(|replica| {
        let mut value = [7; WORDS];
        if let Some(last) = value.last_mut() {
            *last = said(replica);
        }
        value
    });
    let mut voted = Voted { all, kept: [0; WORDS], outcome: 0 };
    settled(&mut voted, 0, 0);
    for _ in 0..SAMPLES {
        let (sample, _) = enclosed(settled::<N, WORDS>, &mut voted, 0, 0);
        beryl_user::println!("sample vote/{N}/{}/{case} {} {}", 4 * WORDS, sample.before, sample.after);
    }
}

extern "C" fn settled<const N: usize, const WORDS: usize>(
    voted: &mut Voted<N, WORDS>,
    _small: u32,
    _large: u64,
) -> u32 {
    settle(&mut voted.kept, &mut voted.outcome, voted.all.each_ref(), 0);
    0
}
