//! Findings as failed test cases of JUnit's XML.

use super::html::escaped;
use crate::hunt::tell::title;
use polysmith_hunt::Finding;

/// One test suite; each finding is a failure.
pub fn junit(findings: &[Finding]) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"polysmith hunt\" tests=\"{0}\" \
         failures=\"{0}\" errors=\"0\">\n",
        findings.len()
    );
    for finding in findings {
        xml += &format!(
            "<testcase classname=\"{}\" name=\"{}\">\n<failure type=\"{}\" message=\"{}\">{}\n\n{}</failure>\n</testcase>\n",
            escaped(finding.target().as_bytes()),
            escaped(finding.key.as_bytes()),
            escaped(finding.oracle().as_bytes()),
            escaped(title(finding).as_bytes()),
            escaped(finding.best()),
            escaped(finding.detail.as_bytes())
        );
    }
    xml + "</testsuite>\n</testsuites>\n"
}
