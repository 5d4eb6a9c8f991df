//! Rows and fields of a text: with a delimiter, or in columns of fixed width.

use super::ExportError;
use super::header;
use csv::{ReaderBuilder, StringRecord};

/// A row.
pub struct Row {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Its fields, trimmed.
    pub fields: StringRecord,
}

/// The rows of a file.
pub struct Sheet {
    delimiter: u8,
    /// All of them but empty ones.
    pub rows: Vec<Row>,
}

impl Sheet {
    /// Whether a comma in a number may be its decimal sign without doubt.
    pub fn decimal_comma(&self) -> bool {
        self.delimiter != b','
    }
}

/// What may stand between two fields.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];
/// Lines in which the header must stand.
pub const HEAD: usize = 50;

/// Takes a text apart by the delimiter that makes a header of one of its first lines; if none does, by the one that
/// finds most fields.
pub fn sheet(text: &str) -> Result<Sheet, ExportError> {
    let text = text.trim_start_matches('\u{feff}');
    if let Some(sheet) = fixed_width(text) {
        return Ok(sheet);
    }
    let head = text.split_inclusive('\n').take(HEAD).map(str::len).sum();
    let score = |delimiter: u8| {
        let Ok(rows) = delimited(&text[..head], delimiter) else { return (false, 0) };
        let widest = rows.iter().map(|row| row.fields.len()).max().unwrap_or(0);
        (header::find(&Sheet { delimiter, rows }).is_ok(), widest)
    };
    let delimiter = DELIMITERS.into_iter().rev().max_by_key(|delimiter| score(*delimiter)).unwrap_or(b',');
    Ok(Sheet { delimiter, rows: delimited(text, delimiter)? })
}

fn delimited(text: &str, delimiter: u8) -> Result<Vec<Row>, ExportError> {
    let mut reader = ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(delimiter).trim(csv::Trim::All);
    let mut rows = Vec::new();
    // A line is counted once, on the way.
    let (mut line, mut counted) = (1, 0);
    for record in reader.from_reader(text.as_bytes()).into_records() {
        let fields = record.map_err(|error| {
            let line = error.position().map_or(1, |position| position.line() as usize);
            ExportError::new(line, format!("this is not CSV: {error}"))
        })?;
        if let Some(position) = fields.position() {
            let from = (position.byte() as usize).min(text.len());
            // Empty lines before it are taken for its beginning.
            let empty = text.as_bytes()[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let begin = from + empty;
            line += text.get(counted..begin).map_or(0, |passed| passed.matches('\n').count());
            counted = begin;
        }
        rows.push(Row { line, fields });
    }
    Ok(rows)
}

/// A table as the command line prints it: names, a line of dashes, rows.
fn fixed_width(text: &str) -> Option<Sheet> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let head = lines.next()?;
    let (_, dashes) = lines.next()?;
    if !dashes.trim_end().chars().all(|c| c == '-' || c == ' ') || !dashes.contains("--") {
        return None;
    }
    let starts = dashes.char_indices().filter(|&(i, c)| c == '-' && (i == 0 || dashes[..i].ends_with(' ')));
    let starts: Vec<usize> = starts.map(|(i, _)| i).collect();
    let rows = [head].into_iter().chain(lines).map(|(i, line)| {
        let letters: Vec<char> = line.chars().collect();
        let ends = starts.iter().skip(1).copied().chain([usize::MAX]);
        let fields = starts.iter().zip(ends).map(|(&from, to)| {
            let to = to.min(letters.len());
            let field: String = letters.get(from.min(to)..to).unwrap_or_default().iter().collect();
            field.trim().to_owned()
        });
        Row { line: i + 1, fields: fields.collect() }
    });
    Some(Sheet { delimiter: b'\t', rows: rows.collect() })
}

/// A number of at least 0; nothing, a dash or the like is none.
pub fn number(text: &str, decimal_comma: bool) -> Result<Option<f64>, String> {
    let text = text.trim();
    if ["", "-", "--", "–", "—", "null", "none", "nan", "n/a"].contains(&text.to_lowercase().as_str()) {
        return Ok(None);
    }
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (comma, point) = (plain.rfind(','), plain.rfind('.'));
    let thousands = |sign: char| {
        let mut groups = plain.split(sign);
        let first = groups.next().unwrap_or_default();
        (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3)
    };
    let plain = match (comma, point) {
        (Some(comma), Some(point)) if comma < point => plain.replace(',', ""),
        (Some(_), Some(_)) => plain.replace('.', "").replace(',', "."),
        (Some(_), None) if !decimal_comma && thousands(',') => plain.replace(',', ""),
        _ => plain.replace(',', "."),
    };
    match plain.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(Some(value)),
        Ok(_) => Err(format!("`{text}` is not a number of nodes or cores: at least 0")),
        Err(_) => Err(format!("`{text}` is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_each_country_writes_them() {
        for (text, decimal_comma, value) in [
            ("3", false, Some(3.0)),
            ("0.5", false, Some(0.5)),
            ("0,5", false, Some(0.5)),
            ("1,234", false, Some(1234.0)),
            ("1,234", true, Some(1.234)),
            ("1,234.5", false, Some(1234.5)),
            ("1.234,5", true, Some(1234.5)),
            ("1 234,5", true, Some(1234.5)),
            ("", false, None),
            ("-", false, None),
            ("NaN", true, None),
            ("null", true, None),
        ] {
            assert_eq!(number(text, decimal_comma), Ok(value), "{text}");
        }
        for text in ["many", "-1", "inf", "1,2,3", "2026-11-03"] {
            assert!(number(text, false).is_err(), "{text}");
        }
    }

    #[test]
    fn rows_know_their_lines() {
        let text = "\u{feff}a,b\n\n\r\n\"c\nd\",e\r\n\nf\n";
        let sheet = sheet(text).unwrap();
        let lines: Vec<_> = sheet.rows.iter().map(|row| (row.line, row.fields.get(0).unwrap())).collect();
        assert_eq!(lines, [(1, "a"), (4, "c\nd"), (7, "f")]);
    }

    #[test]
    fn a_table_of_the_command_line_is_taken_apart_by_its_dashes() {
        let text = "Timestamp            Name             Average\n\
                    -------------------  ---------------  ---------\n\
                    2026-11-03 04:05:00  Preempted Nodes  1.5\n\
                    2026-11-03 04:06:00  Preempted Nodes\n";
        let sheet = sheet(text).unwrap();
        let fields: Vec<Vec<_>> = sheet.rows.iter().map(|row| row.fields.iter().collect()).collect();
        assert_eq!(fields[0], ["Timestamp", "Name", "Average"]);
        assert_eq!(fields[1], ["2026-11-03 04:05:00", "Preempted Nodes", "1.5"]);
        assert_eq!(fields[2], ["2026-11-03 04:06:00", "Preempted Nodes", ""]);
        assert_eq!(sheet.rows[1].line, 3);
    }
}
