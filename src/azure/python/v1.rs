//! What the first SDK (azureml-core 1.61, azureml-pipeline-steps 1.62) calls differently, and takes for what is left out.
//!
//! Its defaults are not those of the second. A document says what the call means: a default that the two do not share
//! is written down.

mod parallel;

use super::convert::{Converter, entry, mapping, plain, put, text};
use super::syntax::{Call, Expr, ExprKind, Range};
use crate::azure::wording::{is_respelled, shown};
use crate::azure::yaml::{Entry, Node, Value};
use crate::azure::{Diagnostic, Kind, Span};
use std::rc::Rc;

/// The arguments of `AmlCompute.provisioning_configuration`, in order.
const CLUSTER: [&str; 18] = [
    "vm_size",
    "vm_priority",
    "min_nodes",
    "max_nodes",
    "idle_seconds_before_scaledown",
    "admin_username",
    "admin_user_password",
    "admin_user_ssh_key",
    "vnet_resourcegroup_name",
    "vnet_name",
    "subnet_name",
    "tags",
    "description",
    "remote_login_port_public_access",
    "identity_type",
    "identity_id",
    "location",
    "enable_node_public_ip",
];

/// Those of `ComputeInstance.provisioning_configuration`.
const INSTANCE: [&str; 10] = [
    "vm_size",
    "ssh_public_access",
    "admin_user_ssh_public_key",
    "vnet_resourcegroup_name",
    "vnet_name",
    "subnet_name",
    "tags",
    "description",
    "assigned_user_object_id",
    "assigned_user_tenant_id",
];

/// The arguments of `provisioning_configuration` of a class, in order.
#[must_use]
pub fn provisioning_arguments(class: &str) -> &'static [&'static str] {
    if class == "ComputeInstance" { &INSTANCE } else { &CLUSTER }
}

/// A document that the first SDK's code describes.
pub struct Found {
    /// Its tree.
    pub node: Rc<Node>,
    /// What is called differently.
    pub differs: Vec<String>,
}

/// Builds one document.
struct Builder<'c, 'a> {
    converter: &'c mut Converter<'a>,
    entries: Vec<Entry>,
    differs: Vec<String>,
    /// Arguments that are given, whether they could be read or not.
    given: Vec<String>,
    /// What stands for the call as a whole.
    callee: Span,
}

/// Reads a call. `name` is what the compute is created as, if that is known.
pub fn read<'a>(
    converter: &mut Converter<'a>,
    kind: Kind,
    call: &'a Call,
    range: Range,
    name: Option<&'a Expr>,
) -> Found {
    let callee = converter.span(call.callee_range);
    let positional: &[&str] = match kind {
        Kind::AmlCompute => &CLUSTER,
        Kind::ComputeInstance => &INSTANCE,
        _ => &parallel::ARGUMENTS,
    };
    let arguments = converter.arguments(call, positional, call.name());
    let given = arguments.iter().map(|(name, ..)| name.clone()).collect();
    let mut builder = Builder { converter, entries: Vec::new(), differs: Vec::new(), given, callee };
    let says = match kind {
        Kind::AmlCompute => "amlcompute",
        Kind::ComputeInstance => "computeinstance",
        _ => "model",
    };
    builder.entries.push(entry("type", callee, text(says, callee)));
    if let Some(name) = name
        && let Some(node) = builder.converter.value(name, "name")
    {
        builder.entries.push(entry("name", node.span, node));
    }
    for (name, key, value) in arguments {
        let key_span = builder.converter.span(key);
        let Some(node) = builder.converter.value(value, &name) else {
            builder.omit(&name);
            continue;
        };
        if node.is_null() {
            continue;
        }
        let is_known = match kind {
            Kind::AmlCompute => builder.cluster(&name, key_span, node),
            Kind::ComputeInstance => builder.instance(&name, key_span, node),
            _ => builder.parallel(&name, key_span, node),
        };
        if !is_known {
            let message = format!("`{}` is not an argument of `{}`", shown(&name), call.callee.join("."));
            builder.converter.said.push(Diagnostic::client("unknown-key", key_span, message));
        }
    }
    match kind {
        Kind::AmlCompute => builder.cluster_defaults(),
        Kind::ComputeInstance => {}
        _ => builder.parallel_defaults(),
    }
    let node = mapping(builder.entries, builder.converter.span(range));
    Found { node, differs: builder.differs }
}

fn words(node: &Node) -> &str {
    match &node.value {
        Value::Scalar(scalar) => &scalar.text,
        _ => "",
    }
}

fn number(node: &Node) -> Option<i64> {
    match &node.value {
        Value::Scalar(scalar) => scalar.text.trim().parse().ok(),
        _ => None,
    }
}

impl Builder<'_, '_> {
    fn has(&self, argument: &str) -> bool {
        self.given.iter().any(|given| given == argument)
    }

    /// The key of YAML for an argument that could not be read.
    fn omit(&mut self, argument: &str) {
        let key = match argument {
            "vm_size" => "size",
            "vm_priority" => "tier",
            "min_nodes" => "min_instances",
            "max_nodes" => "max_instances",
            "idle_seconds_before_scaledown" => "idle_time_before_scale_down",
            "compute_target" => "compute",
            "process_count_per_node" => "max_concurrency_per_instance",
            "run_invocation_timeout" => "timeout",
            "run_max_try" => "max_retries",
            _ => return,
        };
        self.converter.omitted.push(key.to_owned());
    }

    fn set(&mut self, key: &str, key_span: Span, node: Rc<Node>) -> bool {
        self.entries.push(entry(key, key_span, node));
        true
    }

    fn put(&mut self, place: [&str; 2], key_span: Span, node: Rc<Node>) -> bool {
        put(&mut self.entries, place, key_span, node);
        true
    }

    fn renamed(&mut self, from: &str, to: &str, key_span: Span, node: Rc<Node>) -> bool {
        self.differs.push(format!("`{from}` is called `{to}`."));
        self.set(to, key_span, node)
    }

    fn cluster(&mut self, name: &str, key: Span, node: Rc<Node>) -> bool {
        match name {
            "vm_size" if words(&node).is_empty() => true,
            "vm_size" => self.renamed(name, "size", key, node),
            "vm_priority" => {
                self.differs.push(
                    "`vm_priority` is called `tier`, and its words are `dedicated` and `low_priority`; v1 writes \
                     `lowpriority`."
                        .to_owned(),
                );
                let meant =
                    ["low_priority", "dedicated"].into_iter().find(|word| is_respelled(word, words(&node)));
                let node = meant.map_or(Rc::clone(&node), |meant| text(meant, node.span));
                self.set("tier", key, node)
            }
            "min_nodes" => self.renamed(name, "min_instances", key, node),
            "max_nodes" => self.renamed(name, "max_instances", key, node),
            "idle_seconds_before_scaledown" => {
                self.differs.push(
                    "`idle_seconds_before_scaledown` is called `idle_time_before_scale_down`; left out it is 1800 \
                     seconds in v1 and 120 in v2."
                        .to_owned(),
                );
                self.set("idle_time_before_scale_down", key, node)
            }
            "admin_username" => self.put(["ssh_settings", "admin_username"], key, node),
            "admin_user_password" => {
                self.differs.push("The administrator's data stand under `ssh_settings`.".to_owned());
                self.put(["ssh_settings", "admin_password"], key, node)
            }
            "admin_user_ssh_key" => {
                self.differs.push(
                    "`admin_user_ssh_key` is called `ssh_key_value`, and stands under `ssh_settings`."
                        .to_owned(),
                );
                self.put(["ssh_settings", "ssh_key_value"], key, node)
            }
            "remote_login_port_public_access" => {
                self.differs.push(
                    "`remote_login_port_public_access` is called `ssh_public_access_enabled`.".to_owned(),
                );
                match words(&node).to_ascii_lowercase().as_str() {
                    "enabled" => self.set("ssh_public_access_enabled", key, plain("true", node.span)),
                    "disabled" => self.set("ssh_public_access_enabled", key, plain("false", node.span)),
                    _ => true,
                }
            }
            "identity_type" => {
                self.differs.push("The identity stands under `identity`.".to_owned());
                self.put(["identity", "type"], key, node)
            }
            "identity_id" => {
                let Value::Sequence(ids) = &node.value else { return true };
                let item =
                    |id: &Rc<Node>| mapping(vec![entry("resource_id", id.span, Rc::clone(id))], id.span);
                let ids = Value::Sequence(ids.iter().map(item).collect());
                let node = Rc::new(Node { value: ids, span: node.span, tag: None });
                self.put(["identity", "user_assigned_identities"], key, node)
            }
            "location" | "enable_node_public_ip" => self.set(name, key, node),
            _ => self.common(name, key, node),
        }
    }

    /// What clusters and instances share.
    fn common(&mut self, name: &str, key: Span, node: Rc<Node>) -> bool {
        match name {
            "vnet_name" => self.put(["network_settings", "vnet_name"], key, node),
            "subnet_name" => {
                self.differs.push("The network stands under `network_settings`.".to_owned());
                self.put(["network_settings", "subnet"], key, node)
            }
            "vnet_resourcegroup_name" => {
                let group = shown(words(&node));
                self.differs.push(format!(
                    "`vnet_resourcegroup_name` has no key in v2: a network in another resource group (here `{group}`) \
                     is named by the whole resource id of its subnet."
                ));
                true
            }
            "tags" | "description" => self.set(name, key, node),
            _ => false,
        }
    }

    fn cluster_defaults(&mut self) {
        let callee = self.callee;
        if !self.has("idle_seconds_before_scaledown") {
            self.differs.push(
                "`idle_seconds_before_scaledown` is left out: v1 takes 1800 seconds, v2 would take 120. 1800 is \
                 written as `idle_time_before_scale_down`."
                    .to_owned(),
            );
            self.entries.push(entry("idle_time_before_scale_down", callee, plain("1800", callee)));
        }
        if !self.has("vm_size") {
            self.differs.push(
                "`vm_size` is left out: v1 names `Standard_NC6`, which is retired, as its default; v2 takes \
                 `Standard_DS3_v2`."
                    .to_owned(),
            );
        }
        if !self.has("max_nodes") {
            let message = "`max_nodes` is missing: v1 refuses a cluster without it";
            self.converter.said.push(Diagnostic::client("missing-key", callee, message));
        }
        self.name_default("ComputeTarget.create(workspace, name, configuration)");
    }

    fn name_default(&mut self, call: &str) {
        if !self.entries.iter().any(|entry| entry.key == "name") {
            self.differs.push(format!("v1 gives the name apart from the rest, in `{call}`."));
        }
    }

    fn instance(&mut self, name: &str, key: Span, node: Rc<Node>) -> bool {
        match name {
            "vm_size" if words(&node).is_empty() => true,
            "vm_size" => self.renamed(name, "size", key, node),
            "ssh_public_access" => self.renamed(name, "ssh_public_access_enabled", key, node),
            "admin_user_ssh_public_key" => {
                self.differs.push(
                    "`admin_user_ssh_public_key` is called `ssh_key_value`, and stands under `ssh_settings`."
                        .to_owned(),
                );
                self.put(["ssh_settings", "ssh_key_value"], key, node)
            }
            "assigned_user_object_id" => {
                self.differs.push("The assigned user stands under `create_on_behalf_of`.".to_owned());
                self.put(["create_on_behalf_of", "user_object_id"], key, node)
            }
            "assigned_user_tenant_id" => self.put(["create_on_behalf_of", "user_tenant_id"], key, node),
            _ => self.common(name, key, node),
        }
    }
}

/// The name that a configuration is created under: `ComputeTarget.create(workspace, name, configuration)`.
pub fn created_as<'a>(expressions: &'a [Expr], is_it: impl Fn(&'a Expr) -> bool) -> Option<&'a Expr> {
    let mut found = None;
    for expression in expressions {
        expression.walk(&mut |expr| {
            let ExprKind::Call(call) = &expr.kind else { return };
            let creates = call.name() == "create" && call.callee.len() > 1;
            let argument =
                |name: &str, place: usize| call.keyword(name).or_else(|| call.positional.get(place));
            if creates && found.is_none() && argument("provisioning_configuration", 2).is_some_and(&is_it) {
                found = argument("name", 1);
            }
        });
    }
    found
}
