"""The packages of one platform. Each function returns a file's name and its bytes."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import parts, sbom
from .build import ROOT, SHELLS, About, Build, licences
from .bytes_of import File, Tree, ar, gz, tar_gz, zipped
from .platform import PLATFORMS, Problem

Made = tuple[str, bytes]
SCOPE = "@flyball"


def all_licences(build: Build) -> Tree:
    """Ours, and those of what is linked."""
    return licences() | {"THIRD-PARTY-LICENSES": parts.notices(build.platform.target)}


def archive(build: Build) -> Made:
    tree = all_licences(build) | {build.platform.program: File(build.program, 0o755)}
    for name in ("README.md", "CHANGELOG.md"):
        tree[name] = File((ROOT / name).read_bytes())
    tree |= {f"man/man1/{name}": page for name, page in build.pages.items()}
    tree |= {f"completions/{SHELLS[shell]}": file for shell, file in build.completions.items()}
    tree = {f"{build.name}/{path}": file for path, file in tree.items()}
    if build.platform.is_windows:
        return f"{build.name}.zip", zipped(tree, build.about.epoch, build.level)
    return f"{build.name}.tar.gz", tar_gz(tree, build.about.epoch, build.level)


def bill(build: Build) -> Made:
    return f"{build.name}.cdx.json", sbom.write(build)


def npm(build: Build) -> Made:
    """The package with the program; the main one names it."""
    processor = build.platform.npm.split("-")
    manifest = npm_manifest(build.about, f"{SCOPE}/{build.platform.npm}") | {
        "description": f"The program flyball for {build.platform.npm}; install `flyball`",
        "os": [processor[0]], "cpu": [processor[1]], "preferUnplugged": True,
    }
    files = all_licences(build) | {f"bin/{build.platform.program}": File(build.program, 0o755)}
    return npm_file(f"flyball-{build.platform.npm}", build.about, (manifest, files), build.level)


def npm_main(about: About, level: int) -> Made:
    manifest = npm_manifest(about, "flyball") | {
        "description": about.summary,
        "keywords": about.keywords,
        "bin": {"flyball": "bin/flyball.js"},
        "optionalDependencies": {f"{SCOPE}/{platform.npm}": about.version for platform in PLATFORMS},
    }
    files = licences() | {"bin/flyball.js": File((Path(__file__).parent / "flyball.js").read_bytes(), 0o755)}
    return npm_file("flyball-npm", about, (manifest, files), level)


def npm_manifest(about: About, name: str) -> dict:
    repository = {"type": "git", "url": f"git+{about.repository}.git"}
    return {"name": name, "version": about.version, "license": about.license, "repository": repository,
            "engines": {"node": ">=18"}}


def npm_file(name: str, about: About, content: tuple[dict, Tree], level: int) -> Made:
    manifest, files = content
    text = json.dumps(manifest, indent=2).encode() + b"\n"
    tree = files | {"package.json": File(text), "README.md": File(about.readme())}
    tree = {f"package/{path}": file for path, file in tree.items()}
    return f"{name}-{about.version}.tgz", tar_gz(tree, about.epoch, level)


def wheel(build: Build) -> Made:
    about = build.about
    info, kept = f"flyball-{about.version}.dist-info", all_licences(build)
    tags = [f"py3-none-{tag}" for tag in build.platform.wheel.split(".")]
    lines = ["Metadata-Version: 2.4", "Name: flyball", f"Version: {about.version}", f"Summary: {about.summary}",
             f"Keywords: {','.join(about.keywords)}", f"Project-URL: Source, {about.repository}",
             f"License-Expression: {about.license}", *(f"License-File: {name}" for name in kept),
             "Requires-Python: >=3.8", "Description-Content-Type: text/markdown", ""]
    wheel_lines = ["Wheel-Version: 1.0", "Generator: flyball", "Root-Is-Purelib: false", *(f"Tag: {tag}" for tag in tags)]
    tree = {
        f"flyball-{about.version}.data/scripts/{build.platform.program}": File(build.program, 0o755),
        **{f"{info}/licenses/{name}": file for name, file in kept.items()},
        f"{info}/sboms/flyball.cdx.json": File(sbom.write(build)),
        f"{info}/METADATA": File("\n".join(lines).encode() + b"\n" + about.readme()),
        f"{info}/WHEEL": File("\n".join([*wheel_lines, ""]).encode()),
    }
    record = "".join(f"{path},sha256={digest(file.content)},{len(file.content)}\n" for path, file in tree.items())
    tree[f"{info}/RECORD"] = File(f"{record}{info}/RECORD,,\n".encode())
    name = f"flyball-{about.version}-py3-none-{build.platform.wheel}.whl"
    return name, zipped(tree, about.epoch, build.level)


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def system_tree(build: Build) -> Tree:
    """Where Linux distributions have the files."""
    tree = {"usr/bin/flyball": File(build.program, 0o755)}
    tree |= {f"usr/share/man/man1/{name}.gz": File(gz(page.content, 9)) for name, page in build.pages.items()}
    for shell, place in {"bash": "bash-completion/completions/flyball", "zsh": "zsh/site-functions/_flyball",
                         "fish": "fish/vendor_completions.d/flyball.fish"}.items():
        tree[f"usr/share/{place}"] = build.completions[shell]
    return tree | {f"usr/share/doc/flyball/{name}": file for name, file in all_licences(build).items()}


def deb(build: Build) -> Made:
    about = build.about
    tree = system_tree(build)
    # Debian's own folder for the completions of packages.
    tree["usr/share/zsh/vendor-completions/_flyball"] = tree.pop("usr/share/zsh/site-functions/_flyball")
    copyright_text = f"Upstream: {about.repository}\nLicense: {about.license}, in the files beside this one\n"
    tree["usr/share/doc/flyball/copyright"] = File(copyright_text.encode())
    size = sum(-(-len(file.content) // 1024) for file in tree.values())
    control = (f"Package: flyball\nVersion: {about.version}\nArchitecture: {build.platform.deb}\n"
               f"Maintainer: The flyball developers <flyball@users.noreply.github.com>\nInstalled-Size: {size}\n"
               f"Recommends: git\nSection: devel\nPriority: optional\nHomepage: {about.repository}\n"
               f"Description: {about.summary}\n")
    sums = "".join(f"{hashlib.md5(file.content).hexdigest()}  {path}\n" for path, file in sorted(tree.items()))
    head = {"./control": File(control.encode()), "./md5sums": File(sums.encode())}
    data = {f"./{path}": file for path, file in tree.items()}
    members = [("debian-binary", b"2.0\n"), ("control.tar.gz", tar_gz(head, about.epoch, 9)),
               ("data.tar.gz", tar_gz(data, about.epoch, build.level))]
    return f"flyball_{about.version}_{build.platform.deb}.deb", ar(members, about.epoch)


def rpm(build: Build) -> Made:
    about, tree = build.about, system_tree(build)
    if not shutil.which("rpmbuild"):
        raise Problem("rpmbuild is not on the search path",
                      "install it (on Debian the package rpm), or leave `rpm` out of `--only`")
    listed = "".join(f"%attr({file.mode:o}, root, root) /{path}\n" for path, file in sorted(tree.items()))
    spec = (f"Name: flyball\nVersion: {re.sub('-', '~', about.version)}\nRelease: 1\nSummary: {about.summary}\n"
            f"License: {about.license}\nURL: {about.repository}\nRecommends: git\nAutoReqProv: no\n"
            f"%description\n{about.summary}.\n%install\ncp -a %{{_sourcedir}}/tree/. %{{buildroot}}/\n%files\n{listed}")
    settings = {"_topdir": "{0}", "_sourcedir": "{0}", "_rpmdir": "{0}", "debug_package": "%{{nil}}",
                "__os_install_post": "%{{nil}}", "_build_id_links": "none", "_buildhost": "flyball",
                "use_source_date_epoch_as_buildtime": "1", "clamp_mtime_to_source_date_epoch": "1",
                "_binary_payload": f"w{build.level}.gzdio"}
    with tempfile.TemporaryDirectory() as folder:
        for path, file in tree.items():
            place = Path(folder, "tree", path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.content)
            place.chmod(file.mode)
        Path(folder, "flyball.spec").write_text(spec)
        defined = [word for name, value in settings.items() for word in ("--define", f"{name} {value.format(folder)}")]
        command = ["rpmbuild", "-bb", "--quiet", "--target", f"{build.platform.rpm}-linux", *defined, "flyball.spec"]
        variables = os.environ | {"SOURCE_DATE_EPOCH": str(about.epoch)}
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Problem(f"rpmbuild failed: {done.stderr.strip()}", "see above")
        made = next(Path(folder).rglob("*.rpm"))
        return made.name, made.read_bytes()


def image(build: Build) -> Made:
    """The program where the Dockerfile takes it from."""
    return f"image/{build.platform.deb}/flyball", build.program


# What is made for a platform by itself.
FORMATS = {"archive": archive, "sbom": bill, "npm": npm, "wheel": wheel, "deb": deb, "rpm": rpm, "image": image}
