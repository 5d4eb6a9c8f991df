//! The keys of a document in the order in which the reference lists them.

use crate::azure::schema::{self, Schema, Ty};
use crate::azure::yaml::{Node, Value};
use std::rc::Rc;

/// The keys of a tree in the order of its schema; what the schema does not know comes last.
pub fn ordered(node: &Rc<Node>, ty: &Ty) -> Rc<Node> {
    let value = match (&node.value, ty) {
        (Value::Sequence(items), Ty::List(of)) => {
            Value::Sequence(items.iter().map(|item| ordered(item, of)).collect())
        }
        (Value::Mapping(entries), _) => {
            let Some(schema) = schema_for(node, ty) else { return Rc::clone(node) };
            let place = |key: &str| {
                schema.fields.iter().position(|field| field.key == key).unwrap_or(schema.fields.len())
            };
            let mut entries = entries.clone();
            // `type` says what everything else means.
            entries.sort_by_key(|entry| if entry.key == "type" { 0 } else { 1 + place(&entry.key) });
            for entry in &mut entries {
                if let Some(field) = schema.field(&entry.key) {
                    entry.value = ordered(&entry.value, &field.ty);
                }
            }
            Value::Mapping(entries)
        }
        _ => return Rc::clone(node),
    };
    Rc::new(Node { value, ..(**node).clone() })
}

fn schema_for(node: &Node, ty: &Ty) -> Option<&'static Schema> {
    match ty {
        Ty::Object(schema) => Some(schema),
        Ty::OneOf(types) => types.iter().find_map(|ty| schema_for(node, ty)),
        Ty::Trigger => {
            let is_recurrence = node.get("frequency").is_some();
            Some(if is_recurrence { &schema::RECURRENCE } else { &schema::CRON })
        }
        _ => None,
    }
}
