//! Distributes many files among command lines.

/// Command lines stay below this: systems have limits.
const MOST_BYTES: usize = 100 * 1024;
/// Fewer files than this are not worth a second start of the program.
const WORTH_SPLITTING: usize = 16;
/// So that the last command does not run long after all others.
const MOST_FILES: usize = 200;

/// Distributes things among as many lists as keep `width` cores busy, none with a command line that is
/// too long. `bytes` is what one thing adds to it.
pub(super) fn split_evenly<T>(things: Vec<T>, width: usize, bytes: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let each = match things.len() {
        few if few <= WORTH_SPLITTING => few,
        many => many.div_ceil(width.max(1)).clamp(WORTH_SPLITTING / 2, MOST_FILES),
    };
    let mut lists: Vec<Vec<T>> = Vec::new();
    let mut room = 0;
    for thing in things {
        let size = bytes(&thing) + 1;
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
        assert_eq!(sizes(40, 2, 10), [20, 20]);
        assert_eq!(sizes(1000, 2, 10), [200; 5]);
        assert_eq!(sizes(3, 2, 60_000), [1, 1, 1]);
        assert_eq!(sizes(2, 2, 200_000), [1, 1]);
    }
}
