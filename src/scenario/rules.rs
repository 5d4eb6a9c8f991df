//! What shows only when cluster, deployment and assumptions are looked at together.
//!
//! Each rule has a code, the place of the line that causes it, a source, and where it can be done mechanically a
//! replacement. They never stand in the way of a run: the run shows what they warn of.

use super::question::{Prepared, Question};
use super::words::money;
use crate::azure::{Catalogue, ClusterTier, Diagnostic, Fix, Found, Known, Severity, plain_region, yaml};
use crate::sim::{Model, ms};

/// Where a rule comes from, by its code.
#[must_use]
pub fn source(code: &str) -> Option<&'static str> {
    let source = match code {
        "instance-count-above-max" => "undocumented; a run takes the smaller of the two",
        "one-node" => {
            "Azure ML, use low-priority VMs in batch deployments: the job is cancelled when no node is left"
        }
        "min-instances" => {
            "Azure ML, manage and optimise costs: nodes of min_instances are billed while idle"
        }
        "other-compute" => "Azure ML, batch deployment YAML reference: compute",
        "timeout-too-short" => "Azure ML, batch deployment YAML reference: timeout is that of one mini-batch",
        "more-workers-than-cores" => {
            "Azure ML, batch deployment YAML reference: max_concurrency_per_instance"
        }
        "idle-workers" | "many-mini-batches" => {
            "Azure ML, use batch deployments: files are split into mini-batches"
        }
        "size-retired" | "size-retiring" => "Azure, VM size retirement notices",
        "size-not-taken" | "size-unknown" => "Azure ML, what is a compute target; az ml compute list-sizes",
        "above-quota" => {
            "Azure ML, manage quotas: low-priority cores are one number over all families, 100 to 3,000"
        }
        "other-region" | "cross-region" => {
            "Azure ML, create a compute cluster: another region costs latency and transfer"
        }
        "many-nodes" => "Azure ML, manage quotas: 100 nodes in a run, more by request",
        "spot" => "azure-ai-docs #791 and #806: low-priority VMs were retired on 31 March 2026",
        "dearer-than-dedicated" => "azure-ai-docs #791: the Spot price can be above the dedicated price",
        _ => return None,
    };
    Some(source)
}

/// Adds to what was found in the two texts.
pub fn apply(
    question: &Question,
    prepared: Option<&Prepared>,
    catalogue: &Catalogue,
    cluster: &mut Found,
    deployment: &mut Found,
) {
    let mut rules = Rules { question, catalogue, cluster, deployment };
    rules.nodes();
    if let Some(prepared) = prepared {
        rules.mini_batches(&prepared.model);
    }
    rules.size();
    rules.money(prepared);
}

struct Rules<'a> {
    question: &'a Question,
    catalogue: &'a Catalogue,
    cluster: &'a mut Found,
    deployment: &'a mut Found,
}

impl Rules<'_> {
    fn say(&mut self, field: &str, code: &'static str, message: String, fix: Option<String>) {
        self.add(Severity::Warning, field, code, message, fix);
    }

    fn add(
        &mut self,
        severity: Severity,
        field: &str,
        code: &'static str,
        message: String,
        fix: Option<String>,
    ) {
        let found = if field.starts_with("cluster.") { &mut *self.cluster } else { &mut *self.deployment };
        let place = found.places.get(field).copied();
        let mut advice = Diagnostic::advice(code, place.unwrap_or_else(yaml::beginning), message);
        advice.severity = severity;
        // A value that is not written has no place at which another could be put.
        advice.fix = place.zip(fix).map(|(span, text)| Box::new(Fix { span, text }));
        advice.help = source(code).map(str::to_owned);
        found.diagnostics.push(advice);
    }

    fn is_low_priority(&self) -> bool {
        self.question.cluster.tier == ClusterTier::LowPriority
    }

    fn nodes(&mut self) {
        let max = self.question.cluster.max_instances;
        let wanted = self.question.deployment.instance_count;
        let min = self.question.cluster.min_instances;
        if wanted > max {
            let message = format!("the job asks for {wanted} nodes, and the cluster has at most {max}");
            let fix = Some(max.to_string());
            self.say("deployment.instance_count", "instance-count-above-max", message, fix);
        }
        if self.is_low_priority() && max == 1 {
            let message = "one preemption takes the whole cluster, and with it the job".to_owned();
            self.say("cluster.max_instances", "one-node", message, Some("2".to_owned()));
        } else if self.is_low_priority() && wanted == 1 && min < 2 {
            let message =
                "the job runs on one node: one preemption takes the whole cluster, and with it the job";
            self.say("deployment.instance_count", "one-node", message.to_owned(), Some("2".to_owned()));
        }
        if wanted.min(max) > 100 {
            let message =
                format!("{} nodes in one run: 100 are the limit unless Azure raised it", wanted.min(max));
            self.say("deployment.instance_count", "many-nodes", message, None);
        }
        if let Some(compute) = &self.question.deployment.compute
            && let Some(name) = &self.question.cluster.name
        {
            let named = compute.value.strip_prefix("azureml:").unwrap_or(&compute.value);
            let is_short = !named.contains('/');
            if is_short && !named.eq_ignore_ascii_case(&name.value) {
                let message =
                    format!("this is another cluster: the one beside it is called `{}`", name.value);
                let fix = Some(format!("azureml:{}", name.value));
                self.say("deployment.compute", "other-compute", message, fix);
            }
        }
        let quota = self.question.assumptions.platform.quota_cores;
        if let (Some(quota), Some(size)) = (quota, self.catalogue.size(&self.question.cluster.size.value)) {
            let cores = max as f64 * f64::from(size.vcpus);
            if cores > quota {
                let fit = (quota / f64::from(size.vcpus)).floor();
                let message =
                    format!("{max} nodes have {cores} cores, and the quota is {quota}, enough for {fit}");
                let fix = (fit >= 1.0).then(|| format!("{fit:.0}"));
                self.say("cluster.max_instances", "above-quota", message, fix);
            }
        }
    }

    fn mini_batches(&mut self, model: &Model) {
        let deployment = &self.question.deployment;
        let workload = &self.question.assumptions.workload;
        let (workers, size) = (deployment.max_concurrency_per_instance, deployment.mini_batch_size);
        // The run's own arithmetic, to the millisecond.
        let vcpus = model.vcpus();
        let expected = model.mean_run_time() as f64 / 1000.0;
        let timeout = deployment.timeout;
        if model.mean_run_time() > ms(timeout) {
            let (message, spare) = if workload.seconds_per_file_cv == 0.0 {
                (format!("a mini-batch takes {expected} s: with {timeout} s every attempt times out"), 2.0)
            } else {
                (format!("a mini-batch takes {expected} s on the mean, and has {timeout} s"), 3.0)
            };
            let fix = Some(format!("{:.0}", expected.ceil() * spare));
            self.say("deployment.timeout", "timeout-too-short", message, fix);
        }
        if workers > i64::from(vcpus) && workload.cores_per_worker >= 1.0 {
            let message = format!("{workers} workers share {vcpus} vCPUs and slow each other down");
            let fix = Some(vcpus.to_string());
            self.say("deployment.max_concurrency_per_instance", "more-workers-than-cores", message, fix);
        }
        let Some(files) = workload.jobs.iter().map(|job| job.files).max() else { return };
        let batches = i64::from(model.mini_batches(files as u32));
        let nodes = self.question.deployment.instance_count.min(self.question.cluster.max_instances);
        let all = nodes.saturating_mul(workers);
        if batches < all {
            let message = format!(
                "{files} files make {batches} mini-batches: {} of {all} workers get none",
                all - batches
            );
            let fix = (files / all).max(1);
            let fix = (fix != size).then(|| fix.to_string());
            self.say("deployment.mini_batch_size", "idle-workers", message, fix);
        } else if batches > 100_000 {
            let message =
                format!("{files} files make {batches} mini-batches: larger ones cost less overhead");
            self.say("deployment.mini_batch_size", "many-mini-batches", message, None);
        }
    }

    fn size(&mut self) {
        let name = self.question.cluster.size.value.clone();
        if let Some(last_day) = self.catalogue.retired(&name) {
            let since = if last_day.is_empty() { String::new() } else { format!(", last day {last_day}") };
            self.say("cluster.size", "size-retired", format!("Azure ML takes `{name}` no more{since}"), None);
            return;
        }
        let Some(size) = self.catalogue.size(&name) else { return };
        if !size.retires_on.is_empty() {
            let message = format!("`{name}` is retired on {}", size.retires_on);
            self.add(Severity::Info, "cluster.size", "size-retiring", message, None);
        }
        match size.azure_ml {
            Known::Yes => {}
            Known::No => {
                self.say("cluster.size", "size-not-taken", format!("Azure ML does not take `{name}`"), None);
            }
            Known::Unknown => {
                let message = format!("it is not known whether Azure ML takes `{name}`");
                self.add(Severity::Info, "cluster.size", "size-unknown", message, None);
            }
        }
    }

    fn regions(&mut self) {
        let question = self.question;
        let region = &question.assumptions.prices.region;
        let Some(cluster) = question.cluster_region() else { return };
        if plain_region(cluster) != plain_region(region) {
            let message = format!("the prices are those of {region}, and the cluster is in {cluster}");
            self.say("cluster.location", "other-region", message, None);
        }
        if let Some(workspace) = question.assumptions.workspace_region.clone()
            && question.is_in_other_region()
        {
            let workload = &question.assumptions.workload;
            let (read, written) = (workload.data_in_mb_per_file, workload.data_out_mb_per_file);
            let volumes = if read + written > 0.0 {
                format!("{read} MB in and {written} MB out for each file")
            } else {
                "say in the form how many MB a file has".to_owned()
            };
            let factor = question.assumptions.platform.cross_region_latency_factor;
            let usd = question.assumptions.prices.transfer_usd_per_gb;
            let message = format!(
                "the cluster is in {cluster}, and the workspace with its data in {workspace}: the overhead of every \
                 mini-batch is taken {factor} times, and ${usd} a GB are paid to move the data ({volumes})"
            );
            self.say("cluster.location", "cross-region", message, Some(workspace));
        }
    }

    fn money(&mut self, prepared: Option<&Prepared>) {
        self.regions();
        if self.is_low_priority() {
            let message = "since 31 March 2026 these nodes are Spot VMs, at the Spot price".to_owned();
            self.add(Severity::Info, "cluster.tier", "spot", message, None);
        }
        let Some(prepared) = prepared else { return };
        let min = self.question.cluster.min_instances;
        if min > 0 {
            let day = money(min as f64 * prepared.rate.usd_per_hour * 24.0);
            let nodes = if min == 1 { "one node is".to_owned() } else { format!("{min} nodes are") };
            let message = format!("{nodes} kept and billed while idle: {day} a day");
            self.say("cluster.min_instances", "min-instances", message, Some("0".to_owned()));
        }
        if let Some(dedicated) = prepared.dedicated_rate.filter(|_| self.is_low_priority())
            && prepared.rate.usd_per_hour >= dedicated.usd_per_hour
            && dedicated.usd_per_hour > 0.0
        {
            let (low, dedicated) = (prepared.rate.usd_per_hour, dedicated.usd_per_hour);
            let message = format!("a node costs ${low} an hour here, and ${dedicated} on dedicated");
            self.say("cluster.tier", "dearer-than-dedicated", message, Some("dedicated".to_owned()));
        }
    }
}
