// The client of the official SDK drives our demo agent in version 1, through every method that it has.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as acp from "@agentclientprotocol/sdk/unstable";
import { CWD, Kept, type Person, codeOf, demo } from "./demo.js";
import { settled } from "./v1.js";

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
      return { action: person === "refuses" ? "decline" : "cancel" };
    })
    .onRequest(CLIENT.fs.readTextFile, ({ params }) => ({ content: readFileSync(params.path, "utf8") }))
    .onRequest(CLIENT.fs.writeTextFile, ({ params }) => {
      writeFileSync(params.path, params.content);
      return {};
    })
    .onRequest(CLIENT.terminal.create, ({ params }) => ({
      terminalId: [params.command, ...(params.args ?? [])].join(" "),
    }))
    .onRequest(CLIENT.terminal.waitForExit, () => ({ exitCode: 7 }))
    .onRequest(CLIENT.terminal.output, ({ params }) => ({
      output: `printed by ${params.terminalId}`,
      truncated: false,
    }))
    .onRequest(CLIENT.terminal.release, () => ({}))
    .onRequest(CLIENT.mcp.message, ({ params }) => {
      assert.equal(params.method, "tools/list");
      return { result: { tools: [{ name: "hammer" }] } };
    })
    .connectWith(stream, async (agent) => {
      const agreed = await agent.request(AGENT.initialize, {
        protocolVersion: 1,
        clientInfo: { name: "interop", version: "1" },
        clientCapabilities: {
          fs: { readTextFile: true, writeTextFile: true },
          terminal: true,
          session: { configOptions: { boolean: {} }, notices: {} },
          elicitation: { form: {}, url: {} },
        },
      });
      assert.equal(agreed.protocolVersion, 1);
      assert.equal(agreed.agentInfo?.name, "acp-demo-agent");
      assert.equal(agreed.agentCapabilities?.loadSession, true);
      return work({ agent, updates, completed });
    });
  hangUp();
  assert.equal(await gone, 0);
  return result;
}

const open = (agent: acp.ClientContext) => agent.request(AGENT.session.new, { cwd: CWD, mcpServers: [] });

async function prompt(agent: acp.ClientContext, sessionId: string, text: string): Promise<acp.StopReason> {
  const { stopReason } = await agent.request(AGENT.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  await settled();
  return stopReason;
}

/** What the agent said, joined. */
function said(updates: acp.SessionUpdate[]): string {
  return updates
    .map((update) => {
      if (update.sessionUpdate !== "agent_message_chunk") return "";
      assert(update.content.type === "text");
      return update.content.text;
    })
    .join("");
}

/** What a demo agent says to one prompt. */
const answer = (person: Person, text: string) =>
  drive(person, [], async ({ agent, updates }) => {
    const { sessionId } = await open(agent);
    const stop = await prompt(agent, sessionId, text);
    return { said: said(updates.take()), stop };
  });

test("v1: an ordinary turn is whole", () =>
  drive("agrees", [], async ({ agent, updates }) => {
    const { sessionId } = await open(agent);
    assert.equal(await prompt(agent, sessionId, "note this down"), "end_turn");
    const all = updates.take();
    assert.match(said(all), /I added your words/);
    const kinds = new Set(all.map((update) => update.sessionUpdate));
    for (const kind of ["agent_thought_chunk", "plan", "tool_call", "tool_call_update", "usage_update"] as const) {
      assert(kinds.has(kind), kind);
    }
    const diffs = all.flatMap((update) =>
      update.sessionUpdate === "tool_call_update" && update.status === "completed"
        ? (update.content ?? []).filter((item) => item.type === "diff")
        : [],
    );
    assert.equal(diffs.length, 1);
  }));

test("v1: permission is rejected or left", async () => {
  assert.match((await answer("refuses", "note this down")).said, /did not want/);
  assert.match((await answer("leaves", "note this down")).said, /Nobody decided/);
});

test("v1: forms and pages", async () => {
  assert.equal((await answer("agrees", "/form")).said, "form: accepted, Ada");
  assert.equal((await answer("refuses", "/form")).said, "form: declined");
  assert.equal((await answer("leaves", "/form")).said, "form: cancelled");
  await drive("agrees", [], async ({ agent, completed }) => {
    const { sessionId } = await open(agent);
    await prompt(agent, sessionId, "/link");
    assert.deepEqual(completed, ["demo-link"]);
  });
});

test("v1: files and terminals of the client", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "interop-")), "notes");
  assert.equal((await answer("agrees", `/write ${path}`)).said, "write: written");
  assert.equal((await answer("agrees", `/read ${path}`)).said, "read: written by the demo agent\n");
  assert.equal((await answer("agrees", "/run")).said, "exit code 7: printed by echo demo");
});

test("v1: every way to end", async () => {
  assert.equal((await answer("agrees", "/refuse")).stop, "refusal");
  assert.equal((await answer("agrees", "/limit")).stop, "max_tokens");
  await drive("agrees", [], async ({ agent }) => {
    const { sessionId } = await open(agent);
    assert.equal(await codeOf(prompt(agent, sessionId, "/fail")), -32603);
  });
});

test("v1: a cancelled turn says so", () =>
  drive("agrees", [], async ({ agent, updates }) => {
    const { sessionId } = await open(agent);
    const turn = prompt(agent, sessionId, "/long");
    await updates.until((all) => said(all) !== "");
    await agent.notify(AGENT.session.cancel, { sessionId });
    assert.equal(await turn, "cancelled");
    assert.match(said(updates.take()), /\(stopped\)$/);
    assert.equal(await prompt(agent, sessionId, "/notice"), "end_turn");
    assert(updates.take().some((update) => update.sessionUpdate === "notice"));
  }));

test("v1: sessions are stored, listed and opened again", async () => {
  const args = ["--state", mkdtempSync(join(tmpdir(), "interop-"))];
  const { id, first } = await drive("agrees", args, async ({ agent, updates }) => {
    const { sessionId } = await open(agent);
    await prompt(agent, sessionId, "remember me");
    await agent.request(AGENT.session.close, { sessionId });
    return { id: sessionId, first: said(updates.take()) };
  });
  // Another process.
  await drive("agrees", args, async ({ agent, updates }) => {
    const list = async () => (await agent.request(AGENT.session.list, {})).sessions;
    assert.deepEqual((await list()).map(({ sessionId, title }) => [sessionId, title]), [[id, "remember me"]]);
    await agent.request(AGENT.session.load, { sessionId: id, cwd: CWD, mcpServers: [] });
    await settled();
    const replayed = updates.take();
    assert.equal(said(replayed), first);
    assert(replayed.some((update) => update.sessionUpdate === "user_message_chunk"));
    assert.equal(await prompt(agent, id, "and more"), "end_turn");
    await agent.request(AGENT.session.close, { sessionId: id });
    updates.take();
    await agent.request(AGENT.session.resume, { sessionId: id, cwd: CWD, mcpServers: [] });
    assert.equal(said(updates.take()), "");
    const forked = await agent.request(AGENT.session.fork, { sessionId: id, cwd: CWD, mcpServers: [] });
    assert.notEqual(forked.sessionId, id);
    assert.equal((await list()).length, 2);
    await agent.request(AGENT.session.delete, { sessionId: forked.sessionId });
    await agent.request(AGENT.session.delete, { sessionId: id });
    assert.deepEqual(await list(), []);
    const gone = agent.request(AGENT.session.load, { sessionId: id, cwd: CWD, mcpServers: [] });
    assert.equal(await codeOf(gone), -32002);
  });
});

test("v1: options are set and work", () =>
  drive("refuses", [], async ({ agent, updates }) => {
    const { sessionId, configOptions } = await open(agent);
    assert.equal(configOptions?.length, 4);
    const set = (configId: string, value: string) =>
      agent.request(AGENT.session.setConfigOption, { sessionId, configId, value });
    const now = (await set("mode", "auto")).configOptions;
    assert.equal(now.find((option) => option.id === "mode")?.currentValue, "auto");
    await agent.request(AGENT.session.setConfigOption, { sessionId, configId: "usage", type: "boolean", value: false });
    // In this mode nobody is asked, and nobody refuses.
    await prompt(agent, sessionId, "do it");
    const all = updates.take();
    assert.match(said(all), /I added your words/);
    assert(!all.some((update) => update.sessionUpdate === "usage_update"));
    assert.equal(await codeOf(set("mode", "nothing")), -32602);
    assert.equal(await codeOf(set("nothing", "auto")), -32602);
  }));

test("v1: logging in and out", () =>
  drive("agrees", ["--login"], async ({ agent }) => {
    assert.equal(await codeOf(open(agent)), -32000);
    assert.equal(await codeOf(agent.request(AGENT.authenticate, { methodId: "nothing" })), -32602);
    await agent.request(AGENT.authenticate, { methodId: "demo-login" });
    await open(agent);
    await agent.request(AGENT.logout, {});
    assert.equal(await codeOf(open(agent)), -32000);
  }));

test("v1: what is wrong is refused", () =>
  drive("agrees", [], async ({ agent }) => {
    assert.equal(await codeOf(prompt(agent, "nobody", "hello")), -32002);
    assert.equal(await codeOf(agent.request(AGENT.session.new, { cwd: "not/absolute", mcpServers: [] })), -32602);
    assert.equal(await codeOf(agent.request("_nobody/knows", {})), -32601);
    const { sessionId } = await open(agent);
    assert.equal(await codeOf(agent.request(AGENT.session.prompt, { sessionId, prompt: [] })), -32602);
    assert.equal(await prompt(agent, sessionId, "/notice"), "end_turn");
  }));

test("v1: sessions are archived and named", () =>
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

test("v1: instructions of the host, servers of the client", () =>
  drive("agrees", [], async ({ agent, updates }) => {
    const request: acp.NewSessionRequest = {
      cwd: CWD,
      mcpServers: [{ type: "acp", name: "box", serverId: "b" }],
      systemPrompt: { mode: "override", content: [{ type: "text", text: "Be brief" }] },
    };
    const { sessionId } = await agent.request(AGENT.session.new, request);
    await prompt(agent, sessionId, "note this");
    assert.equal(said(updates.take()), "Be brief");
    await prompt(agent, sessionId, "/tools");
    assert.equal(said(updates.take()), "tools: box has hammer.");
  }));

test("v1: accounts and providers", () =>
  drive("agrees", ["--login"], async ({ agent }) => {
    assert.equal((await agent.request(AGENT.auth.status, {})).state, "unauthenticated");
    const providers = async () => (await agent.request(AGENT.providers.list, {})).providers;
    assert.deepEqual((await providers()).map(({ required }) => required), [true, false]);
    await agent.request(AGENT.providers.set, { providerId: "spare", apiType: "openai", baseUrl: "http://a" });
    assert.equal((await providers())[1]?.current?.baseUrl, "http://a");
    await agent.request(AGENT.providers.disable, { providerId: "spare" });
    assert.equal(await codeOf(agent.request(AGENT.providers.disable, { providerId: "demo" })), -32602);
  }));
