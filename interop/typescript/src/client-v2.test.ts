// The client of the official SDK drives our demo agent in version 2, through every method that it has.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as acp from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { CWD, Kept, type Person, codeOf, demo } from "./demo.js";

const AGENT = acp.methods.agent;
const CLIENT = acp.methods.client;

type Host = { agent: acp.ClientContext; updates: Kept<acp.SessionUpdate>; completed: string[] };

/** A client that declares everything, in front of a demo agent. */
async function drive<T>(person: Person, args: string[], work: (host: Host) => Promise<T>): Promise<T> {
  const updates = new Kept<acp.SessionUpdate>();
  const completed: string[] = [];
  const { stream, gone, hangUp } = demo(...args);
  const result = await acp
    .client({ name: "interop" })
    .onNotification(CLIENT.session.update, ({ params }) => updates.keep(params.update))
    .onNotification(CLIENT.elicitation.complete, ({ params }) => void completed.push(params.elicitationId))
    .onRequest(CLIENT.session.requestPermission, ({ params }) => {
      if (person === "leaves") return { outcome: { outcome: "cancelled" } };
      const kind = person === "agrees" ? "allow_once" : "reject_once";
      const option = params.options.find((option) => option.kind === kind);
      assert(option !== undefined);
      return { outcome: { outcome: "selected", optionId: option.optionId } };
    })
    .onRequest(CLIENT.elicitation.create, () => {
      if (person === "agrees") return { action: "accept", content: { name: "Ada" } };
      return person === "refuses" ? { action: "decline" } : { action: "cancel" };
    })
    .onRequest(CLIENT.mcp.message, ({ params }) => {
      assert.equal(params.method, "tools/list");
      return { result: { tools: [{ name: "hammer" }] } };
    })
    .connectWith(stream, async (agent) => {
      const agreed = await agent.request(AGENT.initialize, {
        protocolVersion: 2,
        info: { name: "interop", version: "1" },
        capabilities: { elicitation: { form: {}, url: {} } },
      });
      assert.equal(agreed.protocolVersion, 2);
      assert.equal(agreed.info.name, "acp-demo-agent");
      assert(agreed.capabilities?.session != null);
      return work({ agent, updates, completed });
    });
  hangUp();
  assert.equal(await gone, 0);
  return result;
}

const open = (agent: acp.ClientContext) => agent.request(AGENT.session.new, { cwd: CWD });

/** Why work ended, as often as it did. */
function ends(updates: acp.SessionUpdate[]): string[] {
  return updates.flatMap((update) => {
    if (!acp.SessionUpdate.isStateUpdate(update) || !acp.StateUpdate.isIdle(update)) return [];
    return update.stopReason == null ? [] : [update.stopReason];
  });
}

/** Sends a prompt and waits for the end of the work that it starts. */
async function turn({ agent, updates }: Host, sessionId: string, text: string) {
  updates.take();
  const { messageId } = await agent.request(AGENT.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  await updates.until((all) => ends(all).length > 0);
  const all = updates.take();
  // What was inserted is echoed under the id of the answer.
  assert(all.some((update) => acp.SessionUpdate.isUserMessage(update) && update.messageId === messageId));
  return { all, said: said(all), stop: ends(all)[0] };
}

/** What the agent said, joined. */
function said(updates: acp.SessionUpdate[]): string {
  const text = (block: acp.ContentBlock) => (acp.ContentBlock.isText(block) ? block.text : "");
  return updates
    .map((update) => {
      if (acp.SessionUpdate.isAgentMessageChunk(update)) return text(update.content);
      if (acp.SessionUpdate.isAgentMessage(update)) return (update.content ?? []).map(text).join("");
      return "";
    })
    .join("");
}

/** What a demo agent says to one prompt. */
const answer = (person: Person, text: string) =>
  drive(person, [], async (host) => turn(host, (await open(host.agent)).sessionId, text));

test("v2: an ordinary turn is whole", async () => {
  const { all, said, stop } = await answer("agrees", "note this down");
  assert.equal(stop, "end_turn");
  assert.match(said, /I added your words/);
  const kinds = new Set(all.map((update) => update.sessionUpdate));
  for (const kind of ["plan_update", "tool_call_update", "usage_update", "terminal_update", "terminal_output_chunk"]) {
    assert(kinds.has(kind), kind);
  }
  const diffs = all.flatMap((update) =>
    acp.SessionUpdate.isToolCallUpdate(update) && update.status === "completed"
      ? (update.content ?? []).filter(acp.ToolCallContent.isDiff)
      : [],
  );
  assert.equal(diffs.length, 1);
});

test("v2: permission is rejected or left", async () => {
  assert.match((await answer("refuses", "note this down")).said, /did not want/);
  assert.match((await answer("leaves", "note this down")).said, /Nobody decided/);
});

test("v2: forms and pages", async () => {
  assert.equal((await answer("agrees", "/form")).said, "form: accepted, Ada");
  assert.equal((await answer("refuses", "/form")).said, "form: declined");
  assert.equal((await answer("leaves", "/form")).said, "form: cancelled");
  await drive("agrees", [], async (host) => {
    await turn(host, (await open(host.agent)).sessionId, "/link");
    assert.deepEqual(host.completed, ["demo-link"]);
  });
});

test("v2: every way to end", async () => {
  assert.equal((await answer("agrees", "/refuse")).stop, "refusal");
  assert.equal((await answer("agrees", "/limit")).stop, "max_tokens");
  assert.equal((await answer("agrees", "/fail")).stop, "error");
});

test("v2: a cancelled turn says so", () =>
  drive("agrees", [], async (host) => {
    const { agent, updates } = host;
    const { sessionId } = await open(agent);
    await agent.request(AGENT.session.prompt, { sessionId, prompt: [{ type: "text", text: "/long" }] });
    await updates.until((all) => said(all) !== "");
    await agent.notify(AGENT.session.cancel, { sessionId });
    await updates.until((all) => ends(all).length > 0);
    const all = updates.take();
    assert.deepEqual(ends(all), ["cancelled"]);
    assert.match(said(all), /\(stopped\)$/);
    assert.equal((await turn(host, sessionId, "/notice")).stop, "end_turn");
  }));

test("v2: a held prompt is withdrawn", () =>
  drive("agrees", [], async ({ agent, updates }) => {
    const { sessionId } = await open(agent);
    const send = (text: string, options?: acp.SendRequestOptions) =>
      agent.request(AGENT.session.prompt, { sessionId, prompt: [{ type: "text", text }] }, options);
    await send("/long");
    const withdraw = new AbortController();
    const held = codeOf(send("never", { cancellationSignal: withdraw.signal }));
    withdraw.abort();
    assert.equal(await held, -32800);
    await agent.notify(AGENT.session.cancel, { sessionId });
    await updates.until((all) => ends(all).length > 0);
  }));

test("v2: the session helpers of the SDK", () =>
  drive("agrees", [], async ({ agent }) => {
    const session = await agent.buildSession(CWD).start();
    await session.prompt("/ask");
    assert.match(await session.readTextUntilIdle(), /I was allowed/);
    await session.setConfigOption({ configId: "model", type: "id", value: "demo-large" });
    const model = session.configOptions?.find((option) => option.configId === "model");
    assert(model !== undefined && acp.SessionConfigOption.isSelect(model));
    assert.equal(model.currentValue, "demo-large");
  }));

test("v2: sessions are stored, listed and opened again", async () => {
  const args = ["--state", mkdtempSync(join(tmpdir(), "interop-"))];
  const { id, first } = await drive("agrees", args, async (host) => {
    const { sessionId } = await open(host.agent);
    const { said } = await turn(host, sessionId, "remember me");
    await host.agent.request(AGENT.session.close, { sessionId });
    return { id: sessionId, first: said };
  });
  // Another process.
  await drive("agrees", args, async (host) => {
    const { agent, updates } = host;
    const list = async () => (await agent.request(AGENT.session.list, {})).sessions;
    assert.deepEqual((await list()).map(({ sessionId, title }) => [sessionId, title]), [[id, "remember me"]]);
    await agent.request(AGENT.session.resume, { sessionId: id, cwd: CWD, replayFrom: { type: "start" } });
    // The marker is newer than this SDK, and comes through all the same. The SDK hands updates out later than an
    // answer that came behind them.
    const marks = (all: acp.SessionUpdate[]) => all.filter((update) => update.sessionUpdate === "replay_complete");
    await updates.until((all) => marks(all).length > 0);
    const replayed = updates.take();
    assert.equal(marks(replayed).length, 1);
    assert.equal(said(replayed), first);
    assert.equal((await turn(host, id, "and more")).stop, "end_turn");
    await agent.request(AGENT.session.close, { sessionId: id });
    updates.take();
    await agent.request(AGENT.session.resume, { sessionId: id, cwd: CWD });
    assert.equal(said(updates.take()), "");
    const forked = await agent.request(AGENT.session.fork, { sessionId: id, cwd: CWD });
    assert.notEqual(forked.sessionId, id);
    assert.equal((await list()).length, 2);
    await agent.request(AGENT.session.delete, { sessionId: forked.sessionId });
    await agent.request(AGENT.session.delete, { sessionId: id });
    assert.deepEqual(await list(), []);
    assert.equal(await codeOf(agent.request(AGENT.session.resume, { sessionId: id, cwd: CWD })), -32002);
  });
});

test("v2: options are set and work", () =>
  drive("refuses", [], async (host) => {
    const { agent } = host;
    const { sessionId, configOptions } = await open(agent);
    assert.equal(configOptions?.length, 4);
    const set = (configId: string, value: string) =>
      agent.request(AGENT.session.setConfigOption, { sessionId, configId, type: "id", value });
    await set("mode", "auto");
    await agent.request(AGENT.session.setConfigOption, { sessionId, configId: "usage", type: "boolean", value: false });
    // In this mode nobody is asked, and nobody refuses.
    const { all, said } = await turn(host, sessionId, "do it");
    assert.match(said, /I added your words/);
    assert(!all.some(acp.SessionUpdate.isUsageUpdate));
    assert.equal(await codeOf(set("mode", "nothing")), -32602);
    assert.equal(await codeOf(set("nothing", "auto")), -32602);
  }));

test("v2: logging in and out", () =>
  drive("agrees", ["--login"], async ({ agent }) => {
    assert.equal(await codeOf(open(agent)), -32000);
    assert.equal(await codeOf(agent.request(AGENT.auth.login, { methodId: "nothing" })), -32602);
    await agent.request(AGENT.auth.login, { methodId: "demo-login" });
    await open(agent);
    await agent.request(AGENT.auth.logout, {});
    assert.equal(await codeOf(open(agent)), -32000);
  }));

test("v2: what is wrong is refused", () =>
  drive("agrees", [], async (host) => {
    const { agent } = host;
    const nobody = { sessionId: "nobody", prompt: [{ type: "text" as const, text: "hello" }] };
    assert.equal(await codeOf(agent.request(AGENT.session.prompt, nobody)), -32002);
    assert.equal(await codeOf(agent.request("_nobody/knows", {})), -32601);
    const { sessionId } = await open(agent);
    assert.equal(await codeOf(agent.request(AGENT.session.prompt, { sessionId, prompt: [] })), -32602);
    const gone = { sessionId, toolCallId: "nobody" };
    assert.equal(await codeOf(agent.request(AGENT.toolCall.cancel, gone)), -32602);
    const terminal = { sessionId, terminalId: "nobody" };
    assert.equal(await codeOf(agent.request(AGENT.terminal.cancel, terminal)), -32602);
    assert.equal((await turn(host, sessionId, "/notice")).stop, "end_turn");
  }));

test("v2: sessions are archived and named", () =>
  drive("agrees", [], async ({ agent }) => {
    const { sessionId } = await open(agent);
    const listed = async (archived: "exclude" | "include" | "only") =>
      (await agent.request(AGENT.session.list, { archived })).sessions;
    assert.deepEqual(await agent.request(AGENT.session.setTitle, { sessionId, title: "  A name " }), { title: "A name" });
    await agent.request(AGENT.session.archive, { sessionId });
    assert.deepEqual(await listed("exclude"), []);
    assert.deepEqual((await listed("only")).map(({ title, archived }) => [title, archived]), [["A name", true]]);
    await agent.request(AGENT.session.unarchive, { sessionId });
    assert.equal((await listed("include")).length, 1);
    assert.deepEqual(await listed("only"), []);
    const status = async () => (await agent.request(AGENT.session.status, { sessionId })).status;
    assert.equal(await status(), "open");
    await agent.request(AGENT.session.close, { sessionId });
    assert.equal(await status(), "saved");
    assert.equal(await codeOf(agent.request(AGENT.session.archive, { sessionId: "nobody" })), -32002);
  }));

test("v2: instructions of the host, servers of the client", () =>
  drive("agrees", [], async (host) => {
    const { agent } = host;
    const content = [{ type: "text" as const, text: "Be brief" }];
    const { sessionId } = await agent.request(AGENT.session.new, {
      cwd: CWD,
      mcpServers: [{ type: "acp", name: "box", serverId: "b" }],
      systemPrompt: { mode: "override", content },
    });
    assert.equal((await turn(host, sessionId, "note this")).said, "Be brief");
    assert.equal((await turn(host, sessionId, "/tools")).said, "tools: box has hammer.");
  }));

test("v2: accounts and providers", () =>
  drive("agrees", ["--login"], async ({ agent }) => {
    assert.equal((await agent.request(AGENT.auth.status, {})).state, "unauthenticated");
    const providers = async () => (await agent.request(AGENT.providers.list, {})).providers;
    assert.deepEqual((await providers()).map(({ required }) => required), [true, false]);
    await agent.request(AGENT.providers.set, { providerId: "spare", apiType: "openai", baseUrl: "http://a" });
    assert.equal((await providers())[1]?.current?.baseUrl, "http://a");
    await agent.request(AGENT.providers.disable, { providerId: "spare" });
    assert.equal(await codeOf(agent.request(AGENT.providers.disable, { providerId: "demo" })), -32602);
  }));
