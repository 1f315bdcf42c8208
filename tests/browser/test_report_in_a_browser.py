"""The report page in a real browser: it opens from a file, complains of nothing, and answers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from gcdesign.adversary import Settings
from gcdesign.adversary.dossier import dossier
from gcdesign.codes import load_code
from gcdesign.figures.report import report_html

selenium = pytest.importorskip("selenium", reason="selenium is not installed")

from selenium import webdriver  # noqa: E402
from selenium.webdriver import ActionChains, Chrome  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="chromium or chromedriver is not installed"
)

HOSTILE = '</script><script>document.title="owned"</script><img src=x onerror=alert(1)>'


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = dossier(load_code("pg:q=3"), name="pg:q=3", settings=Settings(time_limit=60))
    path = tmp_path_factory.mktemp("report") / "report.html"
    text = report_html(
        found, name="pg:q=3", commands=(f"gcdesign report {HOSTILE}",), title=HOSTILE
    )
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser(page: Path) -> Iterator[Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(BROWSER)
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.add_argument("--window-size=1200,900")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    try:
        driver.get(page.as_uri())
        yield driver
    finally:
        driver.quit()


def test_it_opens_without_a_complaint_and_asks_nobody(browser: Chrome) -> None:
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    messages = [json.loads(entry["message"]) for entry in browser.get_log("performance")]  # type: ignore[no-untyped-call]
    asked = {
        message["message"]["params"]["request"]["url"].partition(":")[0]
        for message in messages
        if message["message"]["method"] == "Network.requestWillBeSent"
    }
    assert asked <= {"file", "data"}


def test_hostile_text_is_text(browser: Chrome) -> None:
    assert browser.title == HOSTILE
    assert browser.find_element(By.TAG_NAME, "h1").text == HOSTILE
    assert browser.find_elements(By.CSS_SELECTOR, "h1 img, pre img") == []


def test_every_picture_is_there(browser: Chrome) -> None:
    pictures = browser.find_elements(By.TAG_NAME, "img")
    narrow = browser.find_elements(By.CSS_SELECTOR, "picture source")
    assert len(narrow) == 2
    for source in narrow:
        assert (source.get_attribute("srcset") or "").startswith("data:image/svg+xml")
    assert len(pictures) == 2
    for picture in pictures:
        assert int(picture.get_property("naturalWidth")) > 100  # type: ignore[arg-type]
        assert picture.get_attribute("alt")
    assert len(browser.find_elements(By.CSS_SELECTOR, "#matrix .cell")) == 13 * 4
    assert len(browser.find_elements(By.CSS_SELECTOR, "#graph line")) == 13 * 4


def test_a_worker_shows_its_parts(browser: Chrome) -> None:
    parts = load_code("pg:q=3").placement.design.blocks()[5]
    node = browser.find_element(By.CSS_SELECTOR, 'rect.node[data-worker="5"]')
    ActionChains(browser).move_to_element(node).perform()
    lit = browser.find_elements(By.CSS_SELECTOR, "circle.on")
    assert sorted(int(dot.get_attribute("data-part") or -1) for dot in lit) == list(parts)
    said = browser.find_element(By.ID, "chosen").text
    assert said == f"worker 5 holds 4 parts: {', '.join(map(str, parts))}"
    ActionChains(browser).move_to_element(browser.find_element(By.TAG_NAME, "h1")).perform()
    assert browser.find_elements(By.CSS_SELECTOR, ".on") == []


def test_the_keyboard_chooses_a_part(browser: Chrome) -> None:
    Select(browser.find_element(By.ID, "choose-part")).select_by_visible_text("7")
    design = load_code("pg:q=3").placement.design
    holders = [worker for worker, parts in enumerate(design.blocks()) if 7 in parts]
    lit = browser.find_elements(By.CSS_SELECTOR, "rect.node.on")
    assert sorted(int(dot.get_attribute("data-worker") or -1) for dot in lit) == holders
    Select(browser.find_element(By.ID, "choose-part")).select_by_visible_text("none")


def test_tables_sort_by_number_and_back(browser: Chrome) -> None:
    table = browser.find_element(By.CSS_SELECTOR, "#errors table")
    button = table.find_elements(By.CSS_SELECTOR, "thead button")[1]
    browser.execute_script("arguments[0].click()", button)
    rising = [row.text for row in table.find_elements(By.CSS_SELECTOR, "tbody th")]
    browser.execute_script("arguments[0].click()", button)
    falling = [row.text for row in table.find_elements(By.CSS_SELECTOR, "tbody th")]
    assert rising == [f"S = {number}" for number in range(14)]
    assert falling == rising[::-1]


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_its_text_stands_out(browser: Chrome, width: int, scheme: str) -> None:
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    assert wide <= width
    contrasts = browser.execute_script(CONTRAST)
    assert len(contrasts) > 50
    assert min(contrasts) >= 4.5  # WCAG 2, level AA


def test_everything_can_be_reached_and_is_named(browser: Chrome) -> None:
    assert browser.execute_script(NAMES) == []


def test_print_is_dark_on_white_whatever_the_screen(browser: Chrome) -> None:
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})
    colours = browser.execute_script(
        "const style = getComputedStyle(document.body); return [style.color, style.backgroundColor]"
    )
    assert colours == ["rgb(26, 26, 26)", "rgb(255, 255, 255)"]
    assert browser.execute_script(
        "return [...document.querySelectorAll('nav, .choose, .copy')]"
        ".every((e) => getComputedStyle(e).display === 'none')"
    )
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_a_large_page_opens_whole_and_is_small_enough_to_send(
    browser: Chrome, page: Path, tmp_path: Path
) -> None:
    settings = Settings(method="bounds", time_limit=20)
    found = dossier(load_code("pg:q=9"), name="pg:q=9", settings=settings)
    text = report_html(found, name="pg:q=9", commands=())
    assert len(text.encode()) < 2_000_000
    path = tmp_path / "large.html"
    path.write_text(text, encoding="utf-8")
    browser.get(path.as_uri())
    assert len(browser.find_elements(By.CSS_SELECTOR, "#matrix .cell")) == 91 * 10
    browser.get(page.as_uri())


NAMES = """
const named = (e) => (e.getAttribute("aria-label") || e.textContent || e.alt || "").trim();
const problems = [];
document.querySelectorAll("a, button, select").forEach((e) => {
  const label = e.closest("label");
  if (!named(e) && !(label && label.textContent.trim())) problems.push(e.outerHTML.slice(0, 80));
  if (e.tabIndex < 0) problems.push("not reached: " + e.outerHTML.slice(0, 80));
});
document.querySelectorAll("img, svg").forEach((e) => {
  if (!named(e)) problems.push("no name: " + e.outerHTML.slice(0, 80));
});
document.querySelectorAll("*").forEach((e) => {
  const scrolls = /auto|scroll/.test(getComputedStyle(e).overflowX);
  if (scrolls && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0)
    problems.push("scrolls without keys: " + e.outerHTML.slice(0, 80));
});
const levels = [...document.querySelectorAll("h1, h2, h3")].map((e) => Number(e.tagName[1]));
if (levels[0] !== 1 || levels.some((l, i) => i && l > levels[i - 1] + 1)) problems.push("headings");
document.querySelectorAll("table").forEach((e) => {
  if (!e.querySelector("th[scope=col]") || !e.querySelector("th[scope=row]"))
    problems.push("a table without headers");
});
return problems;
"""

CONTRAST = """
const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const ground = (e) => {
  for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] > 0) return c.slice(0, 3);
  }
  return [255, 255, 255];
};
const found = [];
document.querySelectorAll("h1,h2,p,dt,dd,th,td,a,code,button,figcaption,.badge,output,label,pre")
  .forEach((e) => {
    if (!e.textContent.trim() || !e.offsetParent) return;
    const both = [light(parse(getComputedStyle(e).color)), light(ground(e))];
    const [a, b] = both.sort((x, y) => y - x);
    found.push((a + 0.05) / (b + 0.05));
  });
return found;
"""
