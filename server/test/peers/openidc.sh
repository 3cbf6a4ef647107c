#!/bin/bash
# A certified relying party (Apache mod_auth_openidc) on loopback, without systemd.
#   openidc.sh start DIR PORT ISSUER CLIENT_ID CLIENT_SECRET   -> "ready ..." ; pid in DIR/pid
#   openidc.sh stop DIR
# Debian: apt-get install -y --no-install-recommends apache2 libapache2-mod-auth-openidc curl
# Redirect URI to register: http://127.0.0.1:PORT/app/callback ; http://127.0.0.1:PORT/app/ echoes the claims ;
# logout: /app/callback?logout=http%3A%2F%2F127.0.0.1%3APORT%2F ; back-channel logout URI: /app/callback?logout=backchannel
# env: OIDC_EXTRA = extra httpd directives (e.g. "OIDCPKCEMethod S256", "OIDCProviderTokenEndpointAuth private_key_jwt"), CA = file for an https issuer
set -euo pipefail
cmd=$1 D=$2
if [ "$cmd" = stop ]; then p=$(cat "$D/pid" 2>/dev/null || true); [ -n "$p" ] && kill "$p" 2>/dev/null || true; for _ in $(seq 50); do [ -n "$p" ] && kill -0 "$p" 2>/dev/null || break; sleep .1; done; echo stopped; exit 0; fi
P=$3 ISS=$4 CID=$5 SEC=$6; B=http://127.0.0.1:$P
mkdir -p "$D"/{htdocs,logs,cgi,meta}; D=$(cd "$D"; pwd)
echo open > "$D/htdocs/index.html"
printf '#!/bin/sh\nprintf "content-type: text/plain\\r\\n\\r\\n"\nenv | grep -E "^(REMOTE_USER|OIDC_)" | sort\n' > "$D/cgi/echo.sh"; chmod 755 "$D/cgi/echo.sh"
M=/usr/lib/apache2/modules
cat > "$D/httpd.conf" <<C
ServerRoot $D
ServerName 127.0.0.1:$P
Listen 127.0.0.1:$P
PidFile $D/httpd.pid
DefaultRuntimeDir $D
Mutex file:$D default
ErrorLog $D/logs/error.log
LogLevel info auth_openidc:debug
LoadModule mpm_prefork_module $M/mod_mpm_prefork.so
LoadModule authn_core_module $M/mod_authn_core.so
LoadModule authz_core_module $M/mod_authz_core.so
LoadModule authz_user_module $M/mod_authz_user.so
LoadModule dir_module $M/mod_dir.so
LoadModule alias_module $M/mod_alias.so
LoadModule cgi_module $M/mod_cgi.so
LoadModule env_module $M/mod_env.so
LoadModule auth_openidc_module $M/mod_auth_openidc.so
User www-data
Group www-data
StartServers 2
DocumentRoot $D/htdocs
ScriptAlias /app $D/cgi/echo.sh
<Directory $D>
  Require all granted
</Directory>
OIDCProviderMetadataURL $ISS/.well-known/openid-configuration
${CA:+OIDCCABundlePath $CA}
OIDCClientID $CID
OIDCClientSecret $SEC
OIDCRedirectURI $B/app/callback
OIDCCryptoPassphrase scratch-passphrase-not-secret
OIDCScope "openid email profile"
OIDCRemoteUserClaim sub
OIDCPassClaimsAs environment
OIDCSessionInactivityTimeout 600
OIDCCookieSameSite Off
${OIDC_EXTRA:-}
<Location /app>
  AuthType openid-connect
  Require valid-user
</Location>
C
chmod 755 "$D"
# setsid: on SIGTERM Apache signals its whole process group, which would be the test runner
setsid /usr/sbin/apache2 -f "$D/httpd.conf" -D FOREGROUND >"$D/logs/out.log" 2>&1 & echo $! > "$D/pid"
for _ in $(seq 50); do curl -fs -o /dev/null "$B/" && ok=1 && break; sleep .1; done
[ -n "${ok:-}" ] || { tail -n 20 "$D"/logs/*; exit 1; }
echo "ready $B/app/ redirect_uri=$B/app/callback pid=$(cat "$D/pid")"
