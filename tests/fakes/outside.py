"""What a program could reach outside its sandbox: a secret, a folder, listeners, a bystander. And programs that try."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from crawloop.model.candidate import Run

SECRET = "a-secret-of-the-caller"
SPOOF = "a row that extract never returned"

ATTACKS = {
    "a file is read": "return [{{'text': open({secret!r}).read()}}]",
    "a file is written": "open({folder!r} + '/written', 'w').write('x')",
    "an environment is read": "return [{{'text': open('/proc/{bystander}/environ').read()}}]",
    "a port is reached": "import socket\nsocket.create_connection(('127.0.0.1', {port}), 1)",
    "a datagram is sent": "import socket\nsocket.socket(2, 2).sendto(b'x', ('127.0.0.1', {port}))",
    "a local socket is reached": "import socket\nsocket.socket(socket.AF_UNIX).connect('\\0{name}')",
    "a bystander is killed": "import os\nos.kill({bystander}, 9)",
    "a process is left": """
import os, time
child = os.fork()
if child == 0:
    os.setsid()
    time.sleep(30)
    os._exit(0)
while os.getsid(child) != child:
    time.sleep(0.001)
return []
""",
    "the template is killed": "import os\nos.kill(os.getppid(), 9)",
    "rows are forged": """
import gc, json, os, struct
token = next(one for one in gc.get_objects() if type(one).__name__ == 'Request').token
for kind, body in (('page', {{'records': [{{'text': {spoof!r}}}]}}), ('end', None)):
    text = json.dumps([token, kind, body]).encode()
    os.write(3, struct.pack('<I', len(text)) + text)
os._exit(0)
""",
}
"""By their effect. Each works in plain Python, where nothing stands in its way."""


class Outside:
    """It is set up for one test; `effects` tells what a program has done to it. Everybody may read its folder."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="crawloop-outside-")
        folder = Path(self._folder.name)
        folder.chmod(0o755)
        self.mark = f"crawloop-test-outside-{os.getpid()}-{folder.name}"
        self._written = folder / "out"
        self._written.mkdir()
        self._secret = folder / "secret.txt"
        self._secret.write_text(SECRET)
        self._written.chmod(0o777)
        self._reached: set[str] = set()
        self._sockets = self._listening()
        self._bystander = self._started()

    def _listening(self) -> list[socket.socket]:
        tcp = socket.create_server(("127.0.0.1", 0))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(tcp.getsockname())
        local = socket.socket(socket.AF_UNIX)
        local.bind(f"\0{self.mark}")
        local.listen()
        waits: dict[str, Callable[[], object]] = {
            "a port is reached": lambda: tcp.accept()[0].close(),
            "a datagram is sent": lambda: udp.recv(10),
            "a local socket is reached": lambda: local.accept()[0].close(),
        }
        sockets = [tcp, udp, local]
        for one in sockets:
            one.settimeout(0.1)
        for name, wait in waits.items():
            threading.Thread(target=self._wait, args=(name, wait), daemon=True).start()
        return sockets

    def _wait(self, name: str, wait: Callable[[], object]) -> None:
        while True:
            try:
                wait()
                self._reached.add(name)
            except TimeoutError:
                continue
            except OSError:
                return

    @staticmethod
    def _started() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"], env={"KEY": SECRET})

    def program(self, attack: str) -> str:
        """The source of an attack on what is here."""
        body = ATTACKS[attack].format(
            secret=str(self._secret),
            folder=str(self._written),
            port=self._sockets[0].getsockname()[1],
            name=self.mark,
            bystander=self._bystander.pid,
            spoof=SPOOF,
        )
        return "def extract(html, url):\n" + "".join(f"    {line}\n" for line in body.strip().splitlines())

    def effects(self, runs: dict[str, Run], template: int) -> set[str]:
        """Which attacks had their effect. `template`: the process whose children the jobs are; it bears `mark`."""
        time.sleep(0.3)  # for listeners to be told
        found = set(self._reached)
        found |= {attack for attack, run in runs.items() if SECRET in repr(run) or SPOOF in repr(run)}
        if list(self._written.iterdir()):
            found.add("a file is written")
        if self._bystander.poll() is not None:
            found.add("a bystander is killed")
        if left := self._left(template):
            found.add("a process is left")
            for process in left:
                os.kill(process, signal.SIGKILL)
        return found

    def _left(self, template: int) -> list[int]:
        """Processes that once were jobs' and have run away: they bear the mark, and are nobody's job."""
        left = []
        for entry in Path("/proc").iterdir():
            with suppress(OSError):
                if entry.name.isdigit() and self.mark.encode() in (entry / "cmdline").read_bytes():
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                    if template not in (parent, int(entry.name)):
                        left.append(int(entry.name))
        return left

    def close(self) -> None:
        """Ends the bystander and the listeners, and removes the folder."""
        self._bystander.kill()
        self._bystander.wait()
        for one in self._sockets:
            one.close()
        self._folder.cleanup()
