//! Jobs that run once for each value of a matrix.

use flyball_effects::yaml::Node;

/// A job with more combinations is read as it is written.
const MOST_JOBS: usize = 64;

/// Values by name.
type Values = Vec<(String, String)>;

/// A job with each combination of the values of its matrix that its commands name, in its place; `None` if they name none.
pub(super) fn expand(job: &Node, commands: &[&str]) -> Option<Vec<Node>> {
    let matrix = job.get("strategy").get("matrix");
    let is_named = |name: &str| commands.iter().any(|text| text.contains(&format!("matrix.{name}")));
    let mut all: Vec<Values> = vec![Vec::new()];
    for (name, list) in matrix.entries().iter().filter(|(name, _)| is_named(name)) {
        let values: Vec<&str> = list.items().iter().filter_map(Node::text).collect();
        all = all
            .iter()
            .flat_map(|known| values.iter().map(|value| with(known, name, value)))
            .take(MOST_JOBS + 1)
            .collect();
    }
    all.retain(|values| !values.is_empty());
    all.extend(matrix.get("include").items().iter().map(|item| {
        let values = item.entries().iter().filter(|(name, _)| is_named(name));
        values.filter_map(|(name, value)| Some((name.clone(), value.text()?.to_owned()))).collect()
    }));
    all.retain(|values: &Values| !values.is_empty());
    let jobs = all.iter().map(|values| filled(job, values)).collect();
    (1..=MOST_JOBS).contains(&all.len()).then_some(jobs)
}

fn with(known: &Values, name: &str, value: &str) -> Values {
    known.iter().cloned().chain([(name.to_owned(), value.to_owned())]).collect()
}

/// The job with these values, and without its matrix.
fn filled(node: &Node, values: &Values) -> Node {
    match node {
        Node::Text(text) => Node::Text(values.iter().fold(text.clone(), |text, (name, value)| {
            [format!("${{{{ matrix.{name} }}}}"), format!("${{{{matrix.{name}}}}}")]
                .iter()
                .fold(text, |text, mark| text.replace(mark, value))
        })),
        Node::List(items) => Node::List(items.iter().map(|item| filled(item, values)).collect()),
        Node::Map(entries) => {
            let entries = entries.iter().filter(|(name, _)| name != "strategy");
            Node::Map(entries.map(|(name, below)| (name.clone(), filled(below, values))).collect())
        }
    }
}
