//! Calibration: a server of parameters, and a client that learns within them.

use beryl_user::endpoint::{Client, Server};
use beryl_user::lock::Lock;
use beryl_user::period::Period;
use beryl_user::region::Region;
use beryl_user::semaphore::Binary;
use beryl_user::state::Reader;

use crate::latest::Latest;
use crate::store::Store;
use crate::{limit, quarter};

/// Parameters, each the least and the most of something: by how much the map of the injectors may be
/// corrected; how far the speed may be from its target (1/min).
const PARAMETERS: [[f32; 2]; 2] = [[-0.2, 0.2], [-50.0, 50.0]];
/// The parameter of learning.
const CORRECTIONS: i32 = 0;
/// The parameter of reports.
pub const TOLERANCE: i32 = 1;
/// The part of the trim that moves into the map at once.
const LEARNING: f32 = 0.1;

/// Answers what a parameter is; one that doesn't exist allows nothing.
pub fn calibrate(mut parameters: Server<i32, [f32; 2]>) -> ! {
    parameters.serve(|index| {
        let found = usize::try_from(index).ok().and_then(|index| PARAMETERS.get(index));
        found.copied().unwrap_or_default()
    })
}

/// Moves what the mixture's loop trims into the map, where the engine runs, and leaves the map in the store.
/// At each release the kernel gives it the store, or lends its urgency to who has it.
pub fn adapt(
    mut period: Period,
    mut map: Lock<[f32; 4]>,
    load: Reader<f32>,
    trim: Reader<f32>,
    mut parameters: Client<i32, [f32; 2]>,
    mut exclusion: Binary<()>,
    learnt: Region,
) -> ! {
    let (mut load, mut trim) = (Latest::new(load, 0.0), Latest::new(trim, 0.0));
    let mut store = Store::new(learnt);
    loop {
        let [least, most] = parameters.call(&CORRECTIONS).unwrap_or_default();
        let (quarter, step) = (quarter(load.get()), LEARNING * trim.get());
        let corrections = map.with(|map| {
            map[quarter] = limit(map[quarter] + step, least, most);
            *map
        });
        if let Ok((_, held)) = period.wait_then(&mut exclusion) {
            if held.owner_died() {
                store.clear();
            }
            store.add(corrections);
        }
    }
}
