"""A package registry for npm on this machine: what lies in the folder of packages, and nothing else."""

import base64
import hashlib
import http.server
import json
import tarfile
import threading
import urllib.parse

from support import PACKAGES


def manifest(path):
    with tarfile.open(path) as archive:
        return json.load(archive.extractfile("package/package.json"))


class Desk(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = urllib.parse.unquote(self.path).strip("/")
        paths = {path.name: path for path in PACKAGES.glob("*.tgz")}
        if name in paths:
            return self.reply(200, paths[name].read_bytes())
        for path in paths.values():
            facts = manifest(path)
            if facts["name"] == name:
                digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
                address = f"http://127.0.0.1:{self.server.server_port}/{path.name}"
                facts["dist"] = {"tarball": address, "integrity": f"sha512-{digest}"}
                version = facts["version"]
                return self.reply(200, json.dumps({"name": name, "dist-tags": {"latest": version}, "versions": {version: facts}}).encode())
        return self.reply(404, b"{}")

    def reply(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def opened(test):
    """Its address, until the test ends."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Desk)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return f"http://127.0.0.1:{server.server_port}/"
