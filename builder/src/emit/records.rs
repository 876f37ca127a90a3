//! Glue for records: the application's structs are what the timing program says, and get their one representation.

use beryl_timing::{Element, Record, Type};

use crate::assembly::Assembly;

/// For each record what the compiler must find in the application, or the glue doesn't compile.
pub(super) fn records(assembly: &Assembly) -> String {
    assembly.records.iter().enumerate().map(|(number, row)| record(number, row)).collect()
}

fn record(number: usize, record: &Record) -> String {
    let name = &record.name;
    let size: u32 = record.fields.iter().map(|field| field.kind.size()).sum();
    let mut layout = format!("    assert!(core::mem::size_of::<application::{name}>() == {size});\n");
    let mut fields = String::new();
    let mut offset = 0;
    for field in &record.fields {
        layout += &format!(
            "    assert!(core::mem::offset_of!(application::{name}, {}) == {offset});\n",
            field.name
        );
        fields += &format!(
            "    let field: &mut {} = &mut value.{};\n    field.canonical();\n",
            field.kind.rust_name(),
            field.name
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
    let Element::Record(record) = &kind.element else { return format!("(*{place}).canonical();") };
    let number = assembly.records.iter().position(|known| known == record).unwrap_or(usize::MAX);
    match kind.length {
        None => format!("canonical_{number}(&mut *{place});"),
        Some(_) => format!("(&mut *{place}).iter_mut().for_each(canonical_{number});"),
    }
}
