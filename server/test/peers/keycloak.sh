#!/usr/bin/env bash
# Starts a real Keycloak on loopback, to sign in through us and to be measured beside us. No service manager, no container.
# usage: keycloak.sh start FOLDER HTTP_PORT MANAGEMENT_PORT POSTGRES_URL ADMIN_PASSWORD
#        keycloak.sh stop FOLDER
# POSTGRES_URL names an empty database: postgres://user:password@127.0.0.1:5432/name.
# Needs Maven, which brings the distribution (about 170 MB, kept in FOLDER), and a JDK of 21 or newer: JAVA_HOME, else the
# newest one under /usr/lib/jvm. The first start builds and takes a minute or two; later ones about 20 s.
set -euo pipefail

version=26.7.0
# Two minutes on an idle machine are plenty; a busy one gets three.
ready_tries=900

java_major() { "$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p'; }

find_java() {
  local best='' best_major=20 home major
  for home in ${JAVA_HOME:+"$JAVA_HOME"} /usr/lib/jvm/*; do
    [ -x "$home/bin/java" ] || continue
    major=$(java_major "$home")
    if [ "${major:-0}" -gt "$best_major" ]; then best=$home best_major=$major; fi
  done
  [ -n "$best" ] || { echo 'a JDK of 21 or newer is needed (JAVA_HOME)' >&2; exit 1; }
  echo "$best"
}

fetch() {
  local folder=$1 home=$2
  [ -d "$home" ] || {
    mvn -q -B dependency:copy "-Dartifact=org.keycloak:keycloak-quarkus-dist:$version:zip" "-DoutputDirectory=$folder"
    unzip -q "$folder/keycloak-quarkus-dist-$version.zip" -d "$folder"
    rm "$folder/keycloak-quarkus-dist-$version.zip"
  }
  # Only a build that went through to its end is used again.
  [ -e "$folder/built" ] || {
    "$home/bin/kc.sh" build --db=postgres --health-enabled=true --metrics-enabled=true >"$folder/build.log" 2>&1 ||
      { tail -20 "$folder/build.log" >&2; exit 1; }
    touch "$folder/built"
  }
}

start() {
  local folder=$1 port=$2 management=$3 url=$4 password=$5
  local home=$folder/keycloak-$version
  mkdir -p "$folder"
  JAVA_HOME=$(find_java)
  export JAVA_HOME
  fetch "$folder" "$home"
  local rest=${url#*://}
  local credentials=${rest%%@*} address=${rest#*@}
  KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD=$password JAVA_OPTS_KC_HEAP='-Xms256m -Xmx2g' \
    setsid "$home/bin/kc.sh" start --optimized --http-enabled=true --http-host=127.0.0.1 --http-port="$port" \
    --http-management-port="$management" --hostname="http://127.0.0.1:$port" --cache=local \
    --db-url="jdbc:postgresql://$address" --db-username="${credentials%%:*}" --db-password="${credentials#*:}" \
    >"$folder/keycloak.log" 2>&1 </dev/null &
  echo $! >"$folder/pid"
  for _ in $(seq 1 "$ready_tries"); do
    curl -sf "http://127.0.0.1:$management/health/ready" >/dev/null && { echo "http://127.0.0.1:$port"; return; }
    kill -0 "$(cat "$folder/pid")" 2>/dev/null || { tail -20 "$folder/keycloak.log" >&2; exit 1; }
    sleep 0.2
  done
  stop "$folder"
  echo 'Keycloak did not become ready' >&2
  exit 1
}

# The script and the Java process it starts are one group, made by setsid.
stop() { [ ! -e "$1/pid" ] || kill -- "-$(cat "$1/pid")" 2>/dev/null || true; }

case ${1:-} in
  start) shift; start "$@" ;;
  stop) shift; stop "$@" ;;
  *) echo 'start or stop' >&2; exit 2 ;;
esac
