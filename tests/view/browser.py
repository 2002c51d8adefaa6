"""Looks at the page in a headless Chromium (Debian: ``apt-get install chromium``): ``make test-view``.

Speaks to the browser over its debugging pipe; leaves a screenshot in ``build/``. Ends with 0 when everything holds.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from soong_memoryd.cli.viewer.page import render
from tests.view.pages import HOSTILE, page_data

MEMORIES = 1000
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
SCREENSHOT = Path("build/view.png")


class Browser:
    """A Chromium with one tab."""

    def __init__(self, program: str, profile: str) -> None:
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,1600", f"--user-data-dir={profile}"]
        command = [program, *options, "--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", *command],
            pass_fds=(to_browser, from_browser),
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._number, self._session = b"", 0, ""
        self.events: list[dict[str, Any]] = []
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        os.write(self._out, json.dumps(message | ({"sessionId": self._session} if self._session else {})).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def open(self, path: Path) -> None:
        self.ask("Page.navigate", url=path.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._read())

    def value(self, expression: str) -> Any:
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            data = os.read(self._in, 1 << 20)
            assert data, "the browser ended"
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(10)
        os.close(self._out)
        os.close(self._in)


def look(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.value("document.title") == "soong-memoryd", "a memory ran as a script"
    assert browser.value("document.querySelectorAll('#memories li').length") == MEMORIES
    assert browser.value("document.querySelectorAll('script').length") == 2
    assert browser.value("document.querySelectorAll('iframe, img, base, meta[http-equiv=refresh]').length") == 0
    shown = "[...document.querySelectorAll('#memories li span:first-child')].slice(0, 8).map(e => e.textContent)"
    assert browser.value(shown) == list(HOSTILE), "texts are shown as they are"
    assert browser.value("document.querySelectorAll('#timeline-chart rect').length") > 20
    assert browser.value("document.querySelectorAll('#token-chart rect').length") > 20
    assert "ignored: one_off_task" in browser.value("document.getElementById('job-rows').textContent")
    browser.value(
        "{const box = document.getElementById('filter-text'); box.value = '偏好 421:'; box.dispatchEvent(new Event('input'))}"
    )
    assert browser.value("document.getElementById('filter-count').textContent") == f"1 of {MEMORIES}"
    browser.value("document.querySelector('#memories button').click()")
    memory = browser.value("document.getElementById('memory').textContent")
    assert "偏好 421" in memory and "soong-memoryctl forget mem_" in memory and "It rests on" in memory
    requested = [e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"]
    assert all(url.startswith("file:") for url in requested), requested
    complaints = [e["params"] for e in browser.events if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")]
    assert complaints == [], complaints
    image = browser.ask("Page.captureScreenshot", captureBeyondViewport=True)["data"]
    SCREENSHOT.parent.mkdir(exist_ok=True)
    SCREENSHOT.write_bytes(base64.b64decode(image))


def main() -> int:
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        print("no Chromium here: apt-get install chromium")
        return 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        page = Path(name) / "view.html"
        page.write_text(render(page_data(MEMORIES)), encoding="utf-8")
        browser = Browser(program, f"{name}/profile")
        try:
            look(browser, page)
        finally:
            browser.close()
        print(f"{MEMORIES} memories, {page.stat().st_size >> 10} KiB: shown, filtered, nothing injected; {SCREENSHOT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
