// Version 2: what the agent answers to each method, and what it does in a turn.

import * as acp from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { Book, type Said, type Stored, cancel, given } from "./book.js";
import { aborted, settled, spoken } from "./v1.js";

const { RequestError } = acp;
const AGENT = acp.methods.agent;
const CLIENT = acp.methods.client;

function options(session: Stored): acp.SessionConfigOption[] {
  return [
    {
      configId: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: session.model,
      options: [
        { value: "small", name: "Small" },
        { value: "large", name: "Large" },
      ],
    },
    { configId: "brief", name: "Brief", type: "boolean", currentValue: session.brief },
  ];
}

/** The agent, ready to be connected. */
export function agent(): acp.AgentApp {
  const book = new Book();
  let host: acp.ClientCapabilities = {};

  const letGo = (sessionId: string, entity: string): void => {
    const go = book.findOpen(sessionId).detached.get(entity);
    if (go === undefined) throw RequestError.invalidParams();
    go();
  };

  return acp
    .agent({ name: "sdk-agent" })
    .onRequest(AGENT.initialize, ({ params }) => {
      host = params.capabilities ?? {};
      return {
        protocolVersion: 2,
        info: { name: "sdk-agent", version: "1" },
        authMethods: [{ type: "agent", methodId: "key", name: "A key" }],
        capabilities: {
          auth: { status: {} },
          providers: {},
          session: {
            prompt: { image: {}, audio: {}, embeddedContext: {} },
            mcp: { stdio: {}, http: {} },
            delete: {},
            fork: {},
            archive: {},
            status: {},
            title: {},
            additionalDirectories: {},
            systemPrompt: {},
          },
        },
      };
    })
    .onRequest(AGENT.auth.login, ({ params }) => {
      if (params.methodId !== "key") throw RequestError.invalidParams();
      book.loggedIn = true;
      return {};
    })
    .onRequest(AGENT.auth.logout, () => {
      book.loggedIn = false;
      return {};
    })
    .onRequest(AGENT.auth.status, () => ({
      state: book.loggedIn ? "authenticated" : "unauthenticated",
    }))
    .onRequest(AGENT.providers.list, () => ({
      providers: [
        {
          providerId: "main",
          supported: ["anthropic"],
          required: false,
          current: book.provider === undefined ? null : { apiType: "anthropic", baseUrl: book.provider },
        },
      ],
    }))
    .onRequest(AGENT.providers.set, ({ params }) => {
      book.provider = params.baseUrl;
      return {};
    })
    .onRequest(AGENT.providers.disable, () => {
      book.provider = undefined;
      return {};
    })
    .onRequest(AGENT.session.new, ({ params }) => {
      const [sessionId, session] = book.create(params.cwd);
      session.given = given(params);
      return { sessionId, configOptions: options(session) };
    })
    .onRequest(AGENT.session.resume, async ({ params, client }) => {
      const session = book.reopen(params.sessionId, params.cwd);
      session.given = given(params);
      const send = (update: acp.SessionUpdate) =>
        client.notify(CLIENT.session.update, { sessionId: params.sessionId, update });
      if (params.replayFrom != null) {
        if (params.replayFrom.type !== "start") throw RequestError.invalidParams();
        // No marker at the end: an answer without an error says as much.
        for (const [number, { who, text }] of session.said.entries()) {
          await send(whole(who, `stored-${number}`, text));
        }
      }
      await send({ sessionUpdate: "state_update", state: "idle" });
      return { configOptions: options(session) };
    })
    .onRequest(AGENT.session.fork, ({ params }) => {
      const [sessionId, session] = book.fork(params.sessionId, params.cwd);
      session.given = given(params);
      return { sessionId, configOptions: options(session) };
    })
    .onRequest(AGENT.session.list, ({ params }) => {
      const { page, next } = book.page(params);
      const sessions = page.map(([sessionId, { cwd, title, archived }]) => ({ sessionId, cwd, title, archived }));
      return { sessions, nextCursor: next };
    })
    .onRequest(AGENT.session.close, ({ params }) => {
      book.close(params.sessionId);
      return {};
    })
    .onRequest(AGENT.session.delete, ({ params }) => {
      book.delete(params.sessionId);
      return {};
    })
    .onRequest(AGENT.session.archive, ({ params }) => {
      book.find(params.sessionId).archived = true;
      return {};
    })
    .onRequest(AGENT.session.unarchive, ({ params }) => {
      book.find(params.sessionId).archived = false;
      return {};
    })
    .onRequest(AGENT.session.status, ({ params }) => ({
      status: book.find(params.sessionId).open ? "open" : "saved",
    }))
    .onRequest(AGENT.session.setTitle, ({ params }) => {
      const title = params.title.trim();
      book.find(params.sessionId).title = title;
      return { title };
    })
    .onRequest(AGENT.session.setConfigOption, ({ params }) => {
      const session = book.find(params.sessionId);
      if (params.configId === "model" && (params.value === "small" || params.value === "large")) {
        session.model = params.value;
      } else if (params.configId === "brief" && typeof params.value === "boolean") {
        session.brief = params.value;
      } else {
        throw RequestError.invalidParams();
      }
      return { configOptions: options(session) };
    })
    .onRequest(AGENT.toolCall.cancel, ({ params }) => letGo(params.sessionId, params.toolCallId))
    .onRequest(AGENT.terminal.cancel, ({ params }) => letGo(params.sessionId, params.terminalId))
    .onRequest(AGENT.session.prompt, async ({ params, client, signal }) => {
      const session = book.findOpen(params.sessionId);
      if (params.prompt.length === 0) throw RequestError.invalidParams();
      const stop = new AbortController();
      session.stops.add(stop);
      const before = session.last;
      let done = () => {};
      session.last = new Promise((resolve) => (done = resolve));
      const over = () => {
        session.stops.delete(stop);
        // One that was withdrawn does not overtake the one before it.
        void before.then(done);
      };
      const withdrawn = AbortSignal.any([stop.signal, signal]);
      await Promise.race([before, aborted(withdrawn)]);
      if (withdrawn.aborted) {
        over();
        throw RequestError.requestCancelled();
      }
      const messageId = `user-${book.number()}`;
      const turn = new Turn(book, session, params.sessionId, client, host, stop.signal);
      await turn.begin(messageId, params.prompt);
      // The answer goes out before the work is done.
      setImmediate(() => void turn.run(params.prompt).finally(over));
      return { messageId };
    })
    .onNotification(AGENT.session.cancel, ({ params }) => {
      cancel(book.find(params.sessionId));
    });
}

/** A message as a whole. */
function whole(who: Said["who"], messageId: string, text: string): acp.SessionUpdate {
  const message = { messageId, content: [{ type: "text" as const, text }] };
  switch (who) {
    case "user":
      return { sessionUpdate: "user_message", ...message };
    case "thought":
      return { sessionUpdate: "agent_thought", ...message };
    case "agent":
      return { sessionUpdate: "agent_message", ...message };
  }
}

type Ended = acp.IdleStateUpdate | void;

/** One prompt that is being worked on. */
class Turn {
  constructor(
    private readonly book: Book,
    private readonly session: Stored,
    private readonly sessionId: string,
    private readonly client: acp.AgentContext,
    private readonly host: acp.ClientCapabilities,
    private readonly stop: AbortSignal,
  ) {}

  async begin(messageId: string, content: acp.ContentBlock[]): Promise<void> {
    await this.send({ sessionUpdate: "state_update", state: "running" });
    await this.send({ sessionUpdate: "user_message", messageId, content });
  }

  async run(prompt: acp.ContentBlock[]): Promise<void> {
    let ended: acp.IdleStateUpdate;
    try {
      ended = (await this.work(prompt)) ?? { stopReason: "end_turn" };
    } catch (error) {
      const code = error instanceof RequestError ? error.code : -32603;
      ended = { stopReason: "error", error: { code, message: "it failed" } };
    }
    const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2 };
    await this.send({ sessionUpdate: "state_update", state: "idle", ...ended, usage });
  }

  private async work(prompt: acp.ContentBlock[]): Promise<Ended> {
    let text = "";
    for (const block of prompt) {
      if (acp.ContentBlock.isText(block)) text += block.text;
      else if (acp.ContentBlock.isImage(block)) await this.say(`image:${block.mimeType}`);
      else if (acp.ContentBlock.isAudio(block)) await this.say(`audio:${block.mimeType}`);
      else if (acp.ContentBlock.isResourceLink(block)) await this.say(`link:${block.uri}`);
      else await this.say(block.type);
    }
    this.session.said.push({ who: "user", text });
    for (const word of text.split(/\s+/).filter((word) => word !== "")) {
      const ended = await this.step(word);
      if (ended !== undefined) return ended;
    }
  }

  private send(update: acp.SessionUpdate): Promise<void> {
    return this.client.notify(CLIENT.session.update, { sessionId: this.sessionId, update });
  }

  private async say(text: string): Promise<void> {
    this.session.said.push({ who: "agent", text });
    const messageId = `agent-${this.book.number()}`;
    await this.send({ sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
  }

  private async step(word: string): Promise<Ended> {
    switch (word) {
      case "think": {
        this.session.said.push({ who: "thought", text: "hm" });
        const messageId = `thought-${this.book.number()}`;
        return this.send({ sessionUpdate: "agent_thought_chunk", messageId, content: { type: "text", text: "hm" } });
      }
      case "tool":
        return this.tool();
      case "plan":
        return this.send({
          sessionUpdate: "plan_update",
          plan: {
            type: "items",
            planId: "plan",
            entries: [
              { content: "first", priority: "high", status: "in_progress" },
              { content: "second", priority: "low", status: "pending" },
            ],
          },
        });
      case "ask":
        return this.ask();
      case "form":
        return this.form();
      case "page":
        return this.page();
      case "wait":
        await this.say("waiting");
        await aborted(this.stop);
        await this.say("stopped");
        return { stopReason: "cancelled" };
      case "run":
        return this.command();
      case "detached":
        return this.detached();
      case "server":
        return this.server();
      case "given":
        return this.say(this.session.given);
      case "usage":
        return this.send({ sessionUpdate: "usage_update", used: 10, size: 100 });
      case "title":
        return this.send({ sessionUpdate: "session_info_update", title: "A title" });
      case "commands":
        return this.send({
          sessionUpdate: "available_commands_update",
          availableCommands: [{ type: "command", name: "think", description: "Think aloud" }],
        });
      case "options":
        this.session.model = "large";
        return this.send({ sessionUpdate: "config_option_update", configOptions: options(this.session) });
      case "refuse":
        return { stopReason: "refusal" };
      case "fail":
        throw RequestError.internalError();
      default:
        return this.say(word);
    }
  }

  private async tool(): Promise<void> {
    await this.send({
      sessionUpdate: "tool_call_update",
      toolCallId: "tool",
      title: "Edit notes",
      kind: "edit",
      status: "pending",
      rawInput: { path: "/notes" },
    });
    await this.send({ sessionUpdate: "tool_call_update", toolCallId: "tool", status: "in_progress" });
    const text = "diff --git /notes /notes\n--- /notes\n+++ /notes\n@@ -1 +1 @@\n-old\n+new\n";
    await this.send({
      sessionUpdate: "tool_call_update",
      toolCallId: "tool",
      status: "completed",
      content: [
        { type: "diff", changes: [{ operation: "modify", path: "/notes" }], patch: { format: "git_patch", text } },
      ],
      locations: [{ path: "/notes", line: 1 }],
    });
    await this.send({
      sessionUpdate: "tool_call_content_chunk",
      toolCallId: "tool",
      content: { type: "content", content: { type: "text", text: "1 line" } },
    });
  }

  /** What a question came to: its answer, or nothing once the turn was cancelled. The question is withdrawn then. */
  private async asked<T>(ask: (options: acp.SendRequestOptions) => Promise<T>): Promise<T | undefined> {
    await this.send({ sessionUpdate: "state_update", state: "requires_action" });
    const answer = await ask({ cancellationSignal: this.stop }).catch((error: unknown) => {
      if (this.stop.aborted) return undefined;
      throw error;
    });
    await settled();
    if (this.stop.aborted) return undefined;
    await this.send({ sessionUpdate: "state_update", state: "running" });
    return answer;
  }

  private async ask(): Promise<Ended> {
    const request: acp.RequestPermissionRequest = {
      sessionId: this.sessionId,
      title: "Delete notes?",
      description: "They are gone then",
      subject: { type: "tool_call", toolCall: { toolCallId: "asked", title: "Delete notes", kind: "delete" } },
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "ever", name: "Always", kind: "allow_always" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    };
    const answer = await this.asked((options) =>
      this.client.request(CLIENT.session.requestPermission, request, options),
    );
    if (answer === undefined) return { stopReason: "cancelled" };
    const { outcome } = answer;
    return this.say(acp.RequestPermissionOutcome.isSelected(outcome) ? `selected:${outcome.optionId}` : "undecided");
  }

  private async form(): Promise<Ended> {
    if (this.host.elicitation?.form == null) return this.say("no form");
    return this.elicit({
      sessionId: this.sessionId,
      message: "Who are you?",
      mode: "form",
      requestedSchema: {
        type: "object",
        properties: {
          name: { type: "string" },
          sure: { type: "boolean" },
          age: { type: "integer", minimum: 0, maximum: 150 },
        },
        required: ["name"],
      },
    });
  }

  private async page(): Promise<Ended> {
    if (this.host.elicitation?.url == null) return this.say("no page");
    const ended = await this.elicit({
      sessionId: this.sessionId,
      message: "Open it?",
      mode: "url",
      elicitationId: "page-1",
      url: "https://example.com/",
    });
    await this.client.notify(CLIENT.elicitation.complete, { elicitationId: "page-1" });
    return ended;
  }

  private async elicit(request: acp.CreateElicitationRequest): Promise<Ended> {
    const answer = await this.asked((options) => this.client.request(CLIENT.elicitation.create, request, options));
    if (answer === undefined) return { stopReason: "cancelled" };
    await this.say(spoken(answer));
  }

  /** A terminal of the agent's own, for the client to show: "hello\n" in two chunks. */
  private async command(): Promise<void> {
    await this.send({
      sessionUpdate: "tool_call_update",
      toolCallId: "run",
      title: "echo hello",
      kind: "execute",
      content: [{ type: "terminal", terminalId: "terminal" }],
    });
    await this.send({
      sessionUpdate: "terminal_update",
      terminalId: "terminal",
      command: "echo hello",
      size: { cols: 80, rows: 24 },
    });
    for (const data of ["aGVs", "bG8K"]) {
      await this.send({ sessionUpdate: "terminal_output_chunk", terminalId: "terminal", data });
    }
    await this.send({ sessionUpdate: "terminal_update", terminalId: "terminal", exitStatus: { exitCode: 0 } });
    await this.send({ sessionUpdate: "tool_call_update", toolCallId: "run", status: "completed" });
  }

  /** Waits until something is cancelled by itself, or the whole turn is. */
  private async untilLetGo(entity: string): Promise<Ended> {
    const gone = new Promise<void>((resolve) => this.session.detached.set(entity, resolve));
    await Promise.race([gone, aborted(this.stop)]);
    this.session.detached.delete(entity);
    if (this.stop.aborted) return { stopReason: "cancelled" };
  }

  private async detached(): Promise<Ended> {
    const toolCallId = "detached";
    const wait = this.untilLetGo(toolCallId);
    await this.send({
      sessionUpdate: "tool_call_update",
      toolCallId,
      title: "Index",
      status: "in_progress",
      capabilities: { cancel: {} },
    });
    const ended = await wait;
    await this.send({ sessionUpdate: "tool_call_update", toolCallId, status: "cancelled", capabilities: {} });
    return ended;
  }

  private async server(): Promise<Ended> {
    const terminalId = "server";
    const wait = this.untilLetGo(terminalId);
    await this.send({
      sessionUpdate: "terminal_update",
      terminalId,
      command: "serve",
      capabilities: { cancel: {} },
    });
    const ended = await wait;
    await this.send({
      sessionUpdate: "terminal_update",
      terminalId,
      exitStatus: { signal: "SIGTERM" },
      capabilities: {},
    });
    return ended;
  }
}
