"""crawloop.toml is read whole or refused with the key and the remedy."""

from pathlib import Path

import pytest

from crawloop.config import Settings, read_settings
from crawloop.errors import ConfigError


def write(folder: Path, text: str) -> Path:
    (folder / "crawloop.toml").write_text(text)
    return folder


def test_without_a_file_the_defaults_apply(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == Settings()


def test_what_the_file_says_is_what_the_policy_holds(tmp_path: Path) -> None:
    text = '[policy]\nsamples = 7\n[policy.budget]\ndollars = 2\n[models]\ntiers = ["cheap", "strong"]\n'
    policy = read_settings(write(tmp_path, text)).policy
    assert (policy.samples, policy.budget.dollars, policy.models) == (7, 2, ("cheap", "strong"))


def test_required_layers_are_those_of_the_file(tmp_path: Path) -> None:
    assert read_settings(tmp_path).sandbox.require == ("system calls",)
    rules = read_settings(write(tmp_path, '[sandbox]\nrequire = ["landlock", "user id"]\nmemory = 256\n')).sandbox
    assert (rules.require, rules.memory) == (("landlock", "user id"), 256)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[policy\n", "not valid TOML"),
        ("[polcy]\n", r"unknown section \[polcy\]: did you mean policy\?"),
        ("[policy]\nsample = 3\n", r"unknown key policy.sample: did you mean samples\?"),
        ("[policy]\nsamples = '3'\n", "policy.samples is '3': use a whole number"),
        ("[policy]\nsamples = true\n", "policy.samples is True: use a whole number"),
        ("[policy]\ndeadline = nan\n", "policy.deadline is nan: use a number"),
        ("[fetch]\ndeadline = inf\n", "fetch.deadline is inf: use a number"),
        ("a = " + "[" * 100_000, "not valid TOML"),
        ("[policy]\nsamples = 0\n", "policy.samples is 0: use 1 or more"),
        ("[models]\ntiers = 'x'\n", "models.tiers is 'x': use a list of names"),
        ("[models]\nprices = 3\n", "models.prices is 3: use a section"),
        ("[models.prices]\ncheap = 3\n", "models.prices.cheap is 3: use { input"),
        ("[models.prices.cheap]\ninput = 1\n", "models.prices.cheap is {'input': 1}: use { input"),
        ("[models.prices.cheap]\ninput = 'a'\noutput = 1\n", "models.prices.cheap is .*: use { input"),
        ("policy = 3\n", "policy is 3: make it a section"),
        ("[sandbox]\nrequire = ['landlok']\n", "sandbox.require names 'landlok': there are namespaces, user id"),
        ("[sandbox]\nrequire = 'landlock'\n", "sandbox.require is 'landlock': use a list of names"),
        ("[sandbox]\nmemory = 8\n", "sandbox.memory is 8: use 128 to 1048576 megabytes"),
        ("[policy.budget]\ndollars = 'a'\n", "policy.budget.dollars is 'a': use a number"),
        ("[fetch]\nrobots = 1\n", "fetch.robots is 1: use true or false"),
        ("[fetch]\nrate = 0\n", "fetch.rate is 0: use requests a second above 0"),
        ("[fetch]\nhosts = ['https://x.example/']\n", "fetch.hosts names 'https://x.example/': use names alone"),
        ("[fetch]\nhosts = ['*.x.example']\n", r"fetch.hosts names '\*.x.example'"),
        ("[fetch]\ncache_mb = -1\n", "fetch.cache_mb is -1: use 0 or more"),
        ("[fetch]\nproxy = 'socks5://a:secret@x'\n", "fetch.proxy is no proxy that can be used: write"),
        ("[fetch]\nproxy = ['a:secret@x']\n", "fetch.proxy is not a text: use text"),
    ],
)
def test_a_mistake_names_the_file_the_key_and_the_remedy(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        read_settings(write(tmp_path, text))
    assert "crawloop.toml" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_hosts_and_a_proxy_that_can_be_used(tmp_path: Path) -> None:
    text = 'hosts = ["cdn.x.example", "x.example:8443", "[::1]:80"]\nproxy = "http://anna:secret@[::1]:8080"'
    fetch = read_settings(write(tmp_path, f"[fetch]\nrobots = false\nrate = 2\n{text}")).fetch
    assert (fetch.robots, fetch.rate, len(fetch.hosts)) == (False, 2, 3)
    assert "secret" not in repr(fetch)
