"""A proxy that gives every answer a wrong x-amz-crc32: a client that compares must refuse it."""

import os
import sys
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served = 0

    def do_POST(self):
        Handler.served += 1
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server = HTTPConnection(urlsplit(os.environ["ESPALIER_ENDPOINT"]).netloc, timeout=10)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        server.request("POST", self.path, body, headers)
        answer = server.getresponse()
        content = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() == "x-amz-crc32":
                value = str(int(value) ^ 1)
            if name.lower() not in ("connection", "transfer-encoding", "date", "server"):
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def start():
    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


if __name__ == "__main__":
    proxy = start()
    print(f"http://127.0.0.1:{proxy.server_port}", flush=True)
    try:
        proxy.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)
