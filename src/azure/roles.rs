//! Who may do what with a compute instance: Azure's actions, and the roles that have them.
//!
//! The actions are those of Azure's pages "Manage a compute instance" and "Create a compute instance". What a role has comes from
//! its definition: Owner and Contributor have `*`, Reader `*/read`, and `AzureML` Data Scientist every action of a workspace
//! but `computes/*/write` and `computes/*/delete` (page "Manage access to Azure Machine Learning workspaces"). Who can open
//! Jupyter does not depend on a role: only the user whose instance it is.

/// Something that is done with a compute instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// See it and its state.
    Read,
    /// Create it, or change what can be changed.
    Create,
    /// Delete it.
    Delete,
    /// Start it.
    Start,
    /// Stop it.
    Stop,
    /// Restart it.
    Restart,
    /// Change its schedules.
    UpdateSchedules,
    /// Turn single sign-on on, after somebody else created it.
    EnableSso,
    /// Open Jupyter, `JupyterLab`, the terminal or an application on it.
    OpenJupyter,
}

/// A role in the workspace, or the user whose instance it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Owner of the workspace.
    Owner,
    /// Contributor of the workspace.
    Contributor,
    /// `AzureML` Data Scientist.
    DataScientist,
    /// Reader.
    Reader,
    /// The user whose instance it is, with the actions that Azure's page asks for them: start, stop, restart, schedules,
    /// application access.
    #[default]
    AssignedUser,
}

/// Whether a role may do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum May {
    /// It may.
    Yes,
    /// It may not.
    No,
    /// Only on an instance of their own: created by them, or assigned to them.
    OwnOnly,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 9] = [
        Self::Read,
        Self::Create,
        Self::Delete,
        Self::Start,
        Self::Stop,
        Self::Restart,
        Self::UpdateSchedules,
        Self::EnableSso,
        Self::OpenJupyter,
    ];

    /// What it is, in words.
    #[must_use]
    pub fn described(self) -> &'static str {
        match self {
            Self::Read => "see it",
            Self::Create => "create it",
            Self::Delete => "delete it",
            Self::Start => "start it",
            Self::Stop => "stop it",
            Self::Restart => "restart it",
            Self::UpdateSchedules => "change its schedules",
            Self::EnableSso => "turn single sign-on on",
            Self::OpenJupyter => "open Jupyter, the terminal or an application",
        }
    }

    /// Azure's actions for it, without `Microsoft.MachineLearningServices/workspaces/`.
    #[must_use]
    pub fn actions(self) -> &'static [&'static str] {
        match self {
            Self::Read => &["computes/read"],
            Self::Create => &["computes/write", "checkComputeNameAvailability/action"],
            Self::Delete => &["computes/delete"],
            Self::Start => &["computes/start/action"],
            Self::Stop => &["computes/stop/action"],
            Self::Restart => &["computes/restart/action"],
            Self::UpdateSchedules => &["computes/updateSchedules/action"],
            Self::EnableSso => &["computes/enableSso/action"],
            Self::OpenJupyter => &["computes/applicationaccess/action"],
        }
    }
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 5] =
        [Self::Owner, Self::Contributor, Self::DataScientist, Self::Reader, Self::AssignedUser];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Owner => "Owner",
            Self::Contributor => "Contributor",
            Self::DataScientist => "AzureML Data Scientist",
            Self::Reader => "Reader",
            Self::AssignedUser => "assigned user",
        }
    }

    /// Whether it may do something.
    #[must_use]
    pub fn may(self, operation: Operation) -> May {
        match (self, operation) {
            (Self::AssignedUser, Operation::Create | Operation::Delete) => May::No,
            (Self::Reader, Operation::Read) | (Self::AssignedUser, _) => May::Yes,
            (Self::Reader, _) | (Self::DataScientist, Operation::Create | Operation::Delete) => May::No,
            (_, Operation::EnableSso | Operation::OpenJupyter) => May::OwnOnly,
            _ => May::Yes,
        }
    }
}

impl May {
    /// In a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::OwnOnly => "own only",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_what_their_definitions_say() {
        use Operation::{Create, Delete, OpenJupyter, Read, Start, UpdateSchedules};
        for role in [Role::Owner, Role::Contributor] {
            assert!(
                [Read, Create, Delete, Start, UpdateSchedules].iter().all(|op| role.may(*op) == May::Yes)
            );
            // Everything but what is in it.
            assert_eq!(role.may(OpenJupyter), May::OwnOnly);
        }
        let may = |role: Role| Operation::ALL.map(|operation| role.may(operation) == May::Yes);
        assert_eq!(may(Role::Reader), [true, false, false, false, false, false, false, false, false]);
        assert_eq!(may(Role::DataScientist), [true, false, false, true, true, true, true, false, false]);
        assert_eq!(may(Role::AssignedUser), [true, false, false, true, true, true, true, true, true]);
    }
}
