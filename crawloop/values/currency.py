"""Signs, codes and words by which an amount of money is known, in front of it or behind it."""

from __future__ import annotations

import re

SIGNS = "$¢£¤¥֏؋৳฿៛₠₡₢₣₤₥₦₧₨₩₪₫€₭₮₯₰₱₲₳₴₵₶₷₸₹₺₻₼₽₾₿⃀﷼"

# ISO 4217 without ALL and TOP, which are words of headings ("TOP 5"). Upper case only, but for the few in LOOSE.
_CODES = (
    "AED AFN AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF "
    "CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL "
    "HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD "
    "MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN "
    "PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TRY TTD TWD "
    "TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL RMB"
)
# In any case; weights and lengths ("pounds", "ft") are left out.
_LOOSE = (
    "eur usd gbp chf sek nok dkk pln czk huf aud cad nzd inr jpy cny kr kr. euro euros dollar dollars rupee rupees yen"
)
_WORDS = (
    "R$ US$ U$S C$ CA$ A$ AU$ NZ$ HK$ NT$ S$ MX$ Rs. Rs Kč Kčs kč zł Zł ZŁ zl Ft lei Lei LEI лв лв. руб. "
    "руб р. грн грн. SFr. SFr sFr. Fr. Fr TL din. din RM Rp S/ S/. 円 元 원"
)
# Amounts in these are written with three decimals.
_THOUSANDTHS = {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}


def _alternatives() -> str:
    any_case, as_written = (
        "|".join(re.escape(word) for word in sorted(words.split(), key=len, reverse=True))
        for words in (_LOOSE, f"{_WORDS} {_CODES}")
    )
    # A word may not be cut out of a longer one: "kr" is not in "krone", "Fr" not in "From". None of them is tried where
    # none starts with what stands there.
    starts = "".join(sorted({word[0] for word in f"{_LOOSE} {_WORDS} {_CODES}".split()})) + SIGNS
    return (
        rf"(?:(?=(?i:[{re.escape(starts)}]))"
        rf"(?:(?:(?i:{any_case})|{as_written})(?![^\W\d_])|[{re.escape(SIGNS)}]))"
    )


CURRENCY = _alternatives()
BEFORE = re.compile(rf"(?<![^\W\d_]){CURRENCY}\s?-?\s?$")
_BESIDE = re.compile(rf"[^\W\d_]+|[{re.escape(SIGNS)}]")
AFTER = re.compile(rf"\s?{CURRENCY}")


def beside(text: str) -> list[str]:
    """The words and currency signs of a text, in lower case."""
    return [one.casefold() for one in _BESIDE.findall(text)]


def has_thousandths(mark: str) -> bool:
    """Whether amounts of this currency have three decimals, so that `3.350` is no group of thousands."""
    return mark.strip(" -") in _THOUSANDTHS
