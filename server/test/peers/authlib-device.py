"""A device that signs in with Authlib (RFC 8628): prints the address to open, waits, and then whose tokens it got."""

import json
import sys
import time

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import jwt

issuer, client_id = sys.argv[1:3]
metadata = requests.get(issuer + "/.well-known/openid-configuration", timeout=10).json()

answer = requests.post(
    metadata["device_authorization_endpoint"],
    data={"client_id": client_id, "scope": "openid"},
    timeout=10,
).json()
print(answer["verification_uri_complete"], flush=True)

session = OAuth2Session(client_id, token_endpoint_auth_method="none")
interval = answer["interval"]
token = None
for _ in range(10):
    time.sleep(interval)
    try:
        token = session.fetch_token(
            metadata["token_endpoint"],
            grant_type="urn:ietf:params:oauth:grant-type:device_code",
            device_code=answer["device_code"],
        )
        break
    except Exception as error:  # Authlib raises OAuthError with the code of the answer.
        code = getattr(error, "error", None)
        if code == "slow_down":
            interval += 5
        elif code != "authorization_pending":
            raise

keys = requests.get(metadata["jwks_uri"], timeout=10).json()
claims = jwt.decode(token["id_token"], keys, claims_options={"iss": {"value": issuer}, "aud": {"value": client_id}})
claims.validate()
before = token["refresh_token"]
after = session.refresh_token(metadata["token_endpoint"], refresh_token=before)
print(json.dumps({"sub": claims["sub"], "refreshed": after["refresh_token"] != before}), flush=True)
