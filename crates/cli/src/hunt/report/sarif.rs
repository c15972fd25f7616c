//! Findings as a SARIF 2.1.0 log, which code hosts show beside a change.

use crate::hunt::tell::title;
use polysmith_hunt::{Finding, oracle};
use serde_json::{Value, json};

/// One run; each finding is a result whose fingerprint is the key of its signature.
pub fn sarif(findings: &[Finding]) -> String {
    let rules: Vec<Value> = oracle::all()
        .map(|oracle| json!({"id": oracle.name(), "shortDescription": {"text": oracle.summary()}}))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "Polysmith", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "results": findings.iter().map(result).collect::<Vec<_>>(),
        }],
    });
    format!("{log:#}\n")
}

fn result(finding: &Finding) -> Value {
    let test = String::from_utf8_lossy(finding.best()).into_owned();
    json!({
        "ruleId": finding.oracle(),
        "level": "error",
        "message": {"text": title(finding)},
        "partialFingerprints": {"polysmithSignature/v1": finding.key},
        "locations": [{"logicalLocations": [{"name": finding.target()}]}],
        "properties": {"test": test, "commands": finding.commands, "count": finding.count, "state": finding.state.name()},
    })
}
