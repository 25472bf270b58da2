//! Mutants of all command lines in `commands/`: whatever comes out, it is read without a panic and
//! with effects in proportion to its length. No line is ever run.

use flyball_effects::Line;

const TABLES: [&str; 8] = [
    include_str!("commands/evasions.txt"),
    include_str!("commands/everyday.txt"),
    include_str!("commands/harmful.txt"),
    include_str!("commands/near_misses.txt"),
    include_str!("commands/packages.txt"),
    include_str!("commands/protected.txt"),
    include_str!("commands/tamper.txt"),
    include_str!("commands/workday.txt"),
];
/// How many mutants each line has.
const MUTANTS: usize = 40;
/// Pieces that change what is around them.
const PIECES: [&str; 24] = [
    "'", "\"", "\\", "$(", ")", "`", "${", "}", "<<E\n", "\nE\n", ";", "|", "&", "&&", "> f", "< f", "\n",
    "{a,b}", "*", "\0", "é", "$((", "if ", " done",
];

/// A generator that gives every run the same numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (bound.max(1) as u64)).unwrap_or_default()
    }
}

fn lines() -> Vec<String> {
    let rows = TABLES.iter().flat_map(|table| table.lines()).filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| row.split_once(" :: ")).map(|(_, line)| line.replace("\\n", "\n")).collect()
}

fn mutant(line: &str, others: &[String], numbers: &mut Numbers) -> String {
    let mut letters: Vec<char> = line.chars().collect();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(letters.len() + 1);
        match numbers.below(5) {
            0 if !letters.is_empty() => drop(letters.remove(at.min(letters.len() - 1))),
            1 => {
                let end = (at + numbers.below(12)).min(letters.len());
                let copy: Vec<char> = letters.get(at..end).unwrap_or_default().to_vec();
                letters.splice(at..at, copy);
            }
            2 => letters.truncate(at),
            3 => {
                let other = others.get(numbers.below(others.len())).map_or("", String::as_str);
                letters.splice(at..at, other.chars());
            }
            _ => {
                let piece = PIECES.get(numbers.below(PIECES.len())).copied().unwrap_or_default();
                letters.splice(at..at, piece.chars());
            }
        }
    }
    letters.into_iter().collect()
}

#[test]
fn mutants_of_all_lines_are_read_without_a_panic() {
    let all = lines();
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for line in &all {
        for _ in 0..MUTANTS {
            let mutant = mutant(line, &all, &mut numbers);
            let read = Line::read(&mutant);
            let found = read.effects.files.len() + read.effects.network.len() + read.effects.opaque.len();
            // A loop reads its body once for each of its words, of which only a few are distinguished.
            assert!(found <= 64 + 16 * mutant.len(), "{found} effects of {mutant:?}");
        }
    }
}
