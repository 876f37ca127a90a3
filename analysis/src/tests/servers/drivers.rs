//! Device drivers behind budgets: the two failures that the OSPERT paper on drivers tells of, and what keeps them
//! away. In both, work of several origins shares one budget in the order of its arrival.

use super::*;
use crate::servers::supply::Whole;
use crate::servers::{Supply, under};

const OF: Server = Server::new(Ticks::new(10), Ticks::new(100));

/// When the last work is done.
fn last(given: &Workload, of: Server, above: usize) -> Ticks {
    let policy = Policy::Sporadic { pending: 16 };
    *model::run(given, &mut *server(policy, of, above)).served.last().unwrap()
}

/// Facchinetti and others: one budget at the top for all drivers. A flood of packets uses it up, and the end of a
/// disk's transfer waits behind them. With a budget of its own beneath the flood's it is served in time.
#[test]
fn a_flood_uses_up_a_budget_that_a_disk_shares_and_not_one_of_its_own() {
    let mut shared: Vec<_> = (0..5).map(|packet| (packet, 20)).collect();
    shared.push((5, 2));
    let given = workload(Vec::new(), Vec::new(), soft(&shared));
    assert_eq!(last(&given, OF, 0), ticks(1002));
    let flood = vec![Policy::Sporadic { pending: 16 }.as_task(&OF)];
    let own = Server::new(ticks(2), ticks(40));
    let served = own.served(&Whole, &flood).unwrap().unwrap();
    let supply = Policy::Sporadic { pending: 16 }.supply(&own, served).unwrap();
    let bound = supply.longest(ticks(2)).unwrap();
    let given = workload(flood.clone(), dense(&flood, &[0], 500), soft(&[(5, 2)]));
    let took = last(&given, own, 1).less(ticks(5));
    assert!(took <= bound && bound == ticks(50), "{took} {bound}");
}

/// Zhang and West: the driver takes the urgency of whoever waits for it. A less urgent client's packets have piled up
/// while others ran, and the urgent client's packet is behind them: it is late, however urgent the driver is now.
/// A budget for each stream is late for neither.
#[test]
fn a_backlog_of_others_delays_an_urgent_client_whatever_the_urgency_of_the_driver() {
    let stream = task(200, 4);
    let supply = Policy::Deferrable.supply(&OF, OF.budget).unwrap();
    let bound = under::responses(&[stream], &[], &supply).unwrap()[0].unwrap();
    let piled_up: Vec<_> = (0..20).map(|packet| (packet, 4)).chain([(150, 4)]).collect();
    let behind = workload(Vec::new(), Vec::new(), soft(&piled_up));
    let run = model::run(&behind, &mut *server(Policy::Deferrable, OF, 0));
    assert!(run.served.last().unwrap().less(ticks(150)) > ticks(600));
    let alone = workload(Vec::new(), Vec::new(), soft(&[(150, 4)]));
    let run = model::run(&alone, &mut *server(Policy::Deferrable, OF, 0));
    assert!(run.served[0].less(ticks(150)) <= bound && bound < ticks(100), "{bound}");
}
