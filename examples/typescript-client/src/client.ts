// One turn with an agent, on the official SDK: what it streams, and how it ends.

import * as acp from "@agentclientprotocol/sdk";
import { type Ended, isObject, sequenceOf, taskOf } from "./outcome.js";

const AGENT = acp.methods.agent;
const CLIENT = acp.methods.client;

/** The newest revision of the extension that this client reads. */
const REVISION = 2;

/** How long the last events may take after the answer; the SDK hands them out later than an answer behind them. */
const STRAGGLERS_MS = 2000;

export type Asked = {
  /** The key of the extension in `_meta`; it belongs to the agent's owner. */
  namespace: string;
  /** The working directory: absolute, and said explicitly. */
  cwd: string;
  prompt: string;
  /** Kinds of tool calls that are allowed, once each. Everything else is answered `cancelled`: nobody was there. */
  allow: ReadonlySet<string>;
  /** Cancels the turn. It still has to be waited for. */
  cancel: AbortSignal;
};

/** Who is told, as it happens. */
export type Shown = {
  text(text: string): void;
  thought(text: string): void;
  tool(title: string, status: string): void;
  permission(title: string, allowed: boolean): void;
};

/** What came of it. */
export type Turn = {
  ended: Ended;
  /** Whether the agent speaks the extension, in the revision that was agreed. */
  revision: number | undefined;
  /** Events that were announced and never came. */
  missing: bigint;
};

/** Opens a session, sends the prompt, shows what comes and waits for the end. */
export async function converse(stream: acp.Stream, asked: Asked, shown: Shown): Promise<Turn> {
  const ledger = new Ledger(asked.namespace);
  const titles = new Map<string, string>();
  const client = acp
    .client({ name: "acp-typescript-client" })
    .onNotification(CLIENT.session.update, ({ params }) => {
      ledger.note(params);
      show(params.update, titles, shown);
    })
    .onRequest(CLIENT.session.requestPermission, ({ params }) => {
      const option = params.options.find(({ kind }) => kind === "allow_once");
      const allowed = !asked.cancel.aborted && option !== undefined && asked.allow.has(params.toolCall.kind ?? "other");
      shown.permission(params.toolCall.title ?? params.toolCall.toolCallId, allowed);
      if (allowed) return { outcome: { outcome: "selected", optionId: option.optionId } };
      return { outcome: { outcome: "cancelled" } };
    });
  return client.connectWith(stream, async (agent) => {
    const agreed = await agent.request(AGENT.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientInfo: { name: "acp-typescript-client", version: "0.0.0" },
      // An agent that does not know the extension leaves it alone.
      clientCapabilities: { _meta: { [asked.namespace]: { revision: REVISION } } },
    });
    if (agreed.protocolVersion !== acp.PROTOCOL_VERSION) {
      throw new Error(`the agent speaks version ${agreed.protocolVersion}, this client ${acp.PROTOCOL_VERSION}`);
    }
    const revision = revisionOf(agreed._meta?.[asked.namespace]);
    const { sessionId } = await agent.request(AGENT.session.new, { cwd: asked.cwd, mcpServers: [] });
    // A cancel is a notification: the turn ends when the agent says so, and is read until then.
    const cancel = () => void agent.notify(AGENT.session.cancel, { sessionId }).catch(() => {});
    const prompt = [{ type: "text" as const, text: asked.prompt }];
    const answer: Promise<acp.PromptResponse> = agent.request(AGENT.session.prompt, { sessionId, prompt });
    if (asked.cancel.aborted) cancel();
    asked.cancel.addEventListener("abort", cancel, { once: true });
    const ended = await answer.then(
      (answer): Ended => ({ answer }),
      (error: unknown): Ended => ({ error }),
    );
    asked.cancel.removeEventListener("abort", cancel);
    const last = taskOf(ended, asked.namespace)?.last ?? 0n;
    return { ended, revision, missing: await ledger.missing(last) };
  });
}

function revisionOf(confirmed: unknown): number | undefined {
  const revision = isObject(confirmed) ? confirmed["revision"] : undefined;
  if (revision === undefined) return undefined;
  if (typeof revision !== "number" || revision < 1 || revision > REVISION) {
    throw new Error("the agent confirmed a revision that was not asked for");
  }
  return revision;
}

function show(update: acp.SessionUpdate, titles: Map<string, string>, shown: Shown): void {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      if (update.content.type === "text") shown.text(update.content.text);
      break;
    case "agent_thought_chunk":
      if (update.content.type === "text") shown.thought(update.content.text);
      break;
    case "tool_call":
    case "tool_call_update": {
      if (update.title != null) titles.set(update.toolCallId, update.title);
      if (update.status != null) shown.tool(titles.get(update.toolCallId) ?? update.toolCallId, update.status);
      break;
    }
    // Everything else is read and left alone: an update that is not known harms nothing.
  }
}

/** Which events of the session have come. */
class Ledger {
  private seen = 0n;
  private lost = 0n;
  private arrived = () => {};

  constructor(private readonly namespace: string) {}

  note(params: unknown): void {
    const range = sequenceOf(params, this.namespace);
    if (range === undefined) return;
    if (range.first > this.seen + 1n) this.lost += range.first - this.seen - 1n;
    if (range.last > this.seen) this.seen = range.last;
    this.arrived();
  }

  /** Waits until everything up to `last` has come, for a moment, and says how much has not. */
  async missing(last: bigint): Promise<bigint> {
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      this.arrived();
    }, STRAGGLERS_MS);
    // Without numbers there is nothing to count: one turn of the loop lets what has come be handed out.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.seen < last && !over) await new Promise<void>((resolve) => (this.arrived = resolve));
    clearTimeout(timer);
    return this.lost + (last > this.seen ? last - this.seen : 0n);
  }
}
