//! Distributes many files among command lines.

/// Command lines stay below this. Linux gives arguments and variables a quarter of the stack, 2 MB as a rule, and macOS
/// 1 MB. At this size, starting the program again costs nothing that could be measured.
const MOST_BYTES: usize = 256 * 1024;
/// What the system needs for each word besides its text: the byte behind it, and its address.
const WORD_BYTES: usize = 9;
/// Fewer files than this are not worth a second start of the program.
const WORTH_SPLITTING: usize = 16;

/// Distributes things among as few lists as the length of a command line allows, all of about the same size, and as many
/// as keep `width` cores busy to the end. `bytes` is what one thing adds to the command line.
pub(super) fn split_evenly<T>(things: Vec<T>, width: usize, bytes: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let total: usize = things.iter().map(|thing| bytes(thing) + WORD_BYTES).sum();
    let width = if things.len() <= WORTH_SPLITTING { 1 } else { width.max(1) };
    let count = total.div_ceil(MOST_BYTES).next_multiple_of(width).max(1);
    let smallest = if width == 1 { 1 } else { WORTH_SPLITTING / 2 };
    let each = things.len().div_ceil(count).max(smallest);
    let mut lists: Vec<Vec<T>> = Vec::new();
    let mut room = 0;
    for thing in things {
        let size = bytes(&thing) + WORD_BYTES;
        match lists.last_mut().filter(|list| list.len() < each && size <= room) {
            Some(list) => {
                room -= size;
                list.push(thing);
            }
            None => {
                // A single name that is too long still goes into a command of its own.
                room = MOST_BYTES.saturating_sub(size);
                lists.push(vec![thing]);
            }
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_distributed_in_order() {
        let sizes = |count: usize, width: usize, bytes: usize| {
            let lists = split_evenly((0..count).collect(), width, |_| bytes);
            assert_eq!(lists.concat(), (0..count).collect::<Vec<usize>>());
            lists.iter().map(Vec::len).collect::<Vec<usize>>()
        };
        assert_eq!(sizes(0, 2, 10), [0; 0]);
        assert_eq!(sizes(16, 2, 10), [16]);
        assert_eq!(sizes(17, 8, 10), [8, 8, 1]);
        assert_eq!(sizes(40, 2, 10), [20, 20]);
        assert_eq!(sizes(1000, 2, 10), [500, 500]);
        assert_eq!(sizes(1000, 1, 10), [1000]);
        // 60,000 names of 30 bytes are nine full command lines, so ten for two cores.
        assert_eq!(sizes(60_000, 2, 30), [6_000; 10]);
        assert_eq!(sizes(3, 2, 200_000), [1, 1, 1]);
        assert_eq!(sizes(2, 2, 400_000), [1, 1]);
    }
}
