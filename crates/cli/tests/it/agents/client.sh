#!/bin/sh
# A small client for tests: `sh client.sh MODE VERSION AGENT...`. It breaks the rules as MODE says.
mode=$1; version=$2; shift 2
dir=$(mktemp -d)
mkfifo "$dir/in" "$dir/out"
"$@" <"$dir/in" >"$dir/out" &
exec 3>"$dir/in" 4<"$dir/out"
rm -r "$dir"

say() { printf '%s\n' "$1" >&3; }
initialize() {
  case $version in
    1) say '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true}}}' ;;
    2) say '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":2,"info":{"name":"t","version":"1"},"capabilities":{}}}' ;;
  esac
}
new() { say '{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}'; }
prompt() { say '{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"hello"}]}}'; }

case $mode in
  naive)
    # Sends everything at once, reads nothing and never ends.
    trap '' INT
    initialize; new; prompt
    while :; do cat <&4 >/dev/null; sleep 1; done ;;
  garbage)
    say 'hello?'; say '[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}]'
    exec 3>&-
    cat <&4 >/dev/null; wait; exit 0 ;;
esac

interrupted=
trap 'interrupted=1; say "{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"s1\"}}"' INT
initialize
while :; do
  if ! IFS= read -r line <&4; then
    if [ -n "$interrupted" ]; then interrupted=; continue; fi
    break
  fi
  case $line in
    '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":'"$version"','*) new ;;
    '{"jsonrpc":"2.0","id":2,"result"'*)
      case $mode in
        wrong) say '{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":7,"prompt":"hello"}}' ;;
        *) prompt ;;
      esac ;;
    *'"method":"session/request_permission"'*)
      case $mode in
        yes-man) say '{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}' ;;
      esac ;;
    '{"jsonrpc":"2.0","id":3,'*'"stopReason"'* | *'"state":"idle"'*)
      # The turn is over: what the agent still has to say is read to its end.
      exec 3>&- ;;
    *'"text":"The answer "'* | *'"text":"is 42.\n"'* | *'"text":"working\n"'*) ;;
    *'"state":"running"'* | *'"user_message"'* | '{"jsonrpc":"2.0","id":3,"result":{"messageId"'*) ;;
    *)
      case $mode in
        strict) exit 1 ;;
        chatty) say '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}' ;;
      esac ;;
  esac
done
wait
exit 0
