//! Python text becomes the documents that the same YAML would give, with the places of the Python text; nothing of it
//! is run.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use lowpri::azure::python::{self, Python, Sdk, is_python, kinds, read, read_to_bytes, use_reader};
use lowpri::azure::yaml::{self, Node, Value};
use lowpri::azure::{Catalogue, Diagnostic, Kind};
use lowpri::scenario::instance::{InstanceScenario, Life};
use lowpri::scenario::{Document, Kept, Link, Scenario, Tunables, documented_example, open};
use proptest::prelude::*;
use std::fmt::Write;
use std::rc::Rc;

/// The second SDK: imports, names, nesting, positional arguments, enumerations.
const SECOND: &str = r#"from azure.ai.ml.entities import AmlCompute, ModelBatchDeployment
from azure.ai.ml.entities import ModelBatchDeploymentSettings as Settings

# How many, and of what.
pool = "night-pool"
count: int = 6

cluster = AmlCompute(
    name=pool,
    size="Standard_D4s_v3",
    tier="low_priority",
    min_instances=0,
    max_instances=count,  # at most
    idle_time_before_scale_down=300,
    tags={"team": "rota" "tion", "cost centre": "7"},
    description=None,
)
client.begin_create_or_update(cluster).result()

scoring = ModelBatchDeployment(
    name="heron",
    endpoint_name="birds",
    model="azureml:heron@latest",
    compute=pool,
    code_configuration=CodeConfiguration("src", scoring_script="score.py"),
    resources=ResourceConfiguration(instance_count=4),
    settings=Settings(
        mini_batch_size=20,
        max_concurrency_per_instance=2,
        output_action=BatchDeploymentOutputAction.APPEND_ROW,
        error_threshold=-1,
        retry_settings=BatchRetrySettings(max_retries=2, timeout=90),
        environment_variables=dict(LEVEL="7"),
    ),
)
"#;

/// The first SDK.
const FIRST: &str = r#"from azureml.core.compute import AmlCompute, ComputeTarget
from azureml.pipeline.steps import ParallelRunConfig

try:
    target = ComputeTarget(workspace=ws, name="dusk")
except ComputeTargetException:
    config = AmlCompute.provisioning_configuration(
        "STANDARD_D3_V2", vm_priority="lowpriority", max_nodes=8,
        identity_type="UserAssigned", identity_id=["/subscriptions/1/resourceGroups/g"],
        remote_login_port_public_access="Disabled",
    )
    target = ComputeTarget.create(ws, "dusk", config)

run = ParallelRunConfig(
    environment=env,
    entry_script="score.py",
    source_directory="src",
    error_threshold=5,
    output_action="append_row",
    compute_target="dusk",
    node_count=3,
    mini_batch_size="12",
    run_max_try=4,
    allowed_failed_percent=10,
)
"#;

/// A compute instance with all that can be nested.
const INSTANCE: &str = r#"
stop = ComputeStartStopSchedule(
    trigger=CronTrigger(expression="0 19 * * 1-5", time_zone=TimeZone.W_EUROPE_STANDARD_TIME),
    action="stop",
)
start = ComputeStartStopSchedule(
    trigger=RecurrenceTrigger(
        frequency="week", interval=1, start_time="2026-01-05T08:00:00",
        schedule=RecurrencePattern(hours=[8], minutes=[0], week_days=[WeekDay.MONDAY, "friday"]),
    ),
    action=ComputePowerAction.START,
    state=ScheduleState.DISABLED,
)
desk = ComputeInstance(
    name="desk-of-one",
    size="Standard_E4s_v3",
    idle_time_before_shutdown_minutes=45,
    schedules=ComputeSchedules(compute_start_stop=[stop, start]),
    create_on_behalf_of=AssignedUserConfiguration(user_tenant_id="t", user_object_id="o"),
    ssh_settings=ComputeInstanceSshSettings(ssh_key_value="k"),
    network_settings=NetworkSettings(vnet_name="v", subnet="s"),
    identity=IdentityConfiguration(
        type="UserAssigned",
        user_assigned_identities=[ManagedIdentityConfiguration(resource_id="/id")],
    ),
    setup_scripts=SetupScripts(startup_script=ScriptReference(path="up.sh", timeout_minutes=5)),
    custom_applications=[
        CustomApplications(
            name="board",
            image=ImageSettings(reference="board:1"),
            endpoints=[EndpointsSettings(target=8787, published=8788)],
            bind_mounts=[VolumeSettings(source="/home/azureuser", target="/data")],
        )
    ],
    enable_sso=False,
)
"#;

fn line(found: &Diagnostic) -> String {
    format!("{} {} {found}\n", found.severity.name(), found.code)
}

/// All that is read of a text, in words.
fn told(text: &str) -> String {
    let read = read(text);
    let mut out = String::new();
    for document in &read.documents {
        let span = document.node.span;
        writeln!(out, "== {}, line {} to {}", document.called, span.start.line, span.end.line).unwrap();
        out.push_str(&document.yaml());
        out.extend(document.differs.iter().map(|differs| format!("* {differs}\n")));
        out.extend(document.check(text).diagnostics.iter().map(line));
    }
    out.extend(read.diagnostics.iter().map(line));
    out
}

#[test]
fn the_second_sdk_reads_as_yaml_would() {
    insta::assert_snapshot!(told(SECOND));
}

#[test]
fn the_first_sdk_says_what_it_calls_differently() {
    insta::assert_snapshot!(told(FIRST));
}

#[test]
fn an_instance_reads_with_schedules_and_applications() {
    insta::assert_snapshot!(told(INSTANCE));
}

/// What is wrong with a text, a line each.
fn wrong(text: &str) -> Vec<String> {
    let read = read(text);
    let found = read.documents.iter().flat_map(|document| document.check(text).diagnostics);
    found.chain(read.diagnostics.clone()).map(|found| line(&found).trim_end().to_owned()).collect()
}

/// What a key holds in the first document.
fn held(text: &str, path: &[&str]) -> Option<String> {
    let read = read(text);
    let mut node = Rc::clone(&read.documents.first()?.node);
    for key in path {
        let next = Rc::clone(node.get(key)?);
        node = next;
    }
    Some(yaml::flow(&node))
}

fn cluster(arguments: &str) -> String {
    format!("AmlCompute(name=\"abc\", max_instances=2, {arguments})\n")
}

#[test]
fn values_that_only_a_run_would_tell_are_left_out_and_said() {
    let text = r#"n = 3
n = 4
if night:
    m = 2
k = pick()

AmlCompute(
    name=f"pool-{n}",
    min_instances=m,
    max_instances=n,
    size=os.environ["SIZE"],
    description=names.of("it"),
    location=k,
    tier=TIERS.low,
    idle_time_before_scale_down=60 * 5,
    tags={"a": b, **more},
    **rest,
)
n = late
"#;
    insta::assert_snapshot!(told(text));
}

#[test]
fn a_name_counts_if_it_is_given_a_literal_once_before_and_for_certain() {
    let size = |text: &str| held(text, &["size"]);
    let call = cluster("size=s");
    let given = Some("\"S\"".to_owned());
    for before in ["s = 'S'\n", "s: str = 'S'\n", "t = 'S'\ns = t\n", "s = ('S')\n"] {
        assert_eq!(size(&format!("{before}{call}")), given, "{before}");
    }
    for before in [
        "s = 'S'\ns = 'T'\n",
        "if x:\n    s = 'S'\n",
        "for s in ['S']:\n    pass\n",
        "def f(s='S'):\n    s = 'S'\n",
        "with open(f) as s:\n    pass\n",
        "s = 'S'\ns += 'T'\n",
        "s = 'S'\ndel s\n",
        "s, t = 'S', 'T'\n",
        "s = 'S'\ns.x = 1\n",
        "s = input()\n",
        "if (s := 'S'):\n    pass\n",
        "s = s\n",
        "s = 'S'\nfrom m import s\n",
        "",
    ] {
        assert_eq!(size(&format!("{before}{call}")), None, "{before}");
    }
    assert_eq!(size(&format!("{call}s = 'S'\n")), None);
    let endpoint = "e = BatchEndpoint(name='birds')\nBatchDeployment(name='d', endpoint_name=e.name)\n";
    let read = read(endpoint);
    let name = read.document(Kind::BatchDeployment).unwrap().node.get("endpoint_name").cloned();
    assert_eq!(name.map(|name| yaml::flow(&name)).as_deref(), Some("\"birds\""));
}

#[test]
fn literals_mean_what_python_means() {
    for (literal, yaml) in [
        ("7", "7"),
        ("1_000", "1000"),
        ("0x1f", "31"),
        ("0o17", "15"),
        ("-1", "-1"),
        ("+1", "1"),
        ("2.0", "2.0"),
        ("-2.5", "-2.5"),
        ("1e400", ".inf"),
        ("1e300", "1.0e+300"),
        ("1e-7", "1.0e-7"),
        ("True", "true"),
        ("'a' \"b\"", "\"ab\""),
        ("'''a\n b'''", "\"a\\n b\""),
        (r"r'\d'", "\"\\\\d\""),
        ("u'x'", "\"x\""),
        (r"'\x41\u00e9\N{DIGIT ONE}'", "\"Aé1\""),
        ("[1, 'a', None]", "[1, \"a\", null]"),
        ("(1, 2)", "[1, 2]"),
        ("{'a': {1: True}}", "{a: {\"1\": true}}"),
        ("{}", "{}"),
        ("99999999999999999999999", "99999999999999999999999"),
    ] {
        assert_eq!(held(&cluster(&format!("x={literal}")), &["x"]).as_deref(), Some(yaml), "{literal}");
    }
    for literal in [
        "b'x'",
        "1j",
        "{1, 2}",
        "[*a]",
        "not 1",
        "1 + 1",
        "a[0]",
        "lambda: 1",
        "x if y else z",
        "...",
        "f'x'",
        "[i for i in a]",
        "print(1)",
    ] {
        assert_eq!(held(&cluster(&format!("x={literal}")), &["x"]), None, "{literal}");
    }
    assert_eq!(held(&cluster("size=None"), &["size"]), None);
    assert_eq!(wrong(&cluster("size=None")), Vec::<String>::new());
}

#[test]
fn the_tier_that_the_sdk_sends_wrongly_is_told_and_what_was_meant_is_taken() {
    for written in ["low_priority", "Low_Priority", "LOW_PRIORITY", "dedicated", "Dedicated"] {
        assert_eq!(wrong(&cluster(&format!("tier=\"{written}\""))), Vec::<String>::new(), "{written}");
    }
    let text = cluster("tier=\"LowPriority\"");
    assert_eq!(held(&text, &["tier"]).as_deref(), Some("\"low_priority\""));
    let read = read(&text);
    let found = read.documents[0].check(&text).diagnostics;
    insta::assert_snapshot!(found.iter().map(line).collect::<String>());
    // A run can be had, as what was meant is clear.
    assert!(!found.iter().any(Diagnostic::blocks));
    let fix = found[0].fix.as_ref().unwrap();
    assert_eq!(fix.apply(&text), cluster("tier=\"low_priority\""));
    assert!(wrong(&cluster("tier=\"spot\""))[0].contains("spot"));
}

#[test]
fn what_the_sdk_sends_unasked_is_part_of_the_document() {
    let text = "AmlCompute(name=\"abc\")\n";
    assert_eq!(held(text, &["max_instances"]).as_deref(), Some("4"));
    assert!(wrong(text)[0].contains("the SDK sends 4"));
    // It may be among what cannot be read.
    for unread in ["max_instances=n", "**rest"] {
        let text = format!("AmlCompute(name=\"abc\", {unread})\n");
        assert_eq!(held(&text, &["max_instances"]), None);
        assert!(!wrong(&text).iter().any(|found| found.contains("the SDK sends")), "{unread}");
    }
    assert!(!wrong("AmlCompute(**all)\n").iter().any(|found| found.contains("needs")));
    // The first SDK refuses to leave it to anyone.
    let first = "AmlCompute.provisioning_configuration(\"S\")\n";
    assert_eq!(held(first, &["max_instances"]), None);
    assert!(wrong(first).iter().any(|found| found.contains("`max_nodes` is missing")));
}

#[test]
fn arguments_stand_where_yaml_has_them() {
    let flat = "BatchDeployment(name='d', endpoint_name='e', code_path='src', scoring_script='s.py', \
                instance_count=3, mini_batch_size=5)\n";
    assert_eq!(held(flat, &["type"]), None);
    assert_eq!(held(flat, &["code_configuration", "code"]).as_deref(), Some("\"src\""));
    assert_eq!(held(flat, &["code_configuration", "scoring_script"]).as_deref(), Some("\"s.py\""));
    assert_eq!(held(flat, &["resources", "instance_count"]).as_deref(), Some("3"));
    let with_settings = "BatchDeployment(name='d', settings={'mini_batch_size': 5})\n";
    assert_eq!(held(with_settings, &["type"]).as_deref(), Some("\"model\""));
    assert!(wrong("AmlCompute('abc')\n")[0].contains("takes arguments with names only"));
    let typo = cluster("min_instance=1");
    let read = read(&typo);
    let found = read.documents[0].check(&typo).diagnostics;
    assert_eq!(found[0].fix.as_ref().unwrap().apply(&typo), cluster("min_instances=1"));
}

#[test]
fn tries_are_not_retries() {
    let run = |arguments: &str| {
        let call = format!("ParallelRunConfig(env, 's.py', 1, 'summary_only', 'c', 2, {arguments})\n");
        held(&call, &["settings", "retry_settings", "max_retries"])
    };
    assert_eq!(run("run_max_try=1").as_deref(), Some("0"));
    assert_eq!(run("run_max_try=5").as_deref(), Some("4"));
    assert_eq!(run("").as_deref(), Some("2"));
    assert_eq!(run("run_max_try=0"), None);
    // A number of tries that is not written is not taken for the default either.
    assert_eq!(run("run_max_try=tries"), None);
}

#[test]
fn every_value_knows_its_place_in_the_pasted_text() {
    let plain = "AmlCompute(name=\"abc\", max_instances=-2)\n";
    for (around, shift, above) in [
        (plain.to_owned(), 0, 0),
        (format!("\u{feff}{plain}"), 0, 0),
        (format!("# é\r\n{plain}"), 0, 1),
        (format!("import x\r{plain}"), 0, 1),
        (format!(">>> {plain}"), 4, 0),
        (format!("In [12]: {plain}"), 9, 0),
        (format!("    {plain}"), 4, 0),
        (format!("Some prose (with brackets.\n\n```python\n{plain}```\nAnd it's more.\n"), 0, 3),
        (format!("```yaml\na: [\n```\n```\n  {plain}```\n"), 2, 4),
        (format!("%%time\n!pip install azure-ai-ml\n%matplotlib inline\n{plain}"), 0, 3),
    ] {
        let read = read(&around);
        let document = read.documents.first().unwrap_or_else(|| panic!("{around}"));
        let found = document.check(&around).diagnostics;
        let found = found.iter().find(|found| found.code == "out-of-range");
        let span = found.unwrap_or_else(|| panic!("{around}")).span;
        let wanted = (1 + above, 38 + shift, 40 + shift);
        assert_eq!((span.start.line, span.start.column, span.end.column), wanted, "{around}");
        assert!(read.diagnostics.is_empty(), "{around}: {:?}", read.diagnostics);
        assert!(is_python(&around), "{around}");
    }
    let session = ">>> c = AmlCompute(\n...     name='abc',\n...     max_instances=3)\n>>> c.name\n'abc'\n";
    assert_eq!(held(session, &["max_instances"]).as_deref(), Some("3"));
    // A line of a long text may begin with anything, and commands may hold half a quote.
    let magic =
        format!("!echo it's\n%cd (\nx = \"\"\"\n!important\n%so it is\n\"\"\"\n{}", cluster("description=x"));
    assert_eq!(held(&magic, &["description"]).as_deref(), Some("\"\\n!important\\n%so it is\\n\""));
    // A fence inside a long text is part of the text.
    let quoted = format!("\"\"\"Makes it:\n```\nx\n```\n\"\"\"\n{plain}");
    assert_eq!(held(&quoted, &["max_instances"]).as_deref(), Some("-2"));
}

#[test]
fn a_text_that_is_not_python_says_where() {
    for text in [
        "AmlCompute(\n    name=\"abc\"\n    size=\"S\",\n)\n",
        "AmlCompute(name=\"abc\", max_instances=2\n",
        "AmlCompute(name=\"abc, max_instances=2)\n",
        "AmlCompute(name=, max_instances=2)\n",
    ] {
        let found = read(text).diagnostics;
        assert!(found.iter().any(Diagnostic::blocks), "{text}");
        assert!(found.iter().all(|found| found.code == "python-syntax"), "{text}");
    }
    // Beside the calls it makes no difference.
    let read = read("print 'old'\n\nAmlCompute(name=\"abc\", max_instances=2)\n\nThen it is made.\n");
    assert_eq!(read.documents.len(), 1);
    assert!(!read.diagnostics.is_empty() && !read.diagnostics.iter().any(Diagnostic::is_error));
}

#[test]
fn nesting_without_end_is_refused_and_does_no_harm() {
    let deep = 100_000;
    for text in [
        "(".repeat(deep),
        "[".repeat(deep),
        "{1:".repeat(deep),
        "-".repeat(deep),
        "not ".repeat(deep),
        "lambda: ".repeat(deep),
        "f(".repeat(deep),
        format!("a{}", ".a".repeat(deep)),
        format!("a{}", "(1,)".repeat(deep)),
        format!("a{}", "[0]".repeat(deep)),
        format!("1{}", "+1".repeat(deep)),
        format!("1{}", "**1".repeat(deep)),
        format!("1{}", " if 1 else 1".repeat(deep / 4)),
        "f'{".repeat(deep),
        "if x:\n".repeat(3000),
        (0..900).fold(String::new(), |text, i| text + &" ".repeat(i) + "if x:\n"),
        "AmlCompute(name=".repeat(deep / 4),
        "x".repeat(3 << 20),
        "'''".to_owned() + &"\n".repeat(deep),
    ] {
        let read = read(&format!("{text}\nAmlCompute(name=\"abc\")\n"));
        assert!(read.documents.len() <= 1);
        for found in &read.diagnostics {
            assert!(found.span.start.line > 0 && found.span.start.column > 0);
        }
    }
    // Names that hold names twice over, or without end.
    let mut bomb = String::new();
    (1..200).for_each(|i| writeln!(bomb, "a{i} = [a{}, a{}]", i - 1, i - 1).unwrap());
    assert!(held(&format!("a0 = 1\n{bomb}{}", cluster("tags=a199")), &["name"]).is_some());
    assert!(held("a = AmlCompute(name='abc', tags=a, max_instances=a)\n", &["name"]).is_some());
    let nested = |deep: usize| wrong(&cluster(&format!("tags={}1{}", "[".repeat(deep), "]".repeat(deep))));
    assert!(!nested(50)[0].contains("too deep"));
    assert!(nested(70)[0].contains("too deep"));
    // A long list is not deep.
    let long = format!("x = [{}]\n{}", "1, ".repeat(50_000), cluster("size='S'"));
    assert_eq!(held(&long, &["size"]).as_deref(), Some("\"S\""));
}

#[test]
fn python_is_told_from_yaml() {
    for text in [
        SECOND,
        FIRST,
        INSTANCE,
        "from azure.ai.ml import MLClient\n",
        "import os\n",
        "x = ComputeInstance (\n",
        "from m import AmlCompute as Pool\nPool(name='abc')\n",
    ] {
        assert!(is_python(text), "{text}");
    }
    for text in [
        "",
        "type: amlcompute\nname: abc\n",
        "type: amlcompute\nname: abc\ndescription: made with AmlCompute(name=1)\n",
        "type: amlcompute\n# AmlCompute(name=1)\nname: [\n",
        "import: x\nfrom: y\n",
        "from here on: it is import ant\n",
        "AmlCompute",
        "cluster:\n  type: amlcompute\n",
    ] {
        assert!(!is_python(text), "{text}");
    }
    assert_eq!(kinds(SECOND), [Kind::AmlCompute, Kind::BatchDeployment]);
    assert_eq!(kinds(FIRST), [Kind::AmlCompute, Kind::BatchDeployment]);
    assert_eq!(kinds("# AmlCompute(\n'ComputeInstance('\nclass AmlCompute(x): pass\n"), []);
}

#[test]
fn a_compute_that_is_only_looked_up_is_no_document() {
    for text in [
        "from azureml.core.compute import AmlCompute\nAmlCompute(ws, 'abc')\n",
        "AmlCompute(workspace=ws, name='abc')\n",
        "ml_client.compute.get('abc')\n",
    ] {
        assert_eq!(read(text).documents.len(), 0, "{text}");
    }
    let renamed = "from azure.ai.ml.entities import AmlCompute as Pool\nPool(name='abc', max_instances=1)\n";
    assert_eq!(held(renamed, &["name"]).as_deref(), Some("\"abc\""));
    assert_eq!(read(renamed).documents[0].sdk, Sdk::V2);
}

#[test]
fn what_is_set_afterwards_is_told_of() {
    let text = "c = AmlCompute(name='abc', max_instances=1)\nc.size = 'S'\nc.tags['a'] = 'b'\nd.size = 'S'\n";
    let said: Vec<_> = read(text).diagnostics.iter().map(|found| found.span.start.line).collect();
    assert_eq!(said, [2, 3]);
}

/// A tree as the call that makes it.
fn as_python(node: &Node, class: Option<&str>, out: &mut String) {
    match &node.value {
        Value::Scalar(scalar) if !scalar.plain => {
            out.push_str(&serde_json::to_string(&scalar.text).unwrap());
        }
        Value::Scalar(scalar) => out.push_str(match scalar.text.as_str() {
            "true" => "True",
            "false" => "False",
            number => number,
        }),
        Value::Sequence(items) => {
            out.push('[');
            for item in items {
                as_python(item, None, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Mapping(entries) => {
            let inner = |key: &str| match key {
                "settings" => Some("ModelBatchDeploymentSettings"),
                "retry_settings" => Some("BatchRetrySettings"),
                "ssh_settings" => Some("AmlComputeSshSettings"),
                _ => None,
            };
            out.push_str(&class.map_or_else(|| "{".to_owned(), |class| format!("{class}(\n")));
            for entry in entries.iter().filter(|entry| class.is_none() || entry.key != "type") {
                if class.is_some() {
                    write!(out, "{}=", entry.key).unwrap();
                } else {
                    write!(out, "{}:", serde_json::to_string(&entry.key).unwrap()).unwrap();
                }
                as_python(&entry.value, class.and_then(|_| inner(&entry.key)), out);
                out.push_str(",\n");
            }
            out.push(if class.is_some() { ')' } else { '}' });
        }
    }
}

fn leaf() -> impl Strategy<Value = String> {
    prop_oneof![
        (-5_i64..100_000).prop_map(|number| number.to_string()),
        any::<bool>().prop_map(|truth| truth.to_string()),
        "[ -~é\u{1f600}]{0,12}".prop_map(|text| yaml::quoted(&text)),
    ]
}

/// Some keys with values of any type, a line each.
fn keys(known: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    proptest::sample::subsequence(known, 0..=known.len()).prop_flat_map(|keys| {
        let values = proptest::collection::vec(leaf(), keys.len());
        values.prop_map(move |values| {
            keys.iter().zip(values).map(|(key, value)| format!("{key}: {value}")).collect()
        })
    })
}

/// A document in YAML, with keys of the schema and values of any type.
fn document() -> impl Strategy<Value = (Kind, String)> {
    let tags = proptest::collection::btree_map("[a-z ]{1,5}", leaf(), 0..3).prop_map(|tags| {
        let tags = tags.iter().map(|(key, value)| format!("{}: {value}", yaml::quoted(key)));
        format!("tags: {{{}}}", tags.collect::<Vec<_>>().join(", "))
    });
    let lines = |first: &str, rest: Vec<String>| format!("{first}\n{}\n", rest.join("\n"));
    let given = ["name", "size", "tier", "min_instances", "max_instances", "location", "description"];
    let cluster = (keys(Box::leak(Box::new(given))), leaf(), tags).prop_map(move |(mut keys, name, tags)| {
        keys.push(format!("ssh_settings: {{admin_username: {name}}}"));
        keys.push(tags);
        // What the SDK would add.
        if !keys.iter().any(|key| key.starts_with("max_instances")) {
            keys.push("max_instances: 4".to_owned());
        }
        (Kind::AmlCompute, lines("type: \"amlcompute\"", keys))
    });
    let given = ["name", "endpoint_name", "model", "compute", "environment", "description"];
    let inner = ["mini_batch_size", "instance_count", "error_threshold", "logging_level"];
    let deployment = (keys(Box::leak(Box::new(given))), keys(Box::leak(Box::new(inner))), leaf()).prop_map(
        move |(mut keys, mut settings, retries)| {
            settings.push(format!("retry_settings: {{max_retries: {retries}}}"));
            keys.push(format!("settings: {{{}}}", settings.join(", ")));
            (Kind::BatchDeployment, lines("type: \"model\"", keys))
        },
    );
    prop_oneof![cluster, deployment]
}

/// A tree as text, its keys sorted, wherever it stands.
fn shape(node: &Node) -> String {
    match &node.value {
        Value::Scalar(scalar) => format!("{:?}", (scalar.plain, &scalar.text)),
        Value::Sequence(items) => items.iter().map(|item| shape(item) + ",").collect(),
        Value::Mapping(entries) => {
            let mut keys: Vec<_> =
                entries.iter().map(|entry| format!("{}: {};", entry.key, shape(&entry.value))).collect();
            keys.sort();
            format!("{{{}}}", keys.concat())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_document_as_python_is_the_same_document((kind, text) in document()) {
        let tree = yaml::document(&text).unwrap();
        let class = if kind == Kind::AmlCompute { "AmlCompute" } else { "ModelBatchDeployment" };
        let mut python = String::new();
        as_python(&tree, Some(class), &mut python);
        let read = read(&python);
        prop_assert!(read.diagnostics.is_empty(), "{python}\n{:?}", read.diagnostics);
        let document = read.document(kind).unwrap();
        prop_assert!(document.said.iter().all(|found| found.code == "python-default"), "{:?}", document.said);
        prop_assert_eq!(shape(&document.node), shape(&tree), "{}", python);
        // And written as YAML it is read back the same.
        let again = yaml::document(&document.yaml()).unwrap();
        let loaded = |node: &Node| lowpri::azure::vendor::check_document(node).normalised;
        prop_assert_eq!(loaded(&again), loaded(&document.node), "{}", document.yaml());
    }

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        harmless(&text);
    }

    #[test]
    fn python_that_was_damaged_is_read(
        which in 0..3_usize,
        cuts in proptest::collection::vec(
            (any::<prop::sample::Index>(), 0..9_usize, "[()\\[\\]{}'\"#,=.:\n\t a1*>@`!%\\\\-]{0,4}"),
            1..6,
        ),
    ) {
        let mut text: Vec<char> = [SECOND, FIRST, INSTANCE][which].chars().collect();
        for (at, length, instead) in cuts {
            let at = at.index(text.len() + 1);
            let end = (at + length).min(text.len());
            text.splice(at..end, instead.chars());
        }
        harmless(&text.into_iter().collect::<String>());
    }
}

/// Reads a text in every way; every complaint has a place in it.
fn harmless(text: &str) {
    let _ = (is_python(text), kinds(text));
    let Python { documents, diagnostics } = read(text);
    travels(text);
    let lines = text.split(['\n', '\r']).count().max(1);
    let in_text = |found: &Diagnostic| {
        let (start, end) = (found.span.start, found.span.end);
        start.line >= 1 && start.column >= 1 && start <= end && end.line <= lines + 1
    };
    assert!(diagnostics.iter().all(in_text), "{text}\n{diagnostics:?}");
    for document in &documents {
        let found = document.check(text).diagnostics;
        assert!(found.iter().all(in_text), "{text}\n{found:?}");
        for fix in found.iter().filter_map(|found| found.fix.as_ref()) {
            let _ = fix.apply(text);
        }
        let written = document.yaml();
        assert!(yaml::document(&written).is_ok(), "{text}\n->\n{written}");
    }
}

/// What another program has read says the same.
fn travels(text: &str) {
    let here = read(text);
    let elsewhere = std::thread::scope(|scope| {
        // A reader holds for its thread.
        let said = scope.spawn(|| {
            use_reader(Box::new(read_to_bytes));
            format!("{:?}", read(text))
        });
        said.join().unwrap()
    });
    assert_eq!(elsewhere, format!("{here:?}"), "{text}");
}

#[test]
fn what_another_program_reads_says_the_same() {
    for text in [SECOND, FIRST, INSTANCE, "", "AmlCompute('abc', tier='LowPriority', **a)\n"] {
        travels(text);
    }
    let error = std::thread::spawn(|| {
        use_reader(Box::new(|_| None));
        let first = python::check(SECOND, Kind::AmlCompute).diagnostics;
        use_reader(Box::new(|_| Some(vec![200, 1, 7])));
        (first, python::check(SECOND, Kind::AmlCompute).diagnostics)
    });
    let (stopped, strange) = error.join().unwrap();
    for found in [&stopped, &strange] {
        assert_eq!((found.len(), found[0].code, found[0].blocks()), (1, "python-reader", true));
    }
}

/// A scenario whose two texts are one Python text.
fn scenario(text: &str) -> Scenario {
    let assumptions = documented_example().assumptions;
    Scenario { cluster: text.to_owned(), deployment: text.to_owned(), assumptions }
}

#[test]
fn a_run_from_python_is_the_run_from_its_yaml() {
    for text in [SECOND, FIRST] {
        let python = scenario(text);
        let yaml = python.in_yaml();
        assert!(yaml.cluster.contains("type: amlcompute\n") && yaml.deployment.contains("type: model\n"));
        let (from_python, from_yaml) =
            (python.check(Catalogue::compiled_in()), yaml.check(Catalogue::compiled_in()));
        assert_eq!(
            format!("{:?}", from_python.prepared.expect("it can be run").model),
            format!("{:?}", from_yaml.prepared.expect("it can be run").model)
        );
        // A scenario file is YAML; a link holds the Python as it is.
        let again = Scenario::from_file(&python.to_file()).unwrap();
        assert_eq!(
            again.check(Catalogue::compiled_in()).prepared.map(|ready| format!("{:?}", ready.model)),
            yaml.check(Catalogue::compiled_in()).prepared.map(|ready| format!("{:?}", ready.model))
        );
        let link = Link::new(&python, &Kept::default());
        let safe = scenario(&text.replace("LEVEL=\"7\"", "LEVEL=\"left_out\""));
        assert_eq!(open(&link.fragment).scenario, safe);
        // What a plan changes is written into YAML.
        let question = yaml.check(Catalogue::compiled_in()).question.unwrap();
        let wanted = Tunables { mini_batch_size: 7, max_instances: 9, ..Tunables::of(&question) };
        let tuned = python.tuned(&wanted).expect("a plan can be written");
        assert!(tuned.cluster.contains("\nmax_instances: 9\n"), "{}", tuned.cluster);
        assert!(tuned.deployment.contains("mini_batch_size: 7\n"), "{}", tuned.deployment);
    }
}

#[test]
fn what_is_wrong_is_marked_in_the_text_that_was_pasted() {
    let text =
        SECOND.replace("max_instances=count", "max_instances=-count").replace("timeout=90", "timeout=0");
    let checked = scenario(&text).check(Catalogue::compiled_in());
    let shown = |found: &[Diagnostic]| found.iter().map(line).collect::<String>();
    insta::assert_snapshot!(format!("{}--\n{}", shown(&checked.cluster), shown(&checked.deployment)));
    // Each editor speaks of its own document only, and of what is not Python at all.
    let broken = scenario("AmlCompute(name='abc'\n");
    let checked = broken.check(Catalogue::compiled_in());
    assert!(checked.prepared.is_none());
    assert!(checked.cluster.iter().all(|found| found.code == "python-syntax"));
    let none = scenario("import os\n").check(Catalogue::compiled_in());
    assert_eq!((none.cluster[0].code, none.deployment[0].code), ("other-kind", "other-kind"));
}

#[test]
fn an_instance_from_python_lives_as_the_one_from_its_yaml() {
    let text = INSTANCE.to_owned();
    let python = InstanceScenario { text, life: Life::default() };
    let yaml = python.in_yaml();
    assert!(yaml.text.starts_with("type: computeinstance\n"));
    let model = |scenario: &InstanceScenario| {
        let checked = scenario.check(Catalogue::compiled_in());
        format!("{:?}", checked.prepared.expect("it can be played"))
    };
    assert_eq!(model(&python), model(&yaml));
    assert_eq!(model(&InstanceScenario::from_file(&python.to_file()).unwrap()), model(&yaml));
    // What is added by a click is written into YAML.
    let idle = python.with_idle_shutdown(25).expect("it can be written");
    assert!(idle.text.contains("\nidle_time_before_shutdown_minutes: 25\n"), "{}", idle.text);
    assert_eq!(Document::Instance(python).name().as_deref(), Some("desk-of-one"));
    assert_eq!(Document::Job(scenario(SECOND)).name().as_deref(), Some("night-pool"));
}
