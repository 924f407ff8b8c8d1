"""The words and marks by which pages that are not what was asked for give themselves away."""

from __future__ import annotations

import re

# What only the challenge itself carries, spelled as its vendor spells it; scripts that vendors put on pages that are
# served as well (Cloudflare's "challenge-platform", PerimeterX's sensor) are not among them.
CHALLENGES = {
    "Cloudflare": ("_cf_chl_opt", "cf-browser-verification", "cf-challenge-running", "cf-error-details"),
    "DataDome": ("captcha-delivery.com/c.js", "captcha-delivery.com/i.js", "geo.captcha-delivery.com", "var dd={"),
    "PerimeterX": ('id="px-captcha"', "id='px-captcha'", "id=px-captcha", "captcha.px-cdn.net", "captcha.px-cloud.net"),
    "Akamai": ("sec-if-cpt-container", "bm-verify=", "/_sec/cp_challenge", "errors.edgesuite.net"),
    "Imperva": ("_Incapsula_Resource?SWUDNSAI", "Incapsula incident ID", "_Incapsula_Resource?CWUDNSAI"),
    "AWS WAF": ("gokuProps", "awsWafCookieDomainList", "AwsWafIntegration.forceRefreshToken"),
    "Kasada": ("KPSDK.now", "/ips.js?KP_UIDz"),
    "Sucuri": ("sucuri.net/privacy-policy", "Sucuri WebSite Firewall"),
    "Anubis": ("/.within.website/x/cmd/anubis", "anubis_challenge"),
    "Vercel": ("/.well-known/vercel/security/",),
    "Reblaze": ("rbzns.", "window.rbzid"),
}
# The element that a captcha is put into; forms of comments and log-ins of real pages hold one too.
WIDGET = re.compile(
    r"""<div\b[^<>]{0,200}?\bclass=["']?[^"'<>]{0,60}?\b(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha)\b
    | <iframe\b[^<>]{0,200}?\bsrc=["']?https?://(?:[\w-]{1,60}\.){0,4}(?:hcaptcha\.com|captcha-delivery\.com|arkoselabs\.com)/
    """,
    re.IGNORECASE | re.VERBOSE,
)
BLOCKED = re.compile(
    r"""just\ a\ moment | attention\ required | access\ (?:to\ this\ page\ has\ been\ )?denied
    | pardon\ our\ interruption | (?:verif(?:y|ying|ication)|confirm|prove)\b.{0,30}\bhuman
    | are\ you\ (?:a\ )?(?:human|robot) | not\ a\ (?:ro)?bot\b | human\ verification | robot\ check | captcha
    | security\ (?:check(?:point)?|verification)\b | unusual\ (?:traffic|activity) | too\ many\ requests
    | checking\ (?:your\ browser|if\ the\ site\ connection\ is\ secure) | ddos\ protection
    | enable\ (?:js|javascript)\ and\ (?:disable|cookies)
    | (?:javascript|cookies)\ (?:and\ cookies\ )?(?:is|are)\ (?:required|disabled)
    | request\ (?:blocked|unsuccessful) | you\ have\ been\ blocked | ^(?:error\ )?40[13]\b | (?:40[13]\ )?forbidden$
    | zugriff\ verweigert | acc[eè]s\ refus[eé] | acceso\ denegado | accesso\ negato | acesso\ negado
    | доступ\ запрещ[её]н
    """,
    re.IGNORECASE | re.VERBOSE,
)
MISSING = re.compile(
    r"""(?:error\s|http\s)?(?:404|410)(?:\s(?:error|not\sfound|page\snot\sfound|gone))?
    | (?:(?:sorry|oops|whoops)\W+)?(?:(?:this|that|the|your|requested)\s){0,3}
      (?:page|file|document|article|product|item|recipe|listing|job|event|url|content|resource|post|entry|case)\s?
      (?:(?:was|is|could|can|cannot|can't|couldn't)\s?)?(?:be\s)?
      (?:not(?:\sbe)?\s(?:found|available)|no\slonger\s(?:available|exists)|does(?:\snot|n't)\sexist|unavailable|missing)
    | not\sfound
    | (?:seite|artikel|produkt)\s(?:wurde\s)?nicht\s(?:gefunden|verf[üu]gbar)
    | (?:page|produit|article)\sintrouvable
    | p[áa]gina\sn(?:o|ão)\sencontrada | pagina\snon\strovata | pagina\sniet\sgevonden
    | sidan\s(?:kunde\sinte\shittas|hittades\sinte) | siden\s(?:blev\s)?ikke\sfun(?:net|det)
    | strona\snie\sistnieje | страница\sне\sнайдена | ページが見つかりません | 页面(?:不存在|未找到)
    """,
    re.IGNORECASE | re.VERBOSE,
)
NOTHING = re.compile(
    r"""(?:(?:sorry|unfortunately|leider)\W+)?(?:there\s(?:are|were|is)\s)?(?:currently\s)?
      (?:no|0|zero)\s(?:\w+\s){0,2}?
      (?:results?|match(?:es)?|items?|products?|records?|entries|listings?|documents?|opinions?|cases|posts|jobs|events)
      (?:\s(?:(?:were|was|to)\s)?(?:found|match\w*|available|display|show|yet|that\smatch|for|in|at)\b.{0,80})?
    | nothing\s(?:was\s)?(?:found|to\s(?:show|display))\b.{0,60}
    | your\s(?:search|query)\b.{0,60}\b(?:no|any|0)\s(?:results|matches|documents)\b.{0,40}
    | (?:leider\s)?keine\s(?:\w+\s)?(?:ergebnisse|treffer|produkte|einträge)\b.{0,60}
    | aucune?\s(?:résultat|produit)\b.{0,60}
    | no\s(?:se\s)?(?:encontraron|hay)\s(?:resultados|productos)\b.{0,60}
    | (?:sin\sresultados|nessun\s(?:risultato|prodotto)|nenhum\sresultado|geen\sresultaten)\b.{0,60}
    | (?:inga\sresultat|ingen\sresultater|brak\swyników|ничего\sне\sнайдено)\b.{0,60}
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A large page without one of these is not searched for NOTHING; a plain search is 50 times faster than the pattern.
NOTHING_STEMS = (
    "o results", "o matches", "o items", "o products", "o records", "othing found", "eine Ergebnisse", "eine Treffer",
    "ucun résultat", "o se encontraron",
)  # fmt: skip
WAITING = re.compile(
    r"loading|please wait|enable javascript|javascript (?:is )?(?:required|disabled)|einen moment", re.IGNORECASE
)
FRONT = re.compile(r"/(?:[a-z]{2}(?:[-_][a-z]{2})?/?)?(?:index\.\w+|home/?|default\.\w+)?", re.IGNORECASE)
LOGIN = re.compile(r"/(?:log-?in|sign-?in|auth|sso|account/login)(?:[/.?]|$)", re.IGNORECASE)
LOST = re.compile(r"/(?:404|not-?found|error(?:-?404)?|page-?not-?found)(?:[/.?]|$)", re.IGNORECASE)
