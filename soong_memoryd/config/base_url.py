"""Which model endpoints may be talked to, judged by the URL alone.

Owns: the address rules. Must not know providers, files or the network: nothing is resolved here.
"""

from __future__ import annotations

import ipaddress
import re
from enum import IntEnum
from urllib.parse import SplitResult, urlsplit

METADATA_HOSTS = frozenset({"metadata", "metadata.google.internal", "metadata.goog", "instance-data"})
METADATA_ADDRESSES = frozenset({"fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"})
LAN_SUFFIXES = (".local", ".lan", ".home", ".internal", ".intranet", ".home.arpa", ".localdomain")

_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:.]+", re.ASCII)  # an IDN is written in its xn-- form
_NUMERIC_HOST = re.compile(r"(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+))*", re.ASCII)


class Reach(IntEnum):
    """How far what is said to an endpoint travels; ordered."""

    LOCAL = 0
    PRIVATE = 1
    PUBLIC = 2


def base_url_problem(url: str, *, allow_insecure_http: bool = False) -> str | None:
    """What is wrong with a base_url (a phrase that never quotes it), or None."""
    parts = _split(url)
    if parts is None:
        return "must be an http or https URL with a host, without spaces, user, query or fragment"
    host = _host(parts)
    address = _address(host)
    if address is None and (_NUMERIC_HOST.fullmatch(host) or not _HOST.fullmatch(host)):
        return "must name a host or a plain IP address"
    if host in METADATA_HOSTS or (address is not None and _is_refused(address)):
        return "must not be a link-local, metadata, multicast or unspecified address"
    if parts.scheme == "https" or reach(url) is Reach.LOCAL:
        return None
    if not allow_insecure_http:
        return "must use https (plain http only on loopback, or in the LAN with allow_insecure_http = true)"
    if address is not None and not address.is_private:
        return "must use https: allow_insecure_http is for private addresses only"
    return None


def reach(url: str) -> Reach:
    """How far an endpoint is, by its name or address; an unreadable URL counts as public."""
    parts = _split(url)
    if parts is None:
        return Reach.PUBLIC
    host = _host(parts)
    address = _address(host)
    if address is not None:
        return Reach.LOCAL if address.is_loopback else Reach.PRIVATE if address.is_private else Reach.PUBLIC
    if host == "localhost" or host.endswith(".localhost"):
        return Reach.LOCAL
    return Reach.PRIVATE if "." not in host or host.endswith(LAN_SUFFIXES) else Reach.PUBLIC


def endpoint(url: str) -> tuple[str, str, int]:
    """(scheme, host, port): what a key is given to."""
    parts = urlsplit(url)
    return parts.scheme, _host(parts), parts.port or (443 if parts.scheme == "https" else 80)


def _split(url: str) -> SplitResult | None:
    if re.search(r"[\s\x00-\x20\x7f\\?#@]", url):
        return None
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if valid else None


def _host(parts: SplitResult) -> str:
    return (parts.hostname or "").rstrip(".")


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _is_refused(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return address.is_link_local or address.is_multicast or address.is_unspecified or str(address) in METADATA_ADDRESSES
