"""What a generated program may name: builtins, methods it may define, parts of the parser, of modules. Words only."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


BUILTINS = _words("""
    None False True Ellipsis NotImplemented abs all any ascii bin bool bytearray bytes callable chr classmethod complex
    dict divmod enumerate filter float format frozenset hash hex id int isinstance issubclass iter len list map max
    min next object oct ord pow property range repr reversed round set slice sorted staticmethod str sum super tuple
    zip
""")

KINDS = _words("""
    str int float bool bytes bytearray list dict set frozenset tuple range slice complex object
""")
"""Builtin types that `type(x)` may show."""

OUT_OF_REACH = _words("""
    open exec eval compile globals locals input dir help exit quit breakpoint memoryview delattr aiter anext
""")

MAGIC = tuple(
    f"__{name}__"
    for name in _words("""
        init post_init repr str eq ne lt le gt ge hash bool len contains iter next reversed call enter exit missing
        getitem setitem delitem add radd sub rsub mul rmul truediv floordiv mod neg abs int float and or xor
    """)
)

TREE = _words("""
    body clone css css_first css_matches any_css_matches head html inner_html merge_text_nodes root
    script_srcs_contain scripts_contain select strip_tags tags text unwrap_tags create_node raw_html
""")

NODE = _words("""
    any_css_matches attributes attrs child clone comment_content css css_first css_matches decompose first_child html
    id inner_html insert_after insert_before insert_child is_comment_node is_document_node is_element_node
    is_empty_text_node is_text_node iter last_child mem_id merge_text_nodes next parent prev raw_value remove
    replace_with script_srcs_contain scripts_contain select strip_tags tag tag_id text text_content text_lexbor
    traverse unwrap unwrap_tags
""")

NODE_ATTRIBUTES = _words("keys items values get sget")

SELECTOR = _words("css matches any_matches text_contains any_text_contains attribute_longer_than")

MODULES = {
    "re": _words("""
        compile search match fullmatch findall finditer sub subn split escape purge error PatternError Pattern Match A
        ASCII I IGNORECASE M MULTILINE S DOTALL X VERBOSE U UNICODE L LOCALE NOFLAG
    """),
    "json": _words("loads dumps JSONDecodeError JSONDecoder JSONEncoder"),
    "json.decoder": _words("JSONDecodeError JSONDecoder"),
    "html": _words("unescape escape"),
    "html.parser": _words("HTMLParser"),
    "abc": _words("ABC abstractmethod"),
    "math": (),
    "datetime": _words("datetime date time timedelta timezone tzinfo UTC MINYEAR MAXYEAR"),
    "decimal": _words("""
        Decimal getcontext localcontext Context DecimalException InvalidOperation DivisionByZero Overflow
        Underflow Inexact Rounded ROUND_UP ROUND_DOWN ROUND_CEILING ROUND_FLOOR ROUND_HALF_UP ROUND_HALF_DOWN
        ROUND_HALF_EVEN ROUND_05UP
    """),
    "fractions": _words("Fraction"),
    "collections": _words("defaultdict Counter OrderedDict namedtuple deque ChainMap"),
    "collections.abc": (),
    "urllib.parse": _words("""
        urljoin urlparse urlsplit urlunsplit urlunparse urldefrag urlencode parse_qs parse_qsl quote quote_plus unquote
        unquote_plus ParseResult SplitResult
    """),
    "unicodedata": (),
    "typing": _words("""
        Any Optional Union List Dict Set FrozenSet Tuple Type Callable Iterable Iterator Generator Sequence
        MutableSequence Mapping MutableMapping Literal Final ClassVar TypedDict NamedTuple TypeVar Generic Protocol
        Annotated Pattern Match DefaultDict OrderedDict Counter Deque Collection Hashable Sized NoReturn Never Self
        TypeAlias Text AnyStr Required NotRequired Reversible Container SupportsFloat SupportsInt cast overload
        TYPE_CHECKING
    """),
    "dataclasses": _words("field fields asdict astuple replace is_dataclass MISSING KW_ONLY"),
    "functools": _words("partial reduce lru_cache cache cmp_to_key cached_property"),
    "itertools": (),
    "string": _words("""
        ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits printable punctuation whitespace
        capwords Template
    """),
    "operator": _words("""
        itemgetter add sub mul truediv floordiv mod neg pos abs eq ne lt le gt ge not_ truth and_ or_ xor contains
        countOf indexOf getitem concat
    """),
    "enum": _words("Enum IntEnum StrEnum Flag IntFlag auto unique"),
    "contextlib": _words("suppress contextmanager nullcontext"),
    "copy": _words("copy deepcopy"),
    "time": _words("time strptime strftime gmtime localtime mktime struct_time"),
    "calendar": _words("month_name month_abbr day_name day_abbr monthrange isleap timegm"),
    "textwrap": _words("dedent indent shorten wrap fill"),
    "base64": _words("b64decode b64encode urlsafe_b64decode urlsafe_b64encode"),
    "bisect": _words("bisect bisect_left bisect_right insort"),
    "heapq": _words("heappush heappop heapify nlargest nsmallest merge"),
    "selectolax.lexbor": _words("LexborHTMLParser LexborNode SelectolaxError"),
    "__future__": _words("annotations"),
    "crawloop.extract.view": _words("PageView Element JsonNode"),
    "crawloop.extract.transforms": (),
}
"""Names of each module that may be imported; all that it calls public where there are none."""

CODECS = _words("""
    ascii latin_1 utf_8 utf_8_sig utf_16 utf_16_le utf_16_be utf_32 cp437 cp850 cp1250 cp1251 cp1252 cp1253 cp1254
    cp1255 cp1256 cp1257 iso8859_2 iso8859_5 iso8859_7 iso8859_9 iso8859_15 koi8_r koi8_u mac_roman shift_jis euc_jp
    gbk gb18030 big5 euc_kr idna punycode unicode_escape raw_unicode_escape
""")
