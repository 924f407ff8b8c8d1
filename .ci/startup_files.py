"""Fails when an installed package brings code that Python runs at every start: a .pth with imports, a sitecustomize."""

import sys
import sysconfig
from pathlib import Path

# What is known and wanted: setuptools' own shim, and the editable install of this very project.
EXPECTED = ("distutils-precedence.pth", "__editable__.crawloop_extract")

site = Path(sysconfig.get_paths()["purelib"])
found = [p for p in site.glob("*.pth") if not p.name.startswith(EXPECTED)]
found += [p for name in ("sitecustomize.py", "usercustomize.py") for p in site.rglob(name)]
for path in found:
    print(f"unexpected start-up file: {path.relative_to(site)}")
sys.exit(bool(found))
