"""A local npm registry that serves only the packages of the build."""

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


class RegistryHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = urllib.parse.unquote(self.path).strip("/")
        paths = {path.name: path for path in PACKAGES.glob("*.tgz")}
        if name in paths:
            return self.reply(200, paths[name].read_bytes())
        for path in paths.values():
            package = manifest(path)
            if package["name"] == name:
                digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
                url = f"http://127.0.0.1:{self.server.server_port}/{path.name}"
                package["dist"] = {"tarball": url, "integrity": f"sha512-{digest}"}
                version = package["version"]
                return self.reply(200, json.dumps({"name": name, "dist-tags": {"latest": version}, "versions": {version: package}}).encode())
        return self.reply(404, b"{}")

    def reply(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def start(test):
    """Starts a registry, which runs until the test ends, and returns its URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), RegistryHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return f"http://127.0.0.1:{server.server_port}/"
