"""Signed records: what ggp-base's verifier and OpenSSL accept."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path

import pytest

from ludens.protocols.ggp.signing import HostKey, SignatureError, canonical, is_signed_by_its_host
from tests.peers import peer

RECORD = {"matchId": "m.1", "goalValues": [100, 0], "scrambled": False, "states": ["( ( cell 1 1 b ) )"], "clock": 2.5}


@pytest.fixture(scope="module")
def key() -> HostKey:
    return HostKey.generate(1024)


def test_a_signature_fits_its_record_and_no_other(key: HostKey) -> None:
    signed = key.sign(RECORD)

    assert signed["matchHostPK"].startswith("0MI")
    assert signed["matchHostSignature"].startswith("A0")
    assert is_signed_by_its_host(json.loads(json.dumps(signed)))
    assert not is_signed_by_its_host({**signed, "goalValues": [0, 100]})
    assert not is_signed_by_its_host({**signed, "matchHostPK": HostKey.generate(1024).public_text})
    assert not is_signed_by_its_host(RECORD)


def test_the_canonical_form_sorts_keys_and_quotes_as_ggp_base_does() -> None:
    value = {"b": [1, True, None, 2.0, 0.5], "a": 'x"\\</\n\u2028ä', "é/": {}}

    assert canonical(value) == '{"a":"x\\"\\\\<\\/\\n\\u2028ä","b":[1,true,null,2,0.5],"é/":{}}'


def test_a_key_is_made_once_and_read_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: HostKey) -> None:
    monkeypatch.setattr(HostKey, "generate", classmethod(lambda cls: key))
    path = tmp_path / "key.json"

    assert HostKey.load(path) == key
    assert HostKey.load(path) == key
    assert path.stat().st_mode & 0o077 == 0
    path.write_text('{"PK": "0x", "SK": "0AAAA"}')
    with pytest.raises(SignatureError, match="is no key pair"):
        HostKey.load(path)


@peer("openssl")
def test_openssl_reads_our_keys_and_accepts_our_signatures(tmp_path: Path, key: HostKey) -> None:
    signed = key.sign(RECORD)
    public, private, data, signature = (tmp_path / name for name in ("public", "private", "data", "signature"))
    public.write_bytes(base64.b64decode(key.public_text[1:]))
    private.write_bytes(base64.b64decode(key.private_text[1:]))
    unsigned = {name: value for name, value in signed.items() if name != "matchHostSignature"}
    data.write_bytes(canonical(unsigned).encode())
    signature.write_bytes(base64.b64decode(signed["matchHostSignature"][2:]))

    check = ["openssl", "pkey", "-inform", "DER", "-in", str(private), "-check", "-noout"]
    verify = ["openssl", "dgst", "-sha1", "-keyform", "DER", "-verify", str(public), "-signature", str(signature)]

    assert b"valid" in subprocess.run(check, capture_output=True, check=True).stdout
    assert b"OK" in subprocess.run([*verify, str(data)], capture_output=True, check=True).stdout
