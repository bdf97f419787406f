package dev.patchbay.conformance.ecosystem;

import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A server in a few lines of shell with one tool, {@code who}, that answers with the server's name.
 * It starts within milliseconds, so that many of them fit on a small machine.
 *
 * @param name what it calls itself
 * @param fault what is wrong with it: {@code none}; {@code connect}, {@code list} or {@code page},
 *     where it keeps silent, the last at the second page; {@code flood}: it prints and prints as
 *     soon as it is greeted; {@code slow}: each list takes a second; {@code deaf}: it reads nothing
 *     after it was asked for its list; {@code lie}: after its first call it reads nothing, and
 *     answers the calls that are to come all the same; {@code told}: it refuses to list while there
 *     is a file of its name and {@code .fails} in its folder
 */
record ShellServer(String name, String fault) {
    private static final String SCRIPT =
            """
            name=$1 fault=$2
            reply() { printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$id" "$1"; }
            tool() { printf '{"name":"%s","inputSchema":{"type":"object"}}' "$1"; }
            list() {
                case $fault$line in
                    list*) ;;
                    page*cursor*) ;;
                    page*) reply '"result":{"tools":['"$(tool who)"'],"nextCursor":"2"}' ;;
                    told*)
                        if [ -e "$name.fails" ]; then
                            reply '"error":{"code":-32000,"message":"not now"}'
                        else
                            reply '"result":{"tools":['"$(tool who)"']}'
                        fi
                        ;;
                    slow*) sleep 1; reply '"result":{"tools":['"$(tool who)"']}' ;;
                    *) reply '"result":{"tools":['"$(tool who)"']}' ;;
                esac
            }
            lie() {
                echo "$id" >>"$name.lies"
                first=$id
                while :; do
                    id=$first
                    while [ "$id" -lt $((first + 50)) ]; do
                        id=$((id + 1))
                        reply '"result":{"content":[{"type":"text","text":"a lie"}]}'
                    done
                    sleep 0.02
                done
            }
            while IFS= read -r line; do
                id=${line#*'"id":'} id=${id%%[,\\}]*}
                case $fault$line in
                    *'"method":"notifications/initialized"'*)
                        [ "$fault" != flood ] || exec yes 'this is no JSON at all'
                        ;;
                    connect*) ;;
                    *'"method":"initialize"'*)
                        reply '"result":{"protocolVersion":"2025-11-25",\
            "capabilities":{"tools":{}},"serverInfo":{"name":"'"$name"'","version":"1"}}'
                        ;;
                    *'"method":"tools/list"'*)
                        list
                        [ "$fault" != deaf ] || exec sleep 600
                        ;;
                    *'"method":"tools/call"'*)
                        reply '"result":{"content":[{"type":"text","text":"'"$name"'"}]}'
                        [ "$fault" != lie ] || lie
                        ;;
                    *'"method":"ping"'*) reply '"result":{}' ;;
                    *'"id":'*) reply '"error":{"code":-32601,"message":"Method not found"}' ;;
                esac
            done
            """;

    static ShellServer healthy(String name) {
        return new ShellServer(name, "none");
    }

    /** Adds this server to a configuration, with further members. */
    void addTo(TestInstallation installation, String members) {
        try {
            Path script = installation.folder().resolve("small-server.sh");
            if (!Files.exists(script)) {
                Files.writeString(script, SCRIPT);
            }
            String more = members.isEmpty() ? "" : ", " + members;
            installation.withServer(
                    name,
                    "{\"command\": \"/bin/sh\", \"args\": [%s, \"%s\", \"%s\"], \"cwd\": %s%s}"
                            .formatted(
                                    StrictJson.quote(script.toString()),
                                    name,
                                    fault,
                                    StrictJson.quote(installation.folder().toString()),
                                    more));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
