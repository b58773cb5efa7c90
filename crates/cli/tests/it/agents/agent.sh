#!/bin/sh
# A small agent for tests: `sh agent.sh MODE`. It reads one line at a time and answers as MODE says.
mode=$1
if [ -n "$ACP_TEST_PID" ]; then echo $$ > "$ACP_TEST_PID"; fi

id_of() {
  id=${1#*\"id\":}
  id=${id%%[,\}]*}
}
say() { printf '%s\n' "$1"; }
update() { say "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\",\"update\":$1}}"; }
text() { update "{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"$1\"}}"; }
result() { say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$1}"; }
error() { say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":$1,\"message\":\"$2\"}}"; }
stop() { result "{\"stopReason\":\"$1\"}"; }
permit() {
  say '{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"Write notes.txt","kind":"edit","rawInput":{"path":"notes.txt"}},"options":[{"optionId":"a","name":"Always","kind":"allow_always"},{"optionId":"o","name":"Once","kind":"allow_once"},{"optionId":"r","name":"No","kind":"reject_once"}]}}'
}

# Its login command: a person types a word, and whoever types the right one is logged in from then on.
if [ "$2" = --login ]; then
  printf 'password for %s: ' "$ACP_TEST_WHO"
  read -r word
  case $word in
    sesame) : > "$ACP_TEST_STATE"; echo welcome; exit 0 ;;
    nothing) echo welcome; exit 0 ;;
    lasting) sleep 60 & wait; exit 0 ;;
    secret) stty -echo; kill -KILL $$ ;;
    *) echo 'wrong'; exit 3 ;;
  esac
fi

case $mode in
  silent) while read -r line; do :; done; exit 0 ;;
  crash) read -r line; echo 'the config file is missing' >&2; exit 3 ;;
  gibberish) read -r line; say 'Welcome!'; exit 0 ;;
esac

while IFS= read -r line; do
  case $line in
    *'"method":"initialize"'*)
      id_of "$line"
      case $mode in
        version-string) result '{"protocolVersion":"1"}' ;;
        version-99) result '{"protocolVersion":99}' ;;
        refuses-initialize) error -32603 'no' ;;
        dies-initialize) exit 0 ;;
        expired-initialize) error -32603 'Login expired. Run /login to sign in again' ;;
        outdated) error -32602 'no such version' ;;
        plain-loads-not) result '{"protocolVersion":1,"agentInfo":{"name":"test-agent","version":"1.0"}}' ;;
        logins) result '{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"delete":{}}},"authMethods":[{"id":"env","name":"By key","type":"env_var","vars":[{"name":"ACP_TEST_KEY"},{"name":"ACP_TEST_URL","optional":true}],"link":"https://keys.example/new"},{"id":"tty","name":"By a person","type":"terminal","args":["--login"],"env":{"ACP_TEST_WHO":"me and you"}},{"id":"told","name":"By hand","_meta":{"terminal-auth":{"command":"/opt/a b","args":["login"],"label":"L"}}}]}' ;;
        *) result '{"protocolVersion":1,"agentInfo":{"name":"test-agent","title":"Test \u001b[31mAgent","version":"1.0"},"agentCapabilities":{"loadSession":true,"teleport":{}},"authMethods":[{"id":"key","name":"API key"}]}' ;;
      esac
      ;;
    *'"method":"authenticate"'*)
      id_of "$line"
      case $line in
        *'"methodId":"env"'*) if [ -n "$ACP_TEST_KEY" ]; then result '{}'; else error -32603 'no key'; fi ;;
        *) authenticated=1; result '{}' ;;
      esac
      ;;
    *'"method":"session/delete"'*) id_of "$line"; result '{}' ;;
    *'"method":"session/new"'*)
      id_of "$line"
      case $mode in
        logins) if [ -e "$ACP_TEST_STATE" ]; then result '{"sessionId":"s1"}'; else error -32000 'log in first'; fi ;;
        needs-auth) if [ -n "$authenticated" ]; then result '{"sessionId":"s1"}'; else error -32000 'log in first'; fi ;;
        silent-session) ;;
        connects)
          # It starts the first server that it is given, greets it and lists its tools.
          rest=${line#*\"command\":\"}; server=${rest%%\"*}
          rest=${line#*--report\",\"}; notes=${rest%%\"*}
          printf '%s\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"test-agent","version":"1.0"}}}' '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | "$server" demo-tools --report "$notes" > /dev/null
          result '{"sessionId":"s1"}'
          ;;
        early)
          say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"never","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}}'
          result '{"sessionId":"s1"}'
          ;;
        choosy*) result '{"sessionId":"s1","configOptions":[{"id":"m","name":"Model","category":"model","type":"select","currentValue":"big","options":[{"value":"big","name":"Big"},{"value":"small","name":"Small"}]},{"id":"e","name":"Effort","category":"thought_level","type":"select","currentValue":"low","options":[{"value":"low","name":"Low"},{"value":"high","name":"High"}]}]}' ;;
        noisy-start)
          say 'Starting up...'; say 'done in 3 s'
          say '{"jsonrpc":"2.0","method":"_auth/status_update","params":{"authStatus":{"kind":"key"}}}'
          result '{"sessionId":"s1","modes":{"currentModeId":"code","availableModes":[{"id":"code","name":"Code"}]},"configOptions":[{"id":"m","name":"Model","category":"model","type":"select","currentValue":"big","options":[{"value":"big","name":"Big"},{"value":"small","name":"Small"}]},{"id":"e","name":"Effort","category":"thought_level","type":"select","currentValue":"high","options":[{"group":"g","name":"All","options":[{"value":"low","name":"Low"},{"value":"high","name":"High"}]}]},{"id":"b","name":"Fast","type":"boolean","currentValue":true}]}'
          update '{"sessionUpdate":"available_commands_update","availableCommands":[]}'
          ;;
        *) result '{"sessionId":"s1","modes":{"currentModeId":"code","availableModes":[{"id":"code","name":"Code"},{"id":"ask","name":"Ask"}]}}' ;;
      esac
      ;;
    *'"method":"session/set_config_option"'*)
      id_of "$line"
      # It does as it is told, or says that nothing has changed.
      case $mode in choosy-stubborn) now=big ;; *) now=small ;; esac
      case $line in
        *'"configId":"m"'*) result '{"configOptions":[{"id":"m","name":"Model","category":"model","type":"select","currentValue":"'$now'","options":[{"value":"big","name":"Big"},{"value":"small","name":"Small"}]},{"id":"e","name":"Effort","category":"thought_level","type":"select","currentValue":"low","options":[{"value":"low","name":"Low"},{"value":"high","name":"High"}]}]}' ;;
        *) result '{"configOptions":[{"id":"m","name":"Model","category":"model","type":"select","currentValue":"big","options":[{"value":"big","name":"Big"},{"value":"small","name":"Small"}]},{"id":"e","name":"Effort","category":"thought_level","type":"select","currentValue":"high","options":[{"value":"low","name":"Low"},{"value":"high","name":"High"}]}]}' ;;
      esac
      ;;
    *'"method":"session/load"'*)
      id_of "$line"
      case $mode in
        load-wants-login) error -32603 'Login expired. Run /login to sign in again' ;;
        loses) say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32603,\"message\":\"Internal error\",\"data\":{\"details\":\"no session s1\"}}}" ;;
        replays-late) result '{}'; update '{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"old question"}}'; text 'old answer' ;;
        *) result '{}' ;;
      esac
      ;;
    *'"method":"session/set_mode"'*) id_of "$line"; result '{}' ;;
    *'"method":"session/prompt"'*)
      id_of "$line"; prompt=$id
      case $mode in
        silent-prompt) ;;
        requests)
          # What stands in a file, line by line; the answers go into another one.
          while IFS= read -r ask <&3; do
            say "$ask"; IFS= read -r answer; printf '%s\n' "$answer" >> "$ACP_TEST_ANSWERS"
          done 3< "$ACP_TEST_ASKS"
          id=$prompt; text 'done'; stop end_turn
          ;;
        noisy) say 'a banner'; say '[1]'; text 'hello'; stop end_turn ;;
        escapes) text '\u001b[2Jred \u202etxt.exe'; stop end_turn ;;
        refuses) text 'no'; stop refusal ;;
        max-tokens) text 'and so'; stop max_tokens ;;
        max-requests) stop max_turn_requests ;;
        cancels) stop cancelled ;;
        odd-stop) stop teapot ;;
        expired) say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32603,\"message\":\"Internal error\",\"data\":{\"codexErrorInfo\":\"unauthorized\"}}}" ;;
        errors) error -32603 'the model \u001b[31mis gone' ;;
        dies) text 'half'; echo 'out of memory' >&2; exit 9 ;;
        killed) kill -9 $$ ;;
        closes) exec 1>&-; sleep 60 ;;
        malformed) say "{\"id\":$id}" ;;
        no-stop) result '{}' ;;
        unknown-update) update '{"sessionUpdate":"hologram","depth":3}'; text 'ok'; stop end_turn ;;
        asks) text 'may I?'; permit ;;
        asks-cancelled) permit ;;
        slow-cancel|ignores-cancel) text 'working' ;;
        streams) while :; do text 'x' || exit 0; sleep 0.05; done ;;
        many-lines) n=0; while [ $n -lt 5000 ]; do text "line $n\\n"; n=$((n + 1)); done; stop end_turn ;;
        whole)
          update '{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"first I look"}}'
          update '{"sessionUpdate":"plan","entries":[{"content":"look","priority":"high","status":"completed"},{"content":"write","priority":"medium","status":"pending"}]}'
          update '{"sessionUpdate":"tool_call","toolCallId":"t0","title":"Read notes.txt","kind":"read","status":"completed","locations":[{"path":"/w/notes.txt"}]}'
          text 'I would like to write.'
          permit ;;
        *) text 'hello'; stop end_turn ;;
      esac
      ;;
    *'"method":"session/cancel"'*)
      case $mode in
        ignores-cancel) ;;
        *) id=$prompt; stop cancelled ;;
      esac
      ;;
    *'"outcome":"selected"'*'"optionId":"o"'*)
      update '{"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"completed","content":[{"type":"diff","path":"/w/notes.txt","oldText":"one\ntwo\n","newText":"one\n2\nthree\n"}]}'
      update '{"sessionUpdate":"usage_update","used":12400,"size":200000}'
      id=$prompt; text 'written'; stop end_turn ;;
    *'"outcome"'*)
      id=$prompt
      case $mode in
        asks-cancelled) stop cancelled ;;
        *) text 'not written'; stop end_turn ;;
      esac
      ;;
  esac
done
if [ "$mode" = stays ]; then while :; do sleep 1; done; fi
