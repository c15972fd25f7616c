//! Compares the values that the engine computed with the reference evaluator.

use polysmith_attributes::{Derivation, Evaluation, Spec, evaluate};

/// Checks that every attribute has the value of the reference evaluator, and that every guard is true.
pub(crate) fn compare(spec: &Spec, derivation: &Derivation, evaluation: &Evaluation) -> Result<(), String> {
    let again = evaluate(spec, derivation);
    if let Some(failure) = again.violations.first() {
        return Err(format!("the evaluator says: {}", failure.message(spec)));
    }
    for (node, instance) in derivation.nodes.iter().enumerate() {
        let class = spec.class(spec.production(instance.production).class);
        for attribute in 0..class.attributes.len() as u32 {
            if evaluation.value(node, attribute) != again.value(node, attribute) {
                let name = &class.attributes[attribute as usize].name;
                return Err(format!("`{}.{name}` of node {node} differs", class.name));
            }
        }
    }
    Ok(())
}
