"""What is made once, from the packages of all platforms: the main package of npm, the formula, the checksums."""

from __future__ import annotations

import hashlib
from pathlib import Path

from . import formats
from .build import about
from .platform import PLATFORMS, Problem

OF_SYSTEM = {"darwin": "macos", "linux": "linux"}
OF_PROCESSOR = {"arm64": "arm", "x64": "intel"}


def finish(folder: Path, level: int) -> None:
    if not any(folder.glob("flyball-*.tar.gz")):
        raise Problem(f"there is no release archive in {folder}", "first run `scripts/package platform` for each platform")
    name, content = formats.npm_main(about(), level)
    (folder / name).write_bytes(content)
    (folder / "flyball.rb").write_text(formula(folder))
    (folder / "install.sh").write_bytes((formats.ROOT / "install.sh").read_bytes())
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    (folder / "SHA256SUMS").write_text("".join(f"{checksum(path)}  {path.name}\n" for path in files))


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def formula(folder: Path) -> str:
    """For Homebrew, with the archives that are there."""
    said = about()
    parts = []
    for platform in PLATFORMS:
        name = f"flyball-{said.version}-{platform.target}.tar.gz"
        if not (folder / name).exists():
            continue
        system, processor = platform.npm.split("-")
        parts.append(f"  on_{OF_SYSTEM[system]} do\n    on_{OF_PROCESSOR[processor]} do\n"
                     f'      url "{said.repository}/releases/download/v{said.version}/{name}"\n'
                     f'      sha256 "{checksum(folder / name)}"\n    end\n  end\n')
    licences = ", ".join(f'"{licence}"' for licence in said.license.split(" OR "))
    return (f'class Flyball < Formula\n  desc "{said.summary}"\n  homepage "{said.repository}"\n'
            f'  version "{said.version}"\n  license any_of: [{licences}]\n\n' + "\n".join(parts) + INSTALLS)


INSTALLS = '''
  def install
    bin.install "flyball"
    man1.install Dir["man/man1/*"]
    bash_completion.install "completions/flyball.bash" => "flyball"
    zsh_completion.install "completions/_flyball"
    fish_completion.install "completions/flyball.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/flyball --version")
  end
end
'''
