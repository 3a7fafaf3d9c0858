#!/usr/bin/env bash
# Asks the service about a sample shop in PostgreSQL and MariaDB, servers of the
# system's packages that are started on free ports with their data in a temporary
# directory, and in SQLite. Says what it ran, with versions.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
chmod 755 "$work"
cleanup() {
  [ ! -f "$work/pg/postmaster.pid" ] || kill -INT "$(head -1 "$work/pg/postmaster.pid")" 2>/dev/null || true
  [ ! -f "$work/my.pid" ] || kill "$(cat "$work/my.pid")" 2>/dev/null || true
  for _ in $(seq 100); do [ -f "$work/pg/postmaster.pid" ] || [ -f "$work/my.pid" ] || break; sleep 0.1; done
  rm -rf "$work"
}
trap cleanup EXIT
free() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }
wait_for() { for _ in $(seq 300); do eval "$1" >/dev/null 2>&1 && return 0; sleep 0.1; done; echo "not there: $1"; tail -20 "$2"; exit 1; }
package() { # package, file that shows that it is there
  ls $2 >/dev/null 2>&1 && return 0
  command -v apt-get >/dev/null || { echo "skip $1: there is no apt-get to install it"; return 1; }
  [ "$(id -u)" = 0 ] || { echo "skip $1: it is not installed, and only root can do that"; return 1; }
  apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}
# as runs a command as another user, because servers refuse root.
as() { user=$1; shift; if [ "$(id -u)" = 0 ]; then runuser -u "$user" -- "$@"; else "$@"; fi; }
args=()

if package postgresql "/usr/lib/postgresql/*/bin/postgres"; then
  bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1) port=$(free) password="p@ss/w:rd $RANDOM"
  mkdir "$work/pg"; printf '%s' "$password" > "$work/pg.password"; chmod 644 "$work/pg.password"
  [ "$(id -u)" != 0 ] || chown postgres "$work/pg"
  as postgres "$bin/initdb" -D "$work/pg" -U shop -A scram-sha-256 --pwfile="$work/pg.password" > "$work/pg.log"
  as postgres "$bin/postgres" -D "$work/pg" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off >> "$work/pg.log" 2>&1 &
  wait_for "'$bin/pg_isready' -h 127.0.0.1 -p $port" "$work/pg.log"
  args+=(-postgres "postgresql+psycopg2://shop:$(python3 -c 'import sys, urllib.parse; print(urllib.parse.quote(sys.argv[1], safe=""))' "$password")@127.0.0.1:$port/postgres")
  "$bin/postgres" --version
fi

if package mariadb-server "/usr/sbin/mariadbd"; then
  port=$(free)
  mkdir "$work/my"; touch "$work/my.log"
  [ "$(id -u)" != 0 ] || chown mysql "$work/my" "$work/my.log"
  chmod 777 "$work"
  as mysql mariadb-install-db --no-defaults --datadir="$work/my" --auth-root-authentication-method=normal --skip-test-db >> "$work/my.log" 2>&1
  echo "CREATE DATABASE shop;" > "$work/my.sql"
  for host in localhost 127.0.0.1; do # an anonymous user stands before one of any host
    printf "CREATE USER 'shop'@'$host' IDENTIFIED BY 'p@ss';\nGRANT ALL ON *.* TO 'shop'@'$host' WITH GRANT OPTION;\n" >> "$work/my.sql"
  done
  as mysql mariadbd --no-defaults --datadir="$work/my" --port="$port" --bind-address=127.0.0.1 --socket="$work/my.sock" --pid-file="$work/my.pid" --init-file="$work/my.sql" >> "$work/my.log" 2>&1 &
  wait_for "mariadb --no-defaults -h 127.0.0.1 -P $port -u shop -pp@ss shop -e 'select 1'" "$work/my.log"
  args+=(-mariadb "mariadb+pymysql://shop:p%40ss@127.0.0.1:$port/shop?charset=utf8mb4")
  mariadbd --version
fi

CGO_ENABLED=0 go run ./scripts/sqlcheck "${args[@]}"
