//! What the keys and words of [`super::schema`] mean, a line each, in our own words.

/// What a key of a mapping is for; empty if there is nothing to say.
pub fn key(mapping: &str, key: &str) -> &'static str {
    let special = match (mapping, key) {
        ("a compute cluster", "type") => "`amlcompute` for a compute cluster",
        ("a compute instance", "type") => "`computeinstance` for a compute instance",
        ("identity", "type") => "Who the nodes are to other services",
        ("an inline model", "type") => "Format of the model; custom_model if left out",
        ("a custom application", "type") => "How the application is packed: docker",
        ("a cron trigger", "type") => "`cron`: by a cron expression",
        ("a recurrence trigger", "type") => {
            "`recurrence`: every so many minutes, hours, days, weeks or months"
        }
        ("a compute cluster", "name") => "Name of the cluster, 3 to 32 letters, digits and dashes",
        ("a batch endpoint", "name") => "Name of the endpoint, unique in its region",
        ("a compute cluster", "location") => "Region of the nodes; that of the workspace if left out",
        ("a compute cluster", "size") => "VM size of each node; Standard_DS3_v2 if left out",
        ("a compute instance", "size") => "VM size of the instance",
        ("retry_settings", "timeout") => "Seconds that run() may take for one mini-batch; 30 if left out",
        ("resources", "properties") => "Further settings of the compute, as text",
        ("a batch deployment with `type: pipeline`", "settings") => {
            "Settings of the pipeline, such as its default compute"
        }
        ("an inline model", "path") => "Where the files of the model are",
        ("the build of an environment", "path") => "Folder that the image is built from",
        ("a setup script", "path") => "Where the script is",
        ("a route", "path") => "Path of the route, as /score",
        ("a start or stop schedule", "state") => "Whether the schedule counts",
        ("settings", "environment_variables") => "Environment of the scoring script",
        ("a batch deployment with `type: model`", "environment_variables" | "error_threshold") => {
            "Dropped here by the SDK: write it under `settings`"
        }
        ("a batch deployment with `type: model`", "compute") => "Cluster that scores, as azureml:<name>",
        ("an endpoint of a custom application", "target") => "Port inside the container",
        _ => "",
    };
    if special.is_empty() { look_up(COMMON, key) } else { special }
}

/// What a key is for wherever it stands.
const COMMON: &[(&str, &str)] = &[
    ("type", "`model`: settings under `settings`; `pipeline`: a pipeline; left out: settings at the top"),
    ("name", "Its name"),
    ("description", "Free text for people"),
    ("tags", "Labels, name: text"),
    ("properties", "Further properties, name: value"),
    ("version", "Version of the asset"),
    ("id", "Its resource ID"),
    ("location", "Azure region"),
    ("resource_id", "Full Azure resource ID"),
    ("tier", "low_priority: Spot VMs, cheap, may be taken away; dedicated if left out"),
    ("min_instances", "Nodes that stay up without work, and cost; 0 if left out"),
    ("max_instances", "Most nodes at once"),
    ("idle_time_before_scale_down", "Seconds an idle node stays before it leaves; 120 if left out"),
    ("ssh_public_access_enabled", "Whether SSH is open to the internet"),
    ("ssh_settings", "Who may log in by SSH"),
    ("admin_username", "User that may log in"),
    ("admin_password", "Password of that user; better a key"),
    ("ssh_key_value", "Public SSH key of that user"),
    ("network_settings", "Virtual network of the nodes"),
    ("vnet_name", "Name of the virtual network"),
    ("subnet", "Name or resource ID of the subnet"),
    ("identity", "Managed identity that code on the nodes can use"),
    ("user_assigned_identities", "The user-assigned identities, each with its resource_id"),
    ("enable_node_public_ip", "Whether nodes have public IP addresses; true if left out"),
    ("expression", "Cron expression, as \"30 9 * * 1-5\""),
    ("start_time", "When it begins, ISO 8601; at once if left out"),
    ("time_zone", "Time zone; UTC if left out"),
    ("frequency", "Unit of the interval"),
    ("interval", "How many of those units lie between"),
    ("schedule", "At which times within the unit"),
    ("hours", "Hours of the day, 0 to 23"),
    ("minutes", "Minutes of the hour, 0 to 59"),
    ("week_days", "Days of the week"),
    ("trigger", "When it happens"),
    ("action", "What happens: start or stop"),
    ("command", "Command line of the script"),
    ("timeout_minutes", "Minutes the script may take"),
    ("image", "Container image"),
    ("reference", "Name of the image in its registry"),
    ("endpoints", "Ports that lead into the container"),
    ("target", "Path inside the container"),
    ("published", "Port outside the container"),
    ("environment_variables", "Environment of the process, name: value"),
    ("bind_mounts", "Folders of the instance that the container sees"),
    ("source", "Path on the instance"),
    ("create_on_behalf_of", "The user the instance is for"),
    ("user_tenant_id", "Tenant ID of that user"),
    ("user_object_id", "Object ID of that user"),
    ("schedules", "When it starts and stops"),
    ("compute_start_stop", "Schedules that start or stop it"),
    ("idle_time_before_shutdown", "Idle time before it stops, ISO 8601, as PT30M"),
    ("idle_time_before_shutdown_minutes", "Idle minutes before it stops"),
    ("custom_applications", "Applications in containers"),
    ("setup_scripts", "Scripts that prepare it"),
    ("creation_script", "Runs once, when it is created"),
    ("startup_script", "Runs at every start"),
    ("enable_sso", "Whether single sign-on is on"),
    ("enable_root_access", "Whether users may become root"),
    ("release_quota_on_stop", "Whether a stopped instance gives its quota back"),
    ("enable_os_patching", "Whether the system is patched by itself"),
    ("stage", "Stage of its life, as Production"),
    ("flavors", "Flavors of an MLflow model"),
    ("datastore", "Datastore the files are uploaded to"),
    ("system_metadata", "Notes of the service about the model"),
    ("default_deployment_template", "Template that deployments take if they name none"),
    ("allowed_deployment_templates", "Templates that deployments may take"),
    ("port", "Port of the route"),
    ("conda_file", "Conda environment: a file, or written here"),
    ("build", "How to build the image"),
    ("dockerfile_path", "Dockerfile within that folder"),
    ("inference_config", "Routes of a server image"),
    ("liveness_route", "Asked whether the server lives"),
    ("readiness_route", "Asked whether the server is ready"),
    ("scoring_route", "Asked for scores"),
    ("os_type", "Operating system; linux if left out"),
    ("auto_delete_setting", "When it is deleted by itself"),
    ("code", "Folder with the scoring script"),
    ("scoring_script", "File with init() and run(), within that folder"),
    ("max_retries", "Further attempts at a mini-batch that fails or takes too long; 3 if left out"),
    ("instance_count", "Nodes of a job; 1 if left out"),
    ("instance_type", "VM size or instance type of the nodes"),
    ("locations", "Regions the job may run in"),
    ("shm_size", "Shared memory of the container, as 2g"),
    ("max_instance_count", "Most nodes of a job"),
    ("docker_args", "Further arguments of docker run"),
    ("endpoint_name", "The batch endpoint it belongs to"),
    ("model", "Model to score with, as azureml:<name>:<version> or azureml:<name>@latest; or described here"),
    ("code_configuration", "The scoring script; an MLflow model needs none"),
    ("environment", "Image and packages, as azureml:<name>:<version>; or described here"),
    ("compute", "Cluster that scores, as azureml:<name>"),
    ("error_threshold", "Failed files a job bears; -1, all of them, if left out"),
    ("retry_settings", "How often and how long a mini-batch is tried"),
    ("mini_batch_size", "Files handed to one run(); 10 if left out"),
    ("logging_level", "How much is logged: warning, info or debug"),
    ("output_action", "append_row: all in one file; summary_only: the script writes its own"),
    ("output_file_name", "File of append_row; predictions.csv if left out"),
    ("max_concurrency_per_instance", "Worker processes on each node; 1 if left out"),
    ("resources", "What a job asks for, such as its nodes"),
    ("settings", "Mini-batches, workers and retries of `type: model`"),
    ("job_definition", "The pipeline job"),
    ("component", "The pipeline component, as azureml:<name>:<version>"),
    ("provisioning_state", "State of the endpoint; the service says it"),
    ("auth_mode", "How callers prove who they are; aad_token for batch"),
    ("scoring_uri", "Address of the endpoint; the service says it"),
    ("openapi_uri", "Address of its description; the service says it"),
    ("defaults", "What holds unless a call says otherwise"),
    ("deployment_name", "The deployment that takes calls"),
];

fn look_up(table: &[(&'static str, &'static str)], key: &str) -> &'static str {
    table.iter().find(|(known, _)| *known == key).map_or("", |(_, line)| line)
}

/// What a word means as the value of a key; empty if it says it itself.
pub fn word(key: &str, word: &str) -> &'static str {
    match (key, word) {
        ("tier", "low_priority") => "Spot VMs: cheaper, taken away when Azure needs the capacity",
        ("tier", "dedicated") => "Nodes stay until they are released; full price",
        ("type", "amlcompute") => "A cluster that scales with its jobs",
        ("type", "computeinstance") => "One machine for one person",
        ("type", "model") => "Scores files with a model, in mini-batches",
        ("type", "pipeline") => "Runs a pipeline; it has no mini-batches",
        ("type", "cron") => "By a cron expression",
        ("type", "recurrence") => "Every so many minutes, hours, days, weeks or months",
        ("type", "custom_model") => "Files of any form, with a scoring script",
        ("type", "mlflow_model") => "MLflow: needs neither scoring script nor environment",
        ("type", "triton_model") => "A repository of NVIDIA Triton",
        ("type", "system_assigned") => "An identity that lives and dies with the compute",
        ("type", "user_assigned") => "Identities of your own",
        ("output_action", "append_row") => "What run() returns is gathered in one file",
        ("output_action", "summary_only") => "The script writes its output itself",
        ("auth_mode", "aad_token") => "Microsoft Entra ID: the one that batch endpoints take",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::{self, Schema, Ty};
    use super::key;

    fn walk(schema: &Schema, bare: &mut Vec<String>) {
        for field in schema.fields.iter().filter(|field| field.rule != schema::Rule::ReadOnly) {
            if key(schema.what, field.key).is_empty() {
                bare.push(format!("{}: {}", schema.what, field.key));
            }
            walk_type(&field.ty, bare);
        }
    }

    fn walk_type(ty: &Ty, bare: &mut Vec<String>) {
        match ty {
            Ty::Object(schema) => walk(schema, bare),
            Ty::List(item) => walk_type(item, bare),
            Ty::OneOf(types) => types.iter().for_each(|ty| walk_type(ty, bare)),
            Ty::Trigger => [&schema::CRON, &schema::RECURRENCE].into_iter().for_each(|one| walk(one, bare)),
            _ => {}
        }
    }

    #[test]
    fn every_key_that_can_be_written_has_a_line() {
        let mut bare = Vec::new();
        for schema in [
            &schema::AML_COMPUTE,
            &schema::COMPUTE_INSTANCE,
            &schema::FLAT_DEPLOYMENT,
            &schema::MODEL_DEPLOYMENT,
            &schema::PIPELINE_DEPLOYMENT,
            &schema::BATCH_ENDPOINT,
        ] {
            walk(schema, &mut bare);
        }
        assert_eq!(bare, Vec::<String>::new());
    }
}
