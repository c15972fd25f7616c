//! Fetches the packages of a plan into `target/corpus/NAME/packages`, one folder each. Nothing of them is built or run.

use super::plan::Plan;
use anyhow::{Context as _, ensure};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of all packages; `None` for a package that is not there.
pub(super) fn packages(plan: &Plan, corpus: &Path) -> Vec<(String, Option<PathBuf>)> {
    let registries =
        [("crate", &plan.crates), ("npm", &plan.npm), ("pypi", &plan.pypi), ("debian", &plan.debian)];
    let all = registries.iter().flat_map(|(kind, packages)| {
        packages.iter().map(move |(name, version)| format!("{kind}-{name}-{version}"))
    });
    all.map(|name| {
        let folder = corpus.join("packages").join(&name);
        let there = folder.is_dir().then_some(folder);
        (name, there)
    })
    .collect()
}

/// Fetches what is missing. Says which packages cannot be had.
pub(super) fn fetch(plan: &Plan, corpus: &Path) -> anyhow::Result<()> {
    let packages = corpus.join("packages");
    fs::create_dir_all(&packages)?;
    fetch_crates(&plan.crates, &packages)?;
    let one_by_one = [("npm", &plan.npm), ("pypi", &plan.pypi), ("debian", &plan.debian)];
    for (kind, wanted) in one_by_one {
        for (name, version) in wanted {
            let folder = packages.join(format!("{kind}-{name}-{version}"));
            if folder.is_dir() {
                continue;
            }
            let work = tempfile::tempdir_in(&packages)?;
            match fetch_archive(kind, name, version, work.path()) {
                Ok(()) => fs::rename(work.keep(), folder)?,
                Err(error) => println!("missing: {kind} {name} {version}: {error:#}"),
            }
        }
    }
    Ok(())
}

/// Installs the linter of a plan, if it has one. No script of a package is run.
pub(super) fn install_linter(plan: &Plan, tools: &Path) -> anyhow::Result<()> {
    let package = plan.linter.as_ref().and_then(|linter| linter.npm.as_deref());
    let Some(package) = package.filter(|_| !tools.is_dir()) else { return Ok(()) };
    fs::create_dir_all(tools)?;
    run(tools, "npm", &["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", ".", package])
}

/// `cargo vendor` with a package that depends on all of them.
fn fetch_crates(wanted: &BTreeMap<String, String>, packages: &Path) -> anyhow::Result<()> {
    let folder = |name: &str, version: &str| packages.join(format!("crate-{name}-{version}"));
    let missing: Vec<_> = wanted.iter().filter(|(name, version)| !folder(name, version).is_dir()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let work = tempfile::tempdir_in(packages)?;
    let mut manifest =
        "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n"
            .to_owned();
    for (name, version) in &missing {
        writeln!(manifest, "{name} = \"={version}\"")?;
    }
    fs::write(work.path().join("Cargo.toml"), manifest)?;
    fs::create_dir(work.path().join("src"))?;
    fs::write(work.path().join("src/lib.rs"), "")?;
    run(work.path(), "cargo", &["vendor", "--quiet", "--versioned-dirs", "vendor"])?;
    for (name, version) in missing {
        let prefix = format!("{name}-{version}");
        let entries = fs::read_dir(work.path().join("vendor"))?;
        let found = entries.flatten().find(|entry| {
            // Build metadata may follow the version.
            let file_name = entry.file_name();
            file_name
                .to_str()
                .and_then(|text| text.strip_prefix(&prefix))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('+'))
        });
        match found {
            Some(found) => fs::rename(found.path(), folder(name, version))?,
            None => println!("missing: crate {prefix} is not among what cargo fetched"),
        }
    }
    Ok(())
}

fn fetch_archive(kind: &str, name: &str, version: &str, work: &Path) -> anyhow::Result<()> {
    match kind {
        "npm" => run(work, "npm", &["pack", "--silent", &format!("{name}@{version}")])?,
        "pypi" => {
            let wanted = format!("{name}=={version}");
            run(work, "pip", &["download", "--quiet", "--no-deps", "--only-binary", ":all:", &wanted])?;
        }
        _ => {
            let wanted = if version.is_empty() { name.to_owned() } else { format!("{name}={version}") };
            run(work, "apt-get", &["download", "--quiet", &wanted])?;
        }
    }
    let mut entries = fs::read_dir(work)?.flatten().map(|entry| entry.path());
    let archive = entries.next().context("nothing was downloaded")?;
    let archive = archive.to_str().context("the name of an archive is text")?;
    match kind {
        "npm" => run(work, "tar", &["-xzf", archive]),
        "pypi" => run(work, "python3", &["-m", "zipfile", "-e", archive, "."]),
        _ => run(work, "dpkg-deb", &["-x", archive, "."]),
    }
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .with_context(|| format!("cannot start {program}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{program} failed: {}", said.trim_end());
    Ok(())
}
