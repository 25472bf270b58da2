use flyball_core::path::AbsolutePath;
use flyball_knowledge::node::{Node, rules};
fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let node = Node::new(AbsolutePath::from_root(file.clone()), text.clone());
        let start = std::time::Instant::now();
        let all = rules(&node);
        println!("===== {file}: {} rules, {} bytes, {:?}", all.len(), text.len(), start.elapsed());
        let mut covered = vec![false; text.lines().count() + 2];
        let mut last = Vec::new();
        for rule in &all {
            if rule.headings != last {
                println!("  # {}", rule.headings.join(" > "));
                last = rule.headings.clone();
            }
            let n = rule.text.lines().count();
            for at in rule.line..(rule.line + n).min(covered.len()) {
                covered[at] = true;
            }
            let lead = if rule.lead.is_empty() {
                String::new()
            } else {
                format!("«{}» ", rule.lead.replace('\n', " / ").chars().take(60).collect::<String>())
            };
            println!(
                "    {}{}{}: {}{}{}",
                rule.line,
                if rule.is_general { "g" } else { "" },
                if rule.topic.heading() == "Rules" { "" } else { "T" },
                lead,
                rule.title,
                rule.text.replace('\n', " ⏎ ").chars().take(150).collect::<String>()
            );
        }
        if std::env::var("LEFT").is_ok() {
            println!("  ---- left out");
            for (at, line) in text.lines().enumerate() {
                if !covered[at + 1] && !line.trim().is_empty() {
                    println!("    {}: {}", at + 1, line.chars().take(170).collect::<String>());
                }
            }
        }
    }
}
