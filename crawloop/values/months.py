"""Month and weekday names in the languages that dates are read in, and the words that stand between their parts.

Names are kept casefolded and without accents, as `bare` gives them.
"""

from __future__ import annotations

from unicodedata import combining, normalize


def bare(text: str) -> str:
    """Casefolded, without accents; the dotless ı counts as i, as capital İ does."""
    text = text.casefold()
    if text.isascii():
        return text
    kept = "".join(c for c in normalize("NFD", text) if not combining(c))
    return normalize("NFC", kept).replace("ı", "i").replace("ł", "l")


# en de fr es it nl pt sv da no fi pl cs tr ru uk ro hu
_BY_MONTH = (
    "january jan januar jänner jän janvier janv enero ene gennaio gen januari janeiro tammikuu tammikuuta tammi "
    "styczeń stycznia sty leden ledna led ocak oca январь января янв січень січня січ ianuarie ian január",
    "february feb febr februar feber février févr fév febrero febbraio februari fevereiro fev helmikuu helmikuuta "
    "helmi luty lutego lut únor února úno şubat şub февраль февраля февр фев лютий лютого лют februarie február",
    "march mar märz mär mrz mars marzo maart mrt março marts maaliskuu maaliskuuta maalis marzec marca březen března "
    "bře mart март марта мар березень березня бер martie március márc",
    "april apr avril avr abril abr aprile huhtikuu huhtikuuta huhti kwiecień kwietnia kwi duben dubna dub nisan nis "
    "апрель апреля апр квітень квітня квіт aprilie április ápr",
    "may mai mayo maggio mag mei maio maj toukokuu toukokuuta touko maja květen května kvě mayıs май мая травень "
    "травня трав május máj",
    "june jun juni juin junio giugno giu junho kesäkuu kesäkuuta kesä czerwiec czerwca cze červen června čvn haziran "
    "haz июнь июня июн червень червня черв iunie június jún",
    "july jul juli juillet juil julio luglio lug julho heinäkuu heinäkuuta heinä lipiec lipca lip červenec července "
    "čvc temmuz tem июль июля июл липень липня лип iulie július júl",
    "august aug août aoû agosto ago augustus augusti elokuu elokuuta elo sierpień sierpnia sie srpen srpna srp ağustos "
    "ağu август августа авг серпень серпня серп augusztus",
    "september sep sept septembre septiembre setiembre settembre sett set setembro syyskuu syyskuuta syys wrzesień "
    "września wrz září zář eylül eyl сентябрь сентября сент сен вересень вересня вер septembrie szeptember szept",
    "october oct oktober okt octobre octubre ottobre ott outubro out lokakuu lokakuuta loka październik października "
    "paź říjen října říj ekim eki октябрь октября окт жовтень жовтня жовт octombrie október",
    "november nov novembre noviembre novembro marraskuu marraskuuta marras listopad listopada lis kasım kas ноябрь "
    "ноября нояб ноя листопад листопада лист noiembrie",
    "december dec dezember dez décembre déc diciembre dic dicembre desember des dezembro joulukuu joulukuuta joulu "
    "grudzień grudnia gru prosinec prosince pro aralık ara декабрь декабря дек грудень грудня груд decembrie",
)
MONTHS: dict[str, int] = {bare(name): n for n, names in enumerate(_BY_MONTH, 1) for name in names.split()}

WEEKDAYS = frozenset(
    bare(
        "monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri saturday sat sunday sun montag "
        "mo dienstag di mittwoch mi donnerstag do freitag fr samstag sonnabend sa sonntag so lundi lun mardi mar "
        "mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim lunes martes mié miércoles mie jueves jue "
        "viernes vie sábado sáb domingo dom lunedì martedì mercoledì giovedì gio venerdì sabato domenica maandag ma "
        "dinsdag woensdag wo wrz donderdag vrijdag vr zaterdag za zondag zo segunda terça quarta quinta sexta feira "
        "seg ter qua qui sex måndag mån tisdag tis onsdag ons torsdag tors fredag fre lördag lör söndag sön mandag "
        "man tirsdag tir lørdag lør søndag søn maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai "
        "maanantaina tiistaina keskiviikkona torstaina perjantaina lauantaina sunnuntaina ke to pe la su ti "
        "poniedziałek wtorek środa czwartek piątek sobota niedziela pon wt śr czw pt sob nd pondělí úterý středa "
        "čtvrtek pátek neděle po út st čt pá ne pazartesi salı çarşamba perşembe cuma cumartesi pazar понедельник "
        "вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс понеділок середа пʼятниця субота "
        "неділя luni marți miercuri joi vineri sâmbătă duminică hétfő kedd szerda csütörtök péntek szombat vasárnap"
    ).split()
)

FILLERS = frozenset(
    bare(
        "at on um am den der dem le el il la de del den of o à às à a alle ore om kl klo kello o g год года г р. "
        "годa uhr h utc hrs saat v ve"
    ).split()
)
