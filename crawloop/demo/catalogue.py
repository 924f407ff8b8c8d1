"""What the bundled shop sells: forty lamps, chairs, kettles and rugs, the same ones each time.

The redesign comes with a new season: `season=1` has other prices and stocks for some, as a real relaunch has.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

CURRENCY = "EUR"

_KINDS = (
    ("Lamp", ("Lighting", "Table lamps"), ("Dimmable", "Linen shade", "E14 socket", "Cable of 1.8 m", "Steel base")),
    (
        "Chair",
        ("Furniture", "Chairs"),
        ("Solid oak", "Stackable", "Felt glides", "Seat height 45 cm", "Carries 130 kg"),
    ),
    ("Kettle", ("Kitchen", "Kettles"), ("Holds 1.2 l", "Whistles", "For induction", "Enamelled inside", "Cool handle")),
    ("Rug", ("Textiles", "Rugs"), ("Pure wool", "Woven by hand", "Reversible", "170 × 240 cm", "Moth-proofed")),
)
_NAMES = ("Alder", "Birch", "Cedar", "Elm", "Fjord", "Grove", "Heath", "Isle", "Juniper", "Kelp")
_BRANDS = ("Nordhaus", "Quill & Co", "Atelier Brun", "Möbelwerk", "O'Hara Home")
_BADGES = (None, "New", None, "Bestseller", None, None, "Last pieces")
_WORDS = (
    "made to be used every day",
    "drawn by a small studio and built to last",
    "lighter than it looks",
    "at home in a hallway as in a parlour",
    "repaired free of charge for ten years",
)


@dataclass(frozen=True, slots=True)
class Product:
    """One article. Money is in cents; `was` is the price before a sale, None where there is none."""

    number: int
    name: str
    brand: str
    sku: str
    path: tuple[str, str]
    cents: int
    was: int | None
    stock: str
    rating: float | None
    reviews: int | None
    badge: str | None
    released: date
    description: str
    features: tuple[str, ...]

    @property
    def slug(self) -> str:
        """The last part of its address, the same in both layouts."""
        return f"{self.name.lower().replace(' ', '-')}-{self.number}"

    @property
    def image(self) -> str:
        """The path of its picture."""
        return f"/images/{self.sku.lower()}.jpg"


def products(season: int = 0) -> tuple[Product, ...]:
    """All forty, in the order of the catalogue."""
    return tuple(_product(number, season) for number in range(40))


def _product(n: int, season: int) -> Product:
    kind, path, features = _KINDS[n % 4]
    regular = 1990 + (n * 7919) % 140_000 // 10 * 10
    if season and n % 6 == 2:
        regular = regular * 21 // 20
    on_sale = n % 3 == 0
    rated = n % 7 != 5
    return Product(
        number=101 + n,
        name=f"{_NAMES[n // 4]} {kind}",
        brand=_BRANDS[n % 5],
        sku=f"{kind[:2].upper()}-{4000 + 37 * n}",
        path=path,
        cents=regular * 8 // 10 if on_sale else regular,
        was=regular if on_sale else None,
        stock="Sold out" if n % 6 == 1 and (season == 0 or n % 12 == 1) else "In stock",
        rating=(311 + n * 37 % 180) / 100 if rated else None,
        reviews=104 + n * 13 % 300 if rated else None,
        badge=_BADGES[n % 7],
        released=date(2023, 1, 9) + timedelta(days=17 * n),
        description=f"{_NAMES[n // 4]} is a {kind.lower()} that is {_WORDS[n % 5]}; number {n + 1} of our series.",
        features=tuple(features[(n + k) % 5] for k in range(2 + n % 3)),
    )


def related(of: Product, among: tuple[Product, ...]) -> tuple[Product, ...]:
    """Three others of its sort: names and prices on its page that are not its own."""
    alike = [one for one in among if one.path == of.path and one.number != of.number]
    start = of.number % len(alike)
    return tuple((alike + alike)[start : start + 3])
