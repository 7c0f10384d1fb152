"""Security of the page: headers for browsers, and checks of the origin of requests.

Another site can make a browser send requests here. Those that change something, and WebSockets, must therefore come
from our own pages (origin), as must everything expensive; only links may be followed from anywhere. And every request
must name this server (host), or a foreign domain could be pointed at this machine (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludens.web.connections import bounded_body
from ludens.web.settings import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The content security policy: nothing inline, nothing from other sites."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Sent with every response."""
UPLOAD_PATH = "/replay/upload"
"""The path for uploads of records, which may be longer than other bodies."""
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_EVERYWHERE = frozenset({"0.0.0.0", "::"})
"""Addresses that mean all interfaces of the machine."""
_SAFE = frozenset({"GET", "HEAD"})
_OWN_SITE = frozenset({"same-origin", "none"})
"""Values of ``Sec-Fetch-Site`` for requests not caused by another site."""
_REFUSED_SOCKET = 4403
_LONGEST_LENGTH = 18
"""The maximum number of digits of a content length."""


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._names = _LOOPBACK | {name.lower() for name in (settings.host, *settings.names)}
        self._is_everywhere = settings.host in _EVERYWHERE
        self._limits = settings.limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on with headers added to the response."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if scope["type"] == "websocket":
            if refusal:
                await send({"type": "websocket.close", "code": _REFUSED_SOCKET, "reason": refusal[1]})
                return
            await self._app(scope, receive, send)
            return

        began = False

        async def send_with_headers(message: Message) -> None:
            nonlocal began
            began = True
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-cache" if scope["path"].startswith("/static/") else "no-store")
            await send(message)

        if refusal:
            await PlainTextResponse(refusal[1] + "\n", refusal[0])(scope, receive, send_with_headers)
            return
        try:
            await self._app(scope, bounded_body(receive, self._most_bytes(scope), self._limits), send_with_headers)
        except Exception:  # a bug: handled here, since the outer handler sends no security headers
            if not began:
                response = PlainTextResponse("internal error; see the server's log\n", 500)
                await response(scope, receive, send_with_headers)
            raise

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and reason if the request is refused."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = _name_in(f"//{host}")
        if not self._is_called(name):
            return 421, f"this server is not called {name!r}; start it with --name {name or 'NAME'}"
        if _is_foreign(scope, headers, host):
            return 403, "requests that change or compute something must come from this server's own pages"
        length = headers.get("content-length", "0")
        is_number = length.isdecimal() and len(length) <= _LONGEST_LENGTH
        if not is_number or int(length) > self._most_bytes(scope):
            return 413, f"the limit is {self._most_bytes(scope):,} bytes"
        return None

    def _is_called(self, name: str) -> bool:
        """True for the names of this server. A server on all interfaces accepts IP addresses and names that nobody
        can register."""
        return name in self._names or (self._is_everywhere and _is_local_name(name))

    def _most_bytes(self, scope: Scope) -> int:
        return self._limits.record_bytes if scope["path"] == UPLOAD_PATH else self._limits.request_bytes


def _name_in(address: str) -> str:
    """The host name in a URL; empty if it is invalid."""
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:  # brackets around something other than an IPv6 address
        return ""


def _is_local_name(name: str) -> bool:
    """True for IP addresses and names of a local network, which strangers cannot register."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name != "" and ("." not in name or name.endswith(".local"))
    return True


def _is_foreign(scope: Scope, headers: Headers, host: str) -> bool:
    """True for requests caused by another site, unless a link was followed."""
    is_change = scope["type"] == "websocket" or scope["method"] not in _SAFE
    origin = headers.get("origin")
    if is_change and origin is not None:
        return not _is_page_of(origin, host)
    is_link = not is_change and headers.get("sec-fetch-mode") == "navigate"
    return not is_link and headers.get("sec-fetch-site", "none") not in _OWN_SITE


def _is_page_of(origin: str, host: str) -> bool:
    """True if a page from this origin is one of the host's."""
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False
