import assert from "node:assert/strict";
import { test } from "node:test";
import * as acp from "@agentclientprotocol/sdk";
import { type Shown, converse } from "./client.js";
import { outcomeOf } from "./outcome.js";

const AGENT = acp.methods.agent;
const UPDATE = acp.methods.client.session.update;
const NS = "example.com/agent";
const WHOLE = { run: "run-0", session: "s", outcome: "completed", cancel_requested: false, delivery: "written" };

type Prompted = { client: acp.AgentContext; asked: unknown };

/** One turn with an agent in this process, and what was shown of it. */
async function turn(
  confirmed: object | undefined,
  prompted: (prompted: Prompted) => Promise<acp.PromptResponse>,
  cancel = new AbortController().signal,
) {
  const [toAgent, toClient] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  let asked: unknown;
  acp
    .agent({ name: "plain" })
    .onRequest(AGENT.initialize, ({ params }) => {
      asked = params.clientCapabilities?._meta?.[NS];
      return { protocolVersion: 1, ...(confirmed === undefined ? {} : { _meta: { [NS]: confirmed } }) };
    })
    .onRequest(AGENT.session.new, () => ({ sessionId: "s" }))
    .onRequest(AGENT.session.prompt, ({ client }) => prompted({ client, asked }))
    .onNotification(AGENT.session.cancel, () => {})
    .connect(acp.ndJsonStream(toClient.writable, toAgent.readable));
  const lines: string[] = [];
  const shown: Shown = {
    text: (text) => lines.push(`text ${text}`),
    thought: (text) => lines.push(`thought ${text}`),
    tool: (title, status) => lines.push(`tool ${title} ${status}`),
    permission: (title, allowed) => lines.push(`permission ${title} ${allowed}`),
  };
  const wanted = { namespace: NS, cwd: "/", prompt: "hello", allow: new Set(["read"]), cancel };
  const ended = await converse(acp.ndJsonStream(toAgent.writable, toClient.readable), wanted, shown);
  return { ...ended, lines };
}

const say = (client: acp.AgentContext, text: string, range?: [string, string]) =>
  client.notify(UPDATE, {
    sessionId: "s",
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    ...(range === undefined ? {} : { _meta: { [NS]: { first: range[0], last: range[1] } } }),
  });

test("an agent without the extension is a plain agent", async () => {
  const { ended, revision, missing, lines } = await turn(undefined, async ({ client, asked }) => {
    assert.deepEqual(asked, { revision: 2 });
    await say(client, "hi");
    return { stopReason: "end_turn" };
  });
  assert.deepEqual(lines, ["text hi"]);
  assert.deepEqual([revision, missing], [undefined, 0n]);
  assert.deepEqual(outcomeOf(ended, NS), { outcome: { kind: "completed" }, exact: false });
});

test("an older revision is agreed on, a newer one is not", async () => {
  const older = await turn({ revision: 1 }, async () => ({ stopReason: "end_turn" }));
  assert.equal(older.revision, 1);
  await assert.rejects(
    turn({ revision: 3 }, async () => ({ stopReason: "end_turn" })),
    /revision/,
  );
});

test("events that never came are told", async () => {
  const task = { ...WHOLE, last: "5" };
  const { missing, lines } = await turn({ revision: 2 }, async ({ client }) => {
    await say(client, "a", ["1", "1"]);
    await say(client, "bcd", ["3", "4"]);
    return { stopReason: "end_turn", _meta: { [NS]: { task } } };
  });
  assert.deepEqual(lines, ["text a", "text bcd"]);
  // The second and the fifth.
  assert.equal(missing, 2n);
});

test("only kinds that were named are allowed", async () => {
  const { lines } = await turn(undefined, async ({ client }) => {
    for (const kind of ["read", "delete"] as const) {
      const { outcome } = await client.request(acp.methods.client.session.requestPermission, {
        sessionId: "s",
        toolCall: { toolCallId: kind, title: kind, kind },
        options: [
          { optionId: "ever", name: "Always", kind: "allow_always" },
          { optionId: "once", name: "Once", kind: "allow_once" },
        ],
      });
      await say(client, outcome.outcome === "selected" ? outcome.optionId : outcome.outcome);
    }
    return { stopReason: "end_turn" };
  });
  assert.deepEqual(lines, ["permission read true", "text once", "permission delete false", "text cancelled"]);
});

test("what is broken throws and is not guessed at", async () => {
  const broken = turn({ revision: 2 }, async () => ({ stopReason: "end_turn", _meta: { [NS]: { task: {} } } }));
  await assert.rejects(broken, /delivery/);
});
