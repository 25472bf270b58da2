//! The evidence of policies. Most with evidence are silent, so the table of verdicts does not list them.

use flyball_core::record::Record;
use rusqlite::params;

use super::index::Index;
use super::values::{optional_text, owned_text};
use crate::error::StoreError;
use crate::questions::{EvidenceFilter, PayloadMode};

impl Index {
    pub(super) fn with_evidence(&self, filter: &EvidenceFilter<'_>) -> Result<Vec<Record>, StoreError> {
        let payload = match filter.payloads {
            PayloadMode::With => "(SELECT payload FROM payloads WHERE event = e.id)",
            PayloadMode::Without => "NULL",
        };
        let sql = format!(
            "SELECT r.record, {payload} FROM events e JOIN records r ON r.event = e.id
             WHERE e.project = (SELECT id FROM projects WHERE path = ?1) AND e.at >= ?2 AND e.duplicate = 0
             AND instr(r.record, ?3) > 0 ORDER BY e.at, e.id"
        );
        // As the record is written: compact JSON.
        let mark = format!("\"policy\":\"{}", filter.policies);
        let mut statement = self.connection.prepare(&sql).map_err(self.failed())?;
        let rows = statement
            .query_map(params![filter.project, filter.since.as_micros(), mark], |row| {
                Ok((owned_text(row, 0)?, optional_text(row, 1)?))
            })
            .map_err(self.failed())?;
        let mut records = Vec::new();
        for row in rows {
            let (json, payload) = row.map_err(self.failed())?;
            // One that only a newer flyball can read is skipped.
            if let Ok(mut record) = serde_json::from_str::<Record>(&json) {
                record.payload = payload;
                records.push(record);
            }
        }
        Ok(records)
    }
}
