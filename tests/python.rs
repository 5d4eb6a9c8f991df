//! Python text becomes the documents that the same YAML would give, with the places of the Python text; nothing of it
//! is run.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use lowpri::azure::python::{Python, Sdk, is_python, kinds, read};
use lowpri::azure::yaml::{self, Node, Value};
use lowpri::azure::{Diagnostic, Kind};
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
