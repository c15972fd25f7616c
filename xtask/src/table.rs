//! Tables in CSV as RFC 4180 has it: a header line, quoted fields, quotes doubled, LF or CRLF.

use anyhow::Context as _;
use std::path::Path;

/// A table with named columns.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// One row of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    table: &'a Table,
    cells: &'a [String],
}

impl Table {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Table> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Table::parse(&text))
    }

    /// Reads a text.
    pub(crate) fn parse(text: &str) -> Table {
        let mut rows = records(text);
        let columns = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
        Table { columns, rows }
    }

    /// All rows, in order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { table: self, cells })
    }
}

impl<'a> Row<'a> {
    /// The cell in a column; a column that is not there is empty.
    pub(crate) fn get(self, column: &str) -> &'a str {
        let at = self.table.columns.iter().position(|name| name == column);
        at.and_then(|at| self.cells.get(at)).map_or("", String::as_str)
    }
}

fn records(text: &str) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let mut record = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                field.push('"');
                chars.next();
            }
            '"' => quoted = !quoted,
            c if quoted => field.push(c),
            ',' => record.push(std::mem::take(&mut field)),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            c => field.push(c),
        }
    }
    if !field.is_empty() || !record.is_empty() {
        record.push(field);
        records.push(record);
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_commas_and_line_ends_inside_fields() {
        let table = Table::parse("a,b\r\n\"x, \"\"y\"\"\nz\",2\n,last");
        let rows: Vec<(&str, &str)> = table.rows().map(|row| (row.get("a"), row.get("b"))).collect();
        assert_eq!(rows, [("x, \"y\"\nz", "2"), ("", "last")]);
        assert_eq!(table.rows().next().map(|row| row.get("none")), Some(""));
    }
}
