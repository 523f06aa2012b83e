#!/bin/sh
# Builds the jars of an older commit of this project for --baseline.
#
#     benchmarks/baseline.sh 7bc3ae0 /tmp/before
#
# The working tree stays as it is: the commit is unpacked and built in a temporary folder.
set -eu

if [ $# -ne 2 ]; then
	echo "usage: $0 <commit> <folder>" >&2
	exit 2
fi
case $2 in
	/*) folder=$2 ;;
	*) folder=$PWD/$2 ;;
esac
cd "$(dirname "$0")/.."
commit=$(git rev-parse --verify --quiet "$1^{commit}") || {
	echo "commit: $1 (expected: one of this repository's history; a shallow clone needs git fetch --unshallow)" >&2
	exit 2
}

sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
trap 'exit 1' HUP INT TERM
git archive "$commit" | tar -x -C "$sources"
(cd "$sources" && mvn -q -B -ntp -DskipTests -pl rpc-spring-boot-starter -am package)

mkdir -p "$folder"
rm -f "$folder"/rpc-*.jar "$folder"/commit.txt
for module in rpc-api rpc-runtime rpc-spring-boot-autoconfigure rpc-spring-boot-starter; do
	for jar in "$sources/$module/target/$module"-*.jar; do
		case $jar in
			*-sources.jar | *-javadoc.jar | *-tests.jar) ;;
			*'-*.jar') ;; # older commits have no rpc-api
			*) cp "$jar" "$folder" ;;
		esac
	done
done
git log -1 --format='%h %cs %s' "$commit" > "$folder/commit.txt"
cat "$folder/commit.txt"
ls "$folder"
