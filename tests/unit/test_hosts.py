"""Which hosts may be asked, and which addresses are one of the internet's."""

import pytest

from crawloop.crawl.fetch.hosts import Hosts, is_public

ASKED = Hosts(
    ["https://shop.example/p/1", "http://www.other.example/", "http://127.0.0.1:8000/", "http://10.0.0.7/", "nonsense"],
    ["cdn.example", "intern.example:8080", "[fd00::1]"],
)


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("shop.example", None),
        ("www.shop.example", 443),
        ("other.example", 80),
        ("127.0.0.1", 8000),
        ("10.0.0.7", None),
        ("cdn.example", None),
        ("intern.example", 8080),
        ("fd00::1", None),
    ],
)
def test_hosts_that_were_asked_for_or_named_may_be_asked(host: str, port: int | None) -> None:
    assert ASKED.allows(host, port)


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("evil.example", None),
        ("shop.example.evil.example", None),
        ("sub.shop.example", None),
        ("shop.example", 8080),
        ("127.0.0.1", 5432),
        ("127.0.0.1", None),
        ("localhost", 8000),
        ("www.10.0.0.7", None),
        ("intern.example", None),
        ("", None),
    ],
)
def test_no_others_may(host: str, port: int | None) -> None:
    assert not ASKED.allows(host, port)


def test_only_who_says_an_address_or_is_named_may_have_a_private_one() -> None:
    assert ASKED.trusts("127.0.0.1", 8000)
    assert ASKED.trusts("intern.example", 8080)
    assert Hosts(["http://localhost:8000/"]).trusts("localhost", 8000)
    assert not ASKED.trusts("shop.example", None)
    assert not Hosts(["http://2130706433/"]).trusts("2130706433", None)  # what a resolver takes for 127.0.0.1


def test_a_name_is_compared_as_it_goes_over_the_wire() -> None:
    assert Hosts(["https://Käse.example/"]).allows("xn--kse-qla.example", None)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"])
def test_an_address_of_the_internet(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
        ),
        *("::1", "::", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "255.255.255.255"),
        *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1"),
    ],
)
def test_an_address_of_this_machine_or_network_in_any_guise(address: str) -> None:
    assert not is_public(address)
