"""URL patterns match their own seed; siblings are pages of the same sort; layouts are told apart by their marks."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop.shape import (
    Layouts,
    likeness,
    marks,
    matches,
    pattern,
    shown,
    siblings,
    specificity,
    url_key,
    without_user,
)

hosts = st.sampled_from(["shop.example", "www.shop.example:8080", "xn--kse-qla.example"])
words = st.text(max_size=30)
urls = st.builds(
    lambda host, path, query: f"https://{host}/{path}" + (f"?{query}" if query else ""),
    hosts,
    words,
    st.one_of(
        st.just(""), words, st.from_regex(r"[a-z]{1,4}=[a-z0-9/*]{0,9}(&[a-z]{1,4}=[0-9]{0,4})?", fullmatch=True)
    ),
)


@given(urls)
def test_fault_13_a_pattern_matches_its_own_seed(url: str) -> None:
    assert matches(pattern(url), url)


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("https://shop.example/p?id=3", "shop.example/p?id=*"),
        ("https://www.Shop.example/p?id=3&utm_source=mail#top", "shop.example/p?id=*"),
        ("https://shop.example/p/blue-shirt-12", "shop.example/p/*"),
        ("https://shop.example/products/12.html", "shop.example/products/#.html"),
        ("https://news.example/2024/05/12/some-title/", "news.example/#/#/#/*"),
        ("https://shop.example/index.php?route=product/product&product_id=43", None),
        ("https://shop.example/about", "shop.example/about"),
        ("https://shop.example/", "shop.example"),
    ],
)
def test_what_varies_and_what_stays(url: str, shape: str | None) -> None:
    assert shape is None or pattern(url) == shape
    assert matches(pattern(url), url)


@pytest.mark.parametrize(
    ("seed", "other", "same"),
    [
        ("https://x.example/p?id=3", "http://www.x.example/p/?id=77&color=red", True),
        ("https://x.example/p?id=3", "https://x.example/p", False),
        ("https://x.example/p?id=3", "https://x.example/q?id=3", False),
        ("https://x.example/p?id=3", "https://y.example/p?id=3", False),
        (
            "https://x.example/i.php?route=product/product&product_id=4",
            "https://x.example/i.php?product_id=9&route=product/product",
            True,
        ),
        (
            "https://x.example/i.php?route=product/product&product_id=4",
            "https://x.example/i.php?product_id=9&route=account/login",
            False,
        ),
        ("https://x.example/recipes/pancakes", "https://x.example/recipes/apple-pie/", True),
        ("https://x.example/recipes/pancakes", "https://x.example/recipes/apple-pie/comments", False),
        ("https://x.example/recipes/pancakes", "https://x.example/authors/jane", False),
        ("https://x.example/p/12", "https://x.example/p/blue", False),
        ("https://x.example/about", "https://x.example/login", False),
        ("https://x.example/a/12.html", "https://x.example/a/13.html", True),
        ("https://x.example/a/12.html", "https://x.example/a/13", False),
    ],
)
def test_which_urls_belong_together(seed: str, other: str, same: bool) -> None:
    assert matches(pattern(seed), other) is same


def test_the_narrowest_pattern_says_most() -> None:
    shapes = ["x.example/*/*", "x.example/p/*", "x.example/p/#", "x.example/p/*?id=*"]
    assert sorted(shapes, key=specificity) == shapes


def test_one_page_has_one_key() -> None:
    assert (
        url_key("HTTP://Shop.example:80/P?b=1&a=2#x")
        == url_key("https://shop.example:443/P?b=1&a=2")
        == "shop.example/P?b=1&a=2"
    )
    assert url_key("https://shop.example") == url_key("https://shop.example/") == "shop.example/"
    assert url_key("https://shop.example/a") != url_key("https://shop.example/a/")
    assert url_key("http://[broken") == "http://[broken"


SHOP = """<head><base href="/shop/"></head><nav><a href="/login">Log in</a><a href="/about">About</a></nav>
<header><ul><li><a href="p/90">Ninety</a></li><li><a href="p/91">Ninety-one</a></li>
<li><a href="p/92">.</a></li></ul></header>
<h1>Soup</h1><!-- <a href="p/66">commented out</a> --><script>var x = '<a href="p/67">no</a>'</script>
<div class="related"><div class="card card-1"><a class="title" href="p/1">One</a></div>
<div class="card card-2"><a class="title" href="p/2#reviews">Two</a> <a class="pic" href="p/2">pic</a></div>
<div class="card card-3"><a class="title" href="p/3?utm_source=home">Three</a></div>
<div class="card card-4"><a class="title" href="https://other.example/shop/p/4">elsewhere</a></div>
<div class="card card-5"><a class="title" href="p/7">the page itself</a><a href="javascript:go(5)">x</a></div></div>
<p>See also <a href="p/8">this one</a></p><footer><a href="/shop/p/login">no</a> <a href="http://[bad">no</a></footer>"""


def test_siblings_stand_at_a_repeated_position() -> None:
    base = "https://x.example/shop/p/"
    found = siblings("https://x.example/shop/p/7", SHOP, 10)
    assert found == [base + n for n in ("1", "2", "3", "90", "91", "92")]
    assert siblings("https://x.example/shop/p/7", SHOP, 2) == found[:2]


def test_a_list_has_its_other_pages_as_siblings_and_not_its_orders() -> None:
    pages = "".join(f"<li><a href='?page={n}'>{n}</a></li><li><a href='?sort={n}'>by</a></li>" for n in (1, 2, 3))
    assert siblings("https://x.example/court/opinions", f"<ul>{pages}</ul>", 10) == [
        f"https://x.example/court/opinions?page={n}" for n in (1, 2, 3)
    ]


def test_at_the_root_only_names_like_the_own_one_count() -> None:
    links = "".join(
        f"<li><a href='/{name}/'>x</a></li>" for name in ("videos", "corn-dip", "privacy-policy", "greek-salad")
    )
    assert siblings("https://x.example/street-corn-pasta/", links, 5) == [
        "https://x.example/corn-dip/",
        "https://x.example/greek-salad/",
    ]


@pytest.mark.parametrize(
    "unit", ["<div>", "<a href=/p/1 ", "<script>", "<!--", "</li>", "<a class='", "<ul><li>", "<nav>", "<nav></a>"]
)
def test_a_hostile_page_is_scanned_in_linear_time(unit: str) -> None:
    start = time.process_time()
    html = unit * (600_000 // len(unit))
    siblings("https://x.example/p/7", html, 5)
    marks(html)
    assert time.process_time() - start < 4


def test_layouts_of_one_template_are_alike_whatever_a_build_names_them() -> None:
    def page(number: int, build: str) -> str:
        rows = "".join(f"<li class='row item-{n}'><b class='price css-{build}'>1</b></li>" for n in range(number))
        return f'<body class="page postid-{number}"><h1 class="title">x</h1><ul class=list>{rows}</ul></body>'

    old = marks(page(3, "1q2w3e"))
    assert set(old) == set(marks(page(40, "9z8y7x")))
    assert "h1.title" in old
    new = marks('<main class="product"><h2 class="name">x</h2><span class="price">1</span></main>')
    assert likeness(old, old) == 1.0
    assert likeness(old, new) < 0.2
    assert likeness((), ()) == 1.0
    assert likeness(old, ()) == 0.0


def test_pages_that_vary_among_themselves_leave_more_room_before_another_is_of_a_new_layout() -> None:
    def page(*names: str) -> str:
        return "".join(f'<p class="{name}">x</p>' for name in names)

    plain = Layouts([page("a", "b", "c", "d", "e", "f")])
    half = marks(page("a", "b", "c", "w", "x", "y"))
    assert plain.is_new(half)
    assert not Layouts([page("a", "b", "c", "d", "e", "f"), page("a", "b", "c", "g", "h", "i")]).is_new(half)
    assert plain.is_same(marks(page("a", "b", "c", "d", "e", "f", "g")))
    whole_and_more = marks(page(*"abcdef", *(f"more-{chr(97 + n)}" for n in range(26))))
    assert not plain.is_new(whole_and_more), "it has all that the known layout has"
    assert not Layouts([]).is_new(half), "nothing to compare"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("https://anna:secret@x.example/p", "https://anna:***@x.example/p"),
        (
            "not had: http://a:p@w:rd@x.example:8080/?q=a@b, and HTTP://b:c@y/",
            "not had: http://a:***@x.example:8080/?q=a@b, and HTTP://b:***@y/",
        ),
        ('{"url": "http://:x@y/", "mail": "a@b.c"}', '{"url": "http://:***@y/", "mail": "a@b.c"}'),
        ("https://x.example:443/a:b@c", "https://x.example:443/a:b@c"),
        ("http://x.example:80 and a@b", "http://x.example:80 and a@b"),
        ("http://anna@x.example/", "http://anna@x.example/"),
    ],
)
def test_no_text_shows_the_password_of_a_url(text: str, seen: str) -> None:
    assert shown(text) == seen


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("https://anna:p@w:rd@x.example:8080/p?q=a@b", "https://x.example:8080/p?q=a@b"),
        ("https://anna@x.example", "https://x.example"),
        ("https://x.example/@anna?to=http://b@c", "https://x.example/@anna?to=http://b@c"),
        ("not a url, a@b", "not a url, a@b"),
    ],
)
def test_a_url_without_its_user_is_that_of_the_same_page(url: str, bare: str) -> None:
    assert without_user(url) == bare
    assert url_key(bare) == url_key(url) or "://" not in url
