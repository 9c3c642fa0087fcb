"""The third-party crates: those in use, those in our list, and what cargo-deny finds about them."""

import hashlib
import os
import shutil
import subprocess
import tomllib

from product import TREE, output_of

WORKSPACES = ["Cargo.toml", "fuzz/Cargo.toml"]
LIST = TREE / "packaging/supply/crates.toml"
ADVISORIES = TREE / "packaging/supply/advisories"
UPSTREAM = "https://github.com/rustsec/advisory-db"
CARGO_DENY = "0.20.2"
# cargo-deny derives this name from the URL above, its default.
DATABASE = "target/supply/advisory-db-3157b0e258782691"


def locked():
    """The names of the third-party crates in our lock files."""
    locks = [tomllib.loads((TREE / each).with_name("Cargo.lock").read_text()) for each in WORKSPACES]
    return {package["name"] for lock in locks for package in lock["package"] if "source" in package}


def listed():
    """The names in the list, including repetitions."""
    return [name for group in tomllib.loads(LIST.read_text())["group"] for name in group["crates"]]


def checksums(folder, crates):
    """The checksums of the crates' names and of the copied advisories."""
    files = sorted(each for each in folder.rglob("*") if each.is_file() and each.name != "snapshot.toml")
    content = "".join(f"{sha256(each.read_bytes())}  {each.relative_to(folder)}\n" for each in files)
    return {"crates": sha256("\n".join(sorted(crates)).encode()), "files": sha256(content.encode())}


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def problems(crates, names, snapshot, actual):
    """The problems of the list and of the copied advisories, each with what to do."""
    found = [
        f"{name} is in a lock file and not in packaging/supply/crates.toml: look at the crate as CONTRIBUTING.md says, "
        "then add it to a group whose reason applies to it, or to a new one"
        for name in sorted(crates - set(names))
    ]
    found += [
        f"{name} is in packaging/supply/crates.toml and in no lock file: remove it from the list"
        for name in sorted(set(names) - crates)
    ]
    found += [
        f"{name} is more than once in packaging/supply/crates.toml: keep it in one group"
        for name in sorted({each for each in names if names.count(each) > 1})
    ]
    if snapshot["crates"] != actual["crates"]:
        found.append("packaging/supply/advisories was copied for other crates than those in the lock files: "
                     "run packaging/supply/renew")
    if snapshot["files"] != actual["files"]:
        found.append("a file in packaging/supply/advisories was added, changed or removed by hand: "
                     "undo that, or run packaging/supply/renew")
    return found


def cargo_deny():
    """The cargo-deny program, in the version that DATABASE fits; if it isn't installed, it is built."""
    tools = TREE / "target/tools"
    own = tools / "bin/cargo-deny"
    for program in (own, shutil.which("cargo-deny")):
        if program and os.path.exists(program) and output_of(program, "--version").decode().split()[1] == CARGO_DENY:
            return program
    # A build without optimization and debug information takes the least time.
    build = tools / "build"
    subprocess.run(
        ["cargo", "install", f"cargo-deny@{CARGO_DENY}", "--locked", "--debug", "--root", tools, "--target-dir", build],
        cwd=TREE, env=os.environ | {"CARGO_PROFILE_DEV_DEBUG": "0"}, check=True,
    )
    shutil.rmtree(build)
    return own


def deny(advisories, folder):
    """Runs cargo-deny in `folder` on both workspaces, with only these advisories. Returns whether it found nothing."""
    program = cargo_deny()
    database = folder / DATABASE
    shutil.rmtree(database, ignore_errors=True)
    # cargo-deny requires a recent clone, by the time of .git/HEAD, so make a new repository each time.
    # Without a repository in this folder and without --offline, cargo-deny would reset the tree that contains it.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*command):
        subprocess.run(["git", *command], cwd=database, env=environment, check=True)

    database.mkdir(parents=True)
    git("init", "--quiet", "--initial-branch", "main")
    shutil.copytree(advisories, database, dirs_exist_ok=True)
    git("remote", "add", "origin", UPSTREAM)
    git("add", "--all", "--force")
    git("-c", "user.name=supply", "-c", "user.email=", "commit", "--quiet", "--message", "The copy of this tree")
    passed = True
    for manifest in WORKSPACES:
        print(f"cargo deny: {manifest}", flush=True)
        subprocess.run(["cargo", "fetch", "--quiet", "--locked", "--manifest-path", TREE / manifest], check=True)
        passed &= subprocess.run(
            [program, "--locked", "--offline", "--manifest-path", TREE / manifest, "--config", TREE / "deny.toml",
             # Without a copy of the index, there would be a warning for every crate.
             "check", "--allow", "index-failure", "advisories", "bans", "licenses", "sources"],
            cwd=folder,
        ).returncode == 0
    return passed
