"""Own checks of JSON over HTTP with requests, run by run.py.

    python3 requests_checks.py <address of InteropServer> <address of the quickstart's provider>

Prints a line for each check: `ok`, or the reason, behind its name and a colon.
"""

import base64
import gzip
import json
import sys

import requests

SECONDS = 10
USERS = "io.rpcboot.samples.quickstart.api.UserService"
CHECK = "io.rpcboot.samples.interop.CheckService"


def equal(actual, expected):
    if actual != expected:
        raise AssertionError("%.300r (expected: %.300r)" % (actual, expected))


class Checks:
    def __init__(self, testing, users):
        self.testing = f"http://{testing}"
        self.users = f"http://{users}"
        self.session = requests.Session()

    def _get_user(self, **options):
        return self.session.post(f"{self.users}/{USERS}/GetUser", timeout=SECONDS, **options)

    def _check(self, method, arguments, **options):
        return self.session.post(f"{self.testing}/{CHECK}/{method}", json=arguments, timeout=SECONDS, **options)

    def call(self):
        response = self._get_user(json={"id": 7})
        equal((response.status_code, response.headers["Content-Type"]), (200, "application/json"))
        user = response.json()["value"]
        equal((user["id"], user["name"], user["birthday"], user["permissions"][:3]),
              ("7", "Doug Lea", "1968-12-08", [1, 2, 3]))

    def text_of_any_language(self):
        for name in "\u4e00", "\U0001f608", "\u0000\"\\\u2028":
            equal(self._check("Echo", {"item": {"name": name}}).json()["value"]["name"], name)

    def field_that_is_unknown(self):
        response = self._get_user(json={"idd": 7})
        equal((response.status_code, response.json()["code"]), (400, "invalid_argument"))
        equal("idd" in response.json()["message"], True)

    def method_that_is_unknown(self):
        response = self.session.post(f"{self.users}/{USERS}/GetUsr", json={}, timeout=SECONDS)
        equal((response.status_code, response.json()["code"]), (404, "unimplemented"))
        equal("GetUser" in response.json()["message"], True)

    def declared_exception(self):
        response = self._check("Refuse", {"reason": "closed", "code": 7})
        error = response.json()
        equal((response.status_code, error["code"], len(error["details"])), (500, "unknown", 1))
        equal(b"closed" in base64.b64decode(error["details"][0]["value"] + "=="), True)

    def content_type_of_a_form(self):
        equal(self._get_user(data={"id": 7}).status_code, 415)

    def get(self):
        equal(self.session.get(f"{self.users}/{USERS}/GetUser", timeout=SECONDS).status_code, 405)

    def gzip(self):
        body = gzip.compress(json.dumps({"pageNo": 2}).encode())
        response = self.session.post(f"{self.users}/{USERS}/ListUser", body, timeout=SECONDS, headers={
            "Content-Type": "application/json", "Content-Encoding": "gzip"})
        equal((response.status_code, response.headers.get("Content-Encoding")), (200, "gzip"))
        equal(len(response.json()["value"]["result"]), 15)

    def body_in_chunks(self):
        parts = (each.encode() for each in ('{"id"', ": ", "7}"))
        response = self._get_user(data=parts, headers={"Content-Type": "application/json"})
        equal((response.status_code, response.json()["value"]["id"]), (200, "7"))

    def deadline(self):
        before = self._check("Cancelled", {}).json().get("value", 0)
        response = self._check("Pause", {"millis": 60000}, headers={"Connect-Timeout-Ms": "300"})
        equal((response.status_code, response.json()["code"]), (504, "deadline_exceeded"))
        equal(self._check("Cancelled", {}).json().get("value", 0), before + 1)

    def keep_alive(self):
        with requests.Session() as session:
            for i in range(100):
                session.post(f"{self.users}/{USERS}/GetUser", json={"id": i}, timeout=SECONDS).raise_for_status()
            pools = session.get_adapter(self.users).poolmanager.pools
            equal([(each.num_connections, each.num_requests) for each in map(pools.get, pools.keys())], [(1, 100)])


def main():
    checks = Checks(*sys.argv[1:])
    for name, check in vars(Checks).items():
        if name.startswith("_"):
            continue
        try:
            check(checks)
            print(name.replace("_", " ") + ": ok", flush=True)
        except (AssertionError, KeyError, requests.RequestException) as failed:
            print(name.replace("_", " ") + ": " + " ".join(repr(failed).split()), flush=True)


if __name__ == "__main__":
    main()
