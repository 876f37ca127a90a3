//! Glue for records: the application's structs are what the timing program says, and get their one representation.

use std::sync::Arc;

use beryl_timing::{Element, Record, Type};

use crate::assembly::Assembly;

/// For each record what the compiler must find in the application, or the glue doesn't compile.
pub(super) fn records(assembly: &Assembly) -> String {
    glue(&assembly.records)
}

fn glue(records: &[Arc<Record>]) -> String {
    records.iter().enumerate().map(|(number, row)| record(records, number, row)).collect()
}

fn record(records: &[Arc<Record>], number: usize, record: &Record) -> String {
    let name = &record.name;
    let mut layout =
        format!("    assert!(core::mem::size_of::<application::{name}>() == {});\n", record.size());
    let mut fields = String::new();
    let mut offset = 0;
    for field in &record.fields {
        layout += &format!(
            "    assert!(core::mem::offset_of!(application::{name}, {}) == {offset});\n",
            field.name
        );
        fields += &format!(
            "    let field: &mut {} = &mut value.{};\n    {}\n",
            field.kind.rust_name(),
            field.name,
            canonical_among(records, &field.kind, "field")
        );
        offset += field.kind.size();
    }
    format!(
        "\n/// Record `{name}`: `#[repr(C)] #[derive(Clone, Copy)] pub struct` with public fields, in this order and without \
         others.\nconst _: () = {{\n{layout}}};\n\n/// Gives a `{name}` its one representation; its fields have these types.\n\
         #[allow(dead_code)]\nfn canonical_{number}(value: &mut application::{name}) {{\n{fields}}}\n"
    )
}

/// The statement that gives the value at a place its one representation.
pub(super) fn canonical(assembly: &Assembly, kind: &Type, place: &str) -> String {
    canonical_among(&assembly.records, kind, place)
}

fn canonical_among(records: &[Arc<Record>], kind: &Type, place: &str) -> String {
    let Element::Record(record) = &kind.element else { return format!("(*{place}).canonical();") };
    let number = records.iter().position(|known| known == record).unwrap_or(usize::MAX);
    match kind.length {
        None => format!("canonical_{number}(&mut *{place});"),
        Some(_) => format!("(&mut *{place}).iter_mut().for_each(canonical_{number});"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use beryl_timing::{Source, compile};

    use super::*;

    #[test]
    fn a_record_within_a_record_gets_its_representation_by_its_own_function() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../timing/tests/right/nested.tdl");
        let text = std::fs::read_to_string(path).expect("a program");
        let model = compile(&[Source { name: "nested.tdl".to_owned(), text }]).expect("it is right");
        let said = glue(&model.records);
        let leg = "fn canonical_1(value: &mut application::Leg) {\n    \
                   let field: &mut f64 = &mut value.speed;\n    (*field).canonical();\n    \
                   let field: &mut [application::Point; 2] = &mut value.ends;\n    \
                   (&mut *field).iter_mut().for_each(canonical_0);\n    \
                   let field: &mut [i8; 8] = &mut value.flags;\n    (*field).canonical();\n}";
        assert!(said.contains(leg), "{said}");
        let place = "core::mem::offset_of!(application::Route, goal) == 96";
        assert!(said.contains(place) && said.contains("size_of::<application::Route>() == 104"), "{said}");
    }
}
