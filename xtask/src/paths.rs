//! Where the project lies, and the data beside it.

use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask is a folder of the workspace").to_path_buf()
}

/// The data that lies beside the workspace, if it is there.
pub(crate) fn shared() -> PathBuf {
    root().join("../shared")
}

/// What `conformance` reads when it is given no path, and what `accept` looks for.
pub(crate) fn shared_data() -> [PathBuf; 3] {
    ["data/grammars-v4", "data/antlr-descriptors", "reference/antlr-traps.jsonl"]
        .map(|path| shared().join(path))
}
