"""Prints the size of an environment without pip, setuptools and bytecode, in MB; fails above the given bound."""

import sys
from pathlib import Path

venv, bound = Path(sys.argv[1]), float(sys.argv[2])
site = next(venv.glob("lib/python*/site-packages"))
skipped = ("pip", "setuptools", "pkg_resources", "_distutils_hack")


def counted(path: Path) -> bool:
    top = path.relative_to(site).parts[0]
    return path.is_file() and path.suffix != ".pyc" and not top.startswith(skipped)


size = sum(p.stat().st_size for p in site.rglob("*") if counted(p)) / 1e6
print(f"install: {size:.1f} MB (bound {bound:.0f} MB)")
sys.exit(size > bound)
