//! Limits of the process (`ulimit`) whose signals would end it before it has answered.

use crate::workshop::signals::{survive_file_size, survive_time};

/// Makes the signals of limits errors of what is being done: a file that may not grow is reported like a full disk, and
/// a process that has used its time goes on until the hard limit.
pub fn survive() {
    // Most processes have no such limit, and setting up signals costs more than asking.
    if flyball_system::has_limit_of_file_size() {
        survive_file_size();
    }
    if flyball_system::has_limit_of_time() {
        survive_time();
    }
}
