//! The question about a compute instance: its document, and a life to play.
//!
//! Beside a job stands a document of another kind: one machine for one person. [`InstanceScenario`] holds the pasted text and
//! the [`Life`] that is assumed: when its owner works, what else is done with it and when, jobs, the disk, prices. Checked
//! against the catalogue it becomes an [`InstancePrepared`]: the model of [`crate::sim::instance`] with schedules and working
//! hours turned into moments, and what its time costs.
//!
//! It is read and written as two sections, `instance` and `life`, of a mapping: a file of its own, or an item of a list in a
//! larger one.

mod clock;
mod fields;
mod file;
mod life;
mod prepare;
mod presets;
mod rules;
mod tune;
mod work;

pub use clock::LifeClock;
pub use fields::{LifeField, LifeKind, life_fields};
pub(super) use file::life;
pub use life::{
    BEGINS, InstancePrices, Life, LifeAction, LifeJob, MOST_DAYS, OS_DISK_GB, ROLES, action_word,
    after_work_word,
};
pub use prepare::{InstanceChecked, InstancePrepared, InstanceQuestion, MONTH_HOURS};
pub use presets::{InstancePreset, instance_presets};
pub use tune::SUGGESTED_IDLE_MINUTES;
pub use work::{WorkHours, describe_work, parse_work};

/// The question as the page holds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceScenario {
    /// The YAML of the compute instance.
    pub text: String,
    /// Everything that it does not say.
    pub life: Life,
}

/// The name of an instance that is made before it has one.
pub const FRESH_NAME: &str = "my-instance";
/// The size of an instance whose document names none, and of a fresh one.
pub const DEFAULT_SIZE: &str = "Standard_DS3_v2";

impl InstanceScenario {
    /// A new instance of a name and a size, with the life that is assumed.
    #[must_use]
    pub fn fresh(name: &str, size: &str) -> Self {
        let text = crate::azure::yaml::text;
        let schema = "https://azuremlschemas.azureedge.net/latest/computeInstance.schema.json";
        let (name, size) = (text(name), text(size));
        Self {
            text: format!("$schema: {schema}\nname: {name}\ntype: computeinstance\nsize: {size}\n"),
            life: Life::default(),
        }
    }
}
