//! One word, one idea: no two public types of the workspace share a name without a reason that ARCHITECTURE.md gives.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Where each public type is declared. A lint (`unreachable_pub`) sees to it that nothing else is `pub`.
fn types(folder: &Path, found: &mut BTreeMap<String, Vec<String>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            types(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            for line in fs::read_to_string(&path).unwrap().lines() {
                let mut words = line.split_whitespace();
                let is_type = words.next() == Some("pub")
                    && matches!(words.next(), Some("struct" | "enum" | "trait" | "type"));
                let name =
                    words.next().and_then(|name| name.split(|c: char| !c.is_alphanumeric()).next());
                if let (true, Some(name)) = (is_type, name) {
                    found.entry(name.to_owned()).or_default().push(path.display().to_string());
                }
            }
        }
    }
}

/// The names that ARCHITECTURE.md lets several types have, in its paragraph about them.
fn exceptions(map: &str) -> BTreeSet<&str> {
    let (_, paragraph) = map.split_once("No two public types share a name").unwrap();
    let paragraph = paragraph.split("\n\n").next().unwrap();
    let names = paragraph.split('`').skip(1).step_by(2);
    names.filter_map(|name| name.rsplit("::").next()).filter(|name| !name.contains('-')).collect()
}

#[test]
fn no_two_public_types_share_a_name_without_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        types(&entry.unwrap().path().join("src"), &mut found);
    }
    assert!(found.len() > 300 && found.contains_key("Position"), "{}", found.len());
    found.retain(|_, places| places.len() > 1);
    let map = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let allowed = exceptions(&map);
    for (name, places) in &found {
        assert!(allowed.contains(name.as_str()), "{name} is in {}", places.join(" and "));
    }
    for name in allowed {
        assert!(found.contains_key(name), "only one type is called {name}");
    }
}
