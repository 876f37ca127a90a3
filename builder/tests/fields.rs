//! Fields as operands: they are where the records' layout has them, and lie in what they are fields of.

use std::path::Path;
use std::sync::Arc;

use beryl_builder::assembly::{Assembly, CellId, Shape};
use beryl_builder::{Project, Variant};

fn assembly() -> Arc<Assembly> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/records");
    let project = Project::load(&folder, Variant::default());
    project.unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error))).assembly.clone()
}

/// The published course, 104 bytes: two legs of 32, the leg back, the goal.
fn course(assembly: &Assembly) -> CellId {
    assembly.drivers.iter().find(|driver| driver.name == "screen").expect("it shows the whole").from
}

/// Bytes from the start of the course to a cell, and what it holds.
fn behind(assembly: &Assembly, cell: CellId) -> (u32, String) {
    let [whole, part] = [course(assembly), cell].map(|cell| assembly.cells.get(cell));
    assert_eq!(whole.home, part.home);
    (part.offset - whole.offset, part.kind.to_string())
}

#[test]
fn a_copy_begins_where_the_field_does() {
    let assembly = assembly();
    for (name, offset, kind, length) in
        [("corner", 96, "Point", 8), ("chart.course.back.speed to turn", 64, "double", 8)]
    {
        let driver = assembly.drivers.iter().find(|driver| driver.name == name).expect(name);
        assert_eq!(behind(&assembly, driver.from), (offset, kind.to_owned()), "{name}");
        assert_eq!(driver.length, length, "{name}");
    }
}

#[test]
fn a_guard_is_given_where_its_fields_are() {
    let assembly = assembly();
    let functions = assembly.processes.iter().flat_map(|process| &process.functions);
    let guard = functions.clone().find(|function| function.name == "is_quick").expect("the guard");
    let Shape::Decides(cells) = &guard.shape else { panic!("{guard:?}") };
    let places: Vec<_> = cells.iter().map(|cell| behind(&assembly, *cell)).collect();
    assert_eq!(
        places,
        [(88, "byte[8]"), (100, "float"), (64, "double")].map(|(at, kind)| (at, kind.to_owned()))
    );
}

/// A field adds nothing to the memory, and changes nothing of what is in it at first.
#[test]
fn fields_take_no_room() {
    let assembly = assembly();
    let whole = assembly.cells.get(course(&assembly));
    let image = assembly.cells.image(whole.home);
    let start = whole.offset as usize;
    assert_eq!(image[start..start + whole.initial.len()], whole.initial);
    assert_eq!(image[start + 96..start + 104], [9_f32.to_le_bytes(), 9_f32.to_le_bytes()].concat());
}
