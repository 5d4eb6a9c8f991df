//! Takes what looks like a secret out of a pasted text, and leaves every other character as it was typed.
//!
//! Two searches go over the text. The first walks its tree, if it can be read: there the value of a key is known
//! wherever it stands and however it is written ([`tree`]); of a Python text it goes over the pieces ([`python`]). The second goes over the lines, for what no tree has:
//! comments, commands, subscription ids, and everything in a text that cannot be read ([`sweep`]). What is found is
//! replaced, and the result searched again, until nothing is left to find.

mod python;
mod sweep;
mod tree;

use crate::azure::python::is_python;
use std::collections::HashSet;
use std::ops::Range;

/// What stands in the place of a secret.
pub const INSTEAD: &str = "left_out";

/// A secret that was left out of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeftOut {
    /// Its line, from 1.
    pub line: usize,
    /// The key that it belongs to, or what it is.
    pub name: String,
}

/// A stretch of text that must not travel.
#[derive(Debug)]
struct Hit {
    range: Range<usize>,
    instead: String,
    name: String,
    /// Where its key stands.
    at: usize,
}

/// Searching again is needed for what only shows when something else is gone; a text that has more to hide after so
/// many rounds stays behind as a whole.
const MOST_ROUNDS: usize = 4;

/// The text without its secrets, and what they were.
pub fn leave_out(text: &str) -> (String, Vec<LeftOut>) {
    let mut left_out = Vec::new();
    let mut known: HashSet<LeftOut> = HashSet::new();
    let mut text = text.to_owned();
    for _ in 0..MOST_ROUNDS {
        let hits = find(&text);
        if hits.is_empty() {
            return (text, left_out);
        }
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        for hit in &hits {
            let line = 1 + ends.partition_point(|end| *end < hit.at);
            let found = LeftOut { line, name: hit.name.clone() };
            if known.insert(found.clone()) {
                left_out.push(found);
            }
        }
        text = apply(&text, &hits);
    }
    left_out.push(LeftOut { line: 1, name: "the whole text".to_owned() });
    (String::new(), left_out)
}

/// Whether a text has a secret.
pub fn has_secret(text: &str) -> bool {
    !find(text).is_empty()
}

/// All that must not travel, in order and apart.
fn find(text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    let code = is_python(text).then(|| python::Code::new(text));
    let in_tree = code.as_ref().map(python::Code::search).or_else(|| tree::search(text));
    let is_read = in_tree.is_some();
    if let Some(tree::InTree { hits: found, values }) = in_tree {
        hits = apart(found);
        let again = repeated(text, &values, &hits);
        hits.extend(again);
        hits = apart(hits);
    }
    let mut swept = sweep::search(text, is_read, &hits);
    if let Some(code) = code {
        // What stands in code itself was judged above.
        swept.retain(|hit| code.is_words(&hit.range));
    }
    hits.extend(swept);
    hits.retain(|hit| text[hit.range.clone()] != hit.instead && !hit.range.is_empty());
    apart(hits)
}

/// In order, of those that overlap the first and longest.
fn apart(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by_key(|hit| (hit.range.start, std::cmp::Reverse(hit.range.end)));
    let mut end = 0;
    hits.retain(|hit| {
        let apart = hit.range.start >= end;
        if apart {
            end = hit.range.end;
        }
        apart
    });
    hits
}

/// Whether a range overlaps one of those that are in order and apart.
fn overlaps(hits: &[Hit], range: &Range<usize>) -> bool {
    let next = hits.partition_point(|hit| hit.range.end <= range.start);
    hits.get(next).is_some_and(|hit| hit.range.start < range.end)
}

/// Most secrets that are looked for elsewhere in the text.
const MOST_REPEATED: usize = 100;

/// Other places at which the same password stands.
fn repeated(text: &str, values: &HashSet<String>, hits: &[Hit]) -> Vec<Hit> {
    let values = values.iter().take(MOST_REPEATED);
    let places = values.flat_map(|value| text.match_indices(value.as_str()));
    let places = places.map(|(at, value)| (at, at..at + value.len()));
    let elsewhere = places.filter(|(_, range)| !overlaps(hits, range));
    let name = "a value that is a secret elsewhere";
    elsewhere
        .map(|(at, range)| Hit { range, instead: INSTEAD.to_owned(), name: name.to_owned(), at })
        .collect()
}

fn apply(text: &str, hits: &[Hit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for hit in hits {
        out.push_str(&text[done..hit.range.start]);
        out.push_str(&hit.instead);
        done = hit.range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// Parts of names that have secrets for values, without what separates words.
const PARTS: [&str; 15] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "keyvalue",
    "connectionstring",
    "accountkey",
    "accesskey",
    "apikey",
    "privatekey",
    "credential",
    "sshkey",
    "sshpublickey",
    "environmentvariables",
];
/// The same as words of their own.
const WORDS: [&str; 4] = ["sas", "sig", "pwd", "pat"];

/// Whether the value of a key of this name is a secret.
fn is_secret(name: &str) -> bool {
    let joined: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    PARTS.iter().any(|part| joined.contains(part)) || words(name).any(|word| WORDS.contains(&word.as_str()))
}

/// Whether the values are variables rather than one secret: each may be as short and usual as `1`.
fn is_environment(name: &str) -> bool {
    name.to_lowercase().contains("environment")
}

/// The words of a name: `sasUrl` and `SAS_URL` have the same.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut before_is_lower = false;
    for c in name.chars() {
        if (c.is_uppercase() && before_is_lower) || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before_is_lower = c.is_lowercase();
    }
    words.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without its secrets; panics if one is still in it.
    fn hidden(text: &str) -> String {
        let (hidden, left_out) = leave_out(text);
        assert!(!hidden.contains("hunter"), "{text}\n->\n{hidden}");
        assert!(!left_out.is_empty(), "{text}");
        assert!(!has_secret(&hidden), "{text}\n->\n{hidden}");
        hidden
    }

    #[test]
    fn a_secret_is_found_however_it_is_written() {
        for (text, left) in [
            ("a: 1\nadmin_password: hunter2\nb: 2\n", "a: 1\nadmin_password: left_out\nb: 2\n"),
            ("admin_password:   'hunter2'   # mine\n", "admin_password:   'left_out'   # left_out\n"),
            ("{\"admin_password\":\"hunter\\\"2\",\"b\":1}", "{\"admin_password\":\"left_out\",\"b\":1}"),
            (
                "u: {admin_password: hunter 2, n: \"a # b\"}\n",
                "u: {admin_password: left_out, n: \"a # b\"}\n",
            ),
            ("\"admin\\u005fpassword\": hunter2\n", "\"admin\\u005fpassword\": left_out\n"),
            ("? admin_password\n: hunter2\n", "? admin_password\n: left_out\n"),
            ("ssh_key_value: |\n  ssh-rsa\n  hunter2\nb: 2\n", "ssh_key_value: |\n  left_out\nb: 2\n"),
            (
                "u:\n  ssh_key_value: >-  # hunter\n    hunter2\n\n  b: 2\n",
                "u:\n  ssh_key_value: >-  # left_out\n    left_out\n\n  b: 2\n",
            ),
            ("p: &p !!str hunter22\nmy_secret: *p\n", "p: &p !!str left_out\nmy_secret: *p\n"),
            ("my_secret: &p |\n  hunter2\nq: *p\n", "my_secret: &p |\n  left_out\nq: *p\n"),
            ("token: !!str\n  \"hunter\n  2\"\n", "token: !!str\n  \"left_out\"\n"),
            ("token: hunter\n  two\n  three\nb: 1\r\n", "token: left_out\nb: 1\r\n"),
            (
                "environment_variables:\n  A: hunter2\n  # OLD: hunter1\n  # the region\n  B: [hunter, {c: hunter}]\nd: 1\n",
                "environment_variables:\n  A: left_out\n  # left_out\n  # the region\n  B: [left_out, {c: left_out}]\nd: 1\n",
            ),
            (
                "environment_variables: {A: hunter2, B: 'hunter3'} # c\nd: 1\n",
                "environment_variables: {A: left_out, B: 'left_out'} # left_out\nd: 1\n",
            ),
            ("# admin_password: hunter2 and hunter3\na: 1\n", "# admin_password: left_out\na: 1\n"),
            (
                "# environment_variables:\n#   A: hunter2\n# b\na: 1\n",
                "# environment_variables:\n#   left_out\n# b\na: 1\n",
            ),
            ("a: 1 # password=hunter2\n", "a: 1 # password=left_out\n"),
            (
                "command: run --password=hunter2 --api-key hunter3 -x\n",
                "command: run --password=left_out --api-key left_out -x\n",
            ),
            ("json: '{\"password\":\"hunter2\",\"b\":1}'\n", "json: '{\"password\":\"left_out\",\"b\":1}'\n"),
            (
                "<<: {admin_password: hunter2}\nadmin_password: hunter1\n",
                "<<: {admin_password: left_out}\nadmin_password: left_out\n",
            ),
            (
                "url: https://x.blob.core.windows.net/c?sv=1&sig=hunter%3D&se=2\n",
                "url: https://x.blob.core.windows.net/c?sv=1&sig=left_out&se=2\n",
            ),
            (
                "s: DefaultEndpointsProtocol=https;AccountKey=hunter==;E=x\n",
                "s: DefaultEndpointsProtocol=https;AccountKey=left_out;E=x\n",
            ),
            ("git: https://me:hunter2@example.com/x\n", "git: https://me:left_out@example.com/x\n"),
            (
                "admin_password: hunter2222\ndescription: it is hunter2222\n# hunter2222!\n",
                "admin_password: left_out\ndescription: it is left_out\n# left_out!\n",
            ),
            (
                "key: |\n  -----BEGIN EC PRIVATE KEY-----\n  hunter\n  -----END EC PRIVATE KEY-----\nb: 2\n",
                "key: |\n  -----BEGIN EC PRIVATE KEY-----\n  left_out\n  -----END EC PRIVATE KEY-----\nb: 2\n",
            ),
            (
                "\u{feff}pässword: 1\nconnectionString: hunter2\n",
                "\u{feff}pässword: 1\nconnectionString: left_out\n",
            ),
            ("a: 1\radmin_password: hunter2\rb: 2\r", "a: 1\radmin_password: left_out\rb: 2\r"),
            ("a: \"pass\\x77ord=hunter2\"\n", "a: \"left_out\"\n"),
            ("a: 1\n---\nsas_url: hunter2\n", "a: 1\n---\nsas_url: left_out\n"),
            // Texts that cannot be read.
            ("a: [\nadmin_password: hunter2\nb: 2\n", "a: [\nadmin_password: left_out\nb: 2\n"),
            (
                "a: [\nu:\n  ssh_key_value: |\n    hunter2\n    hunter3\n  b: 2\n",
                "a: [\nu:\n  ssh_key_value: |\n    left_out\n    left_out\n  b: 2\n",
            ),
            (
                "a: [\nenvironment_variables:\n- A: hunter2\n- hunter3\nb: 2\n",
                "a: [\nenvironment_variables:\n- left_out\n- left_out\nb: 2\n",
            ),
            ("a: [\ntoken: \"hunter2\nhunter3\" # hunter\nb: 2\n", "a: [\ntoken: left_out\nleft_out\nb: 2\n"),
            (
                "{\"a\": 1,\n\"admin_password\": \"hunter2\", \"c\": 3\n",
                "{\"a\": 1,\n\"admin_password\": left_out\n",
            ),
            ("password:hunter2\n: x\n\ty: z\n", "password:left_out\n: x\n\ty: z\n"),
        ] {
            assert_eq!(hidden(text), left, "{text}");
        }
    }

    #[test]
    fn ids_of_subscriptions_are_zeroed_and_other_ids_stay() {
        let id = "0a1b2c3d-1111-2222-3333-abcdefabcdef";
        let zero = "00000000-0000-0000-0000-000000000000";
        for text in [
            format!("compute: /subscriptions/{id}/resourceGroups/g\n"),
            format!("compute: \"/Subscriptions/{id}\"\n# /subscriptions/{id}\n"),
            format!("subscription_id: {id}\n"),
            format!("url: https://x/%2fsubscriptions%2F{id}%2Fx\n"),
            format!("bad: [\nx: /subscriptions/{id}\n"),
        ] {
            let (hidden, left_out) = leave_out(&text);
            assert_eq!(hidden, text.replace(id, zero));
            assert_eq!(left_out[0].name, "subscription id");
        }
        let escaped = format!("a: \"/subscriptions\\x2f{}\\\n  {}\"\n", &id[..10], &id[10..]);
        assert_eq!(leave_out(&escaped).0, "a: \"left_out\"\n");
        for text in [format!("client_id: {id}\n"), "x: /subscriptions/<SUBSCRIPTION_ID>/y\n".to_owned()] {
            assert_eq!(leave_out(&text), (text.clone(), Vec::new()));
        }
    }

    #[test]
    fn secrets_of_python_go_and_it_stays_python() {
        for (text, left) in [
            (
                "AmlCompute(name='a', admin_user_password=\"hunter2\", max_nodes=2)\n",
                "AmlCompute(name='a', admin_user_password=\"left_out\", max_nodes=2)\n",
            ),
            (
                "AmlCompute(\n    admin_user_ssh_key='ssh-rsa hunter' 'two',  # hunter\n    size='S',\n)\n",
                "AmlCompute(\n    admin_user_ssh_key='left_out' 'left_out',  # left_out\n    size='S',\n)\n",
            ),
            (
                "s = Ssh(admin_password=pw, ssh_key_value=f'''hunter\n2''')\nAmlCompute(ssh_settings=s)\npw = 'hunter2'\n",
                "s = Ssh(admin_password=pw, ssh_key_value=f'''left_out''')\nAmlCompute(ssh_settings=s)\npw = 'left_out'\n",
            ),
            (
                "AmlCompute.provisioning_configuration('S', 'lowpriority', 0, 4, 60, 'me',\n  'hunter2', # hunter\n  key)\nkey = 'hunter3'\n",
                "AmlCompute.provisioning_configuration('S', 'lowpriority', 0, 4, 60, 'me',\n  'left_out', # left_out\n  key)\nkey = 'left_out'\n",
            ),
            (
                "ComputeInstance.provisioning_configuration(\n    'S', True, f('ssh-rsa', 'hunter'), subnet_name='n')\n",
                "ComputeInstance.provisioning_configuration(\n    'S', True, f('left_out', 'left_out'), subnet_name='n')\n",
            ),
            (
                "a = 'hunter2'\nb: str = a\nAmlCompute(admin_password=b or 'hunter3')\n",
                "a = 'left_out'\nb: str = a\nAmlCompute(admin_password=b or 'left_out')\n",
            ),
            (
                "BatchDeployment(environment_variables={'A': 'hunter', 'B': 0.5, 'C': {'D': 'hunter'}}, name='d')\n",
                "BatchDeployment(environment_variables={'A': 'left_out', 'B': \"left_out\", 'C': {'D': 'left_out'}}, name='d')\n",
            ),
            (
                "BatchDeployment(environment_variables=dict(A='hunter', B=b))\nb = \"hunter\"\n",
                "BatchDeployment(environment_variables=dict(A='left_out', B=b))\nb = \"left_out\"\n",
            ),
            (
                "import os\nos.environ['API_KEY'] = 'hunter2'\nd = {'token': 'hunter3', 'n': 'x'}\n",
                "import os\nos.environ['API_KEY'] = 'left_out'\nd = {'token': 'left_out', 'n': 'x'}\n",
            ),
            (
                "import os\nc = MLClient(credential=DefaultAzureCredential(), url='https://me:hunter2@host')\n# password: hunter3\n",
                "import os\nc = MLClient(credential=DefaultAzureCredential(), url='https://me:left_out@host')\n# password: left_out\n",
            ),
            (
                "import os\nstep(arguments='run --password=hunter2')\n",
                "import os\nstep(arguments='run --password=left_out')\n",
            ),
            (
                "AmlCompute(admin_password='hunter2222')\nprint('hunter2222')\n",
                "AmlCompute(admin_password='left_out')\nprint('left_out')\n",
            ),
            (
                "import os\npassword, user = 'hunter', 'me'\nuser, token = 'me', 'hunter'\n",
                "import os\npassword, user = 'left_out', 'left_out'\nuser, token = 'left_out', 'left_out'\n",
            ),
            // It does not end, or is no Python any more.
            ("AmlCompute(admin_password='hunter2\n", "AmlCompute(admin_password='left_out\n"),
            ("AmlCompute(admin_password=[\n'hunter2'\n", "AmlCompute(admin_password=[\n'left_out'\n"),
        ] {
            assert_eq!(hidden(text), left, "{text}");
        }
        let id = "0a1b2c3d-1111-2222-3333-abcdefabcdef";
        for text in [
            format!("import os\nMLClient(DefaultAzureCredential(), '{id}', 'g', 'w')\n"),
            format!("import os\nMLClient(credential, subscription_id=\"{id}\")\n"),
            format!("import os\nsub_id = '{id}'\nMLClient(credential, sub_id)\n"),
            format!("AmlCompute(subnet='/subscriptions/{id}/resourceGroups/g')\n"),
        ] {
            assert_eq!(leave_out(&text).0, text.replace(id, "00000000-0000-0000-0000-000000000000"));
        }
        for text in [
            format!("AssignedUserConfiguration(user_object_id='{id}')\nAmlCompute(name='a')\n"),
            "AmlCompute.provisioning_configuration('S', max_nodes=4, tags={'a': 'b'}, location='eastus')\n"
                .to_owned(),
            "AmlCompute.provisioning_configuration(".to_owned(),
            "import os\ncredential = DefaultAzureCredential()\npassword = os.getenv()\nif token == other: pass\n"
                .to_owned(),
            "AmlCompute(environment_variables={}, admin_password=None)\n".to_owned(),
        ] {
            assert_eq!(leave_out(&text), (text.clone(), Vec::new()));
        }
    }

    #[test]
    fn what_is_no_secret_stays_as_it_was_typed() {
        for text in [
            "",
            "\t\u{0}: [\r\n",
            "image: foo/token:v2\nmodel: azureml:secret-model@latest\n",
            "admin_password:\nssh_key_value: ~\nenvironment_variables: {}\n",
            "# the password is in the vault\n# sash: x\n",
            "description: \"no # password here\"\n",
            "admin_username: me\nname: sasha\n",
        ] {
            assert_eq!(leave_out(text), (text.to_owned(), Vec::new()), "{text}");
        }
    }

    #[test]
    fn what_is_left_out_is_named_with_its_line() {
        let text = "a: 1\nb:\n  admin_password: hunter2\n  environment_variables:\n    A: x\n    B: y\n";
        let (_, left_out) = leave_out(text);
        let said: Vec<_> = left_out.iter().map(|left| (left.line, left.name.as_str())).collect();
        assert_eq!(said, [(3, "admin_password"), (4, "environment_variables")]);
    }
}
