//! The room and its maps: what a ray meets, and which blocks make a map.

use robot_room::{Map, Room, TOLERANCE};

/// A block of equal cells: 128 of them in eight runs of sixteen.
fn block(number: u8, cell: u8) -> Vec<u8> {
    [vec![number, 8], vec![cell << 4 | 15; 8]].concat()
}

#[test]
fn a_ray_meets_the_next_wall_and_the_box_while_it_is_there() {
    let room = Room::USUAL;
    for (direction, far) in [(0.0_f64, 1440.0), (90.0, 1590.0), (180.0, 1460.0), (270.0, 780.0)] {
        let range = room.range([0.0, 0.0], direction.to_radians(), 0.0);
        assert!((range - far).abs() < 1e-6, "{direction} degrees: {range}");
    }
    let beside = [[0.0, 1000.0], [1400.0, 1000.0]];
    let ahead = |seconds: f64| room.range(beside[0], 0.0, seconds);
    assert_eq!([ahead(14.9), ahead(15.0)], [700.0, 1440.0]);
    assert!((room.range(beside[1], 180.0_f64.to_radians(), 0.0) - 500.0).abs() < 1e-6);
    assert_eq!(room.distance([1400.0, 0.0]), 40.0);
    assert!(room.is_at_obstacle([650.0, 1000.0], TOLERANCE) && !room.is_at_obstacle([650.0, 1000.0], 0.0));
}

#[test]
fn a_map_is_whole_when_each_block_came_in_turn() {
    let mut map = Map::default();
    for number in 1..=32 {
        assert!(!map.is_whole());
        assert_eq!(map.take(&block(number, number % 2)), Ok(()));
    }
    assert!(map.is_whole());
    assert_eq!((map.cell(0, 0), map.cell(63, 1), map.cell(0, 2)), (1, 1, 0));
    assert!(!map.compare(&Room::USUAL).is_the_room());
}

#[test]
fn blocks_that_do_not_fit_are_refused() {
    let mut map = Map::default();
    assert_eq!(map.take(&block(2, 0)), Err("block 2 came behind 0 cells, with 128".into()));
    assert_eq!(Map::default().take(&[1]), Err("a block has no head".into()));
    assert_eq!(Map::default().take(&[1, 9, 15]), Err("a block is shorter than it says".into()));
    assert_eq!(Map::default().take(&[1, 1, 15]), Err("block 1 came behind 0 cells, with 16".into()));
}
