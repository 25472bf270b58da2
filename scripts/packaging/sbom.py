"""The list of what the program is made of, in CycloneDX."""

from __future__ import annotations

import hashlib
import json
import re
import time
import uuid
from typing import Any

from . import parts
from .build import ROOT, Build, metadata


def write(build: Build) -> bytes:
    graph = metadata(build.platform.target)
    nodes = {node["id"]: node for node in graph["resolve"]["nodes"]}
    packages = parts.of_program(build.platform.target)
    ours = next(package for package in packages.values() if package["name"] == "flyball")
    sums = checksums()
    component = described(ours, sums) | {"type": "application"}
    component["hashes"] = [{"alg": "SHA-256", "content": hashlib.sha256(build.program).hexdigest()}]
    others = sorted((it for it in packages.values() if it != ours), key=lambda it: (it["name"], it["version"]))
    document: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(build.about.epoch)),
            "component": component,
            "properties": [{"name": "cargo:target", "value": build.platform.target}],
        },
        "components": [described(package, sums) for package in others],
        "dependencies": [
            {"ref": ref(packages[one]), "dependsOn": sorted(ref(packages[other]) for other in parts.needed(nodes[one]))}
            for one in sorted(packages, key=lambda one: ref(packages[one]))
        ],
    }
    # The same content has the same number.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    return (json.dumps(document | {"serialNumber": f"urn:uuid:{number}"}, indent=1) + "\n").encode()


def ref(package: dict[str, Any]) -> str:
    return f"pkg:cargo/{package['name']}@{package['version']}"


def described(package: dict[str, Any], sums: dict[tuple[str, str], str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "library", "bom-ref": ref(package), "name": package["name"],
                             "version": package["version"], "purl": ref(package)}
    if package["license"]:
        # As some wrote it before there were expressions.
        entry["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if found := sums.get((package["name"], package["version"])):
        entry["hashes"] = [{"alg": "SHA-256", "content": found}]
    return entry


def checksums() -> dict[tuple[str, str], str]:
    """Of the crates, as Cargo.lock has them."""
    pattern = r'name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"'
    found = re.findall(pattern, (ROOT / "Cargo.lock").read_text())
    return {(name, version): checksum for name, version, checksum in found}
