// Version 1: what the agent answers to each method, and what it does in a turn.

import * as acp from "@agentclientprotocol/sdk/unstable";
import { Book, type Stored, cancel, given, record } from "./book.js";

const { RequestError } = acp;
const AGENT = acp.methods.agent;
const CLIENT = acp.methods.client;

/** The agent, ready to be connected. */
export function agent(): acp.AgentApp {
  const book = new Book();
  let host: acp.ClientCapabilities = {};

  const options = (session: Stored): acp.SessionConfigOption[] => {
    const all: acp.SessionConfigOption[] = [
      {
        id: "model",
        name: "Model",
        category: "model",
        type: "select",
        currentValue: session.model,
        options: [
          { value: "small", name: "Small" },
          { value: "large", name: "Large" },
        ],
      },
    ];
    if (host.session?.configOptions?.boolean != null) {
      all.push({ id: "brief", name: "Brief", type: "boolean", currentValue: session.brief });
    }
    return all;
  };
  const setup = (session: Stored) => ({
    modes: {
      currentModeId: session.mode,
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "auto", name: "Auto" },
      ],
    },
    configOptions: options(session),
  });

  return acp
    .agent({ name: "sdk-agent" })
    .onRequest(AGENT.initialize, ({ params }) => {
      host = params.clientCapabilities ?? {};
      return {
        protocolVersion: 1,
        agentInfo: { name: "sdk-agent", version: "1" },
        authMethods: [{ id: "key", name: "A key" }],
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: true, embeddedContext: true },
          mcpCapabilities: { http: true },
          auth: { logout: {}, status: {} },
          providers: {},
          sessionCapabilities: {
            list: {},
            delete: {},
            resume: {},
            close: {},
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
    .onRequest(AGENT.authenticate, ({ params }) => {
      if (params.methodId !== "key") throw RequestError.invalidParams();
      book.loggedIn = true;
      return {};
    })
    .onRequest(AGENT.logout, () => {
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
      return { sessionId, ...setup(session) };
    })
    .onRequest(AGENT.session.load, async ({ params, client }) => {
      const session = book.reopen(params.sessionId, params.cwd);
      session.given = given(params);
      for (const { who, text } of session.said) {
        const kind = { user: "user_message_chunk", thought: "agent_thought_chunk", agent: "agent_message_chunk" } as const;
        const update = { sessionUpdate: kind[who], content: { type: "text" as const, text } };
        await client.notify(CLIENT.session.update, { sessionId: params.sessionId, update });
      }
      return setup(session);
    })
    .onRequest(AGENT.session.resume, ({ params }) => {
      const session = book.reopen(params.sessionId, params.cwd);
      session.given = given(params);
      return setup(session);
    })
    .onRequest(AGENT.session.fork, ({ params }) => {
      const [sessionId, session] = book.fork(params.sessionId, params.cwd);
      session.given = given(params);
      return { sessionId, ...setup(session) };
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
    .onRequest(AGENT.session.setMode, ({ params }) => {
      if (!["ask", "auto"].includes(params.modeId)) throw RequestError.invalidParams();
      book.find(params.sessionId).mode = params.modeId;
      return {};
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
    .onRequest(AGENT.session.prompt, async ({ params, client }) => {
      const session = book.findOpen(params.sessionId);
      const stop = new AbortController();
      session.stops.add(stop);
      try {
        const turn = new Turn(session, params.sessionId, client, host, stop.signal, options);
        return { stopReason: await turn.run(params.prompt), usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 } };
      } finally {
        session.stops.delete(stop);
      }
    })
    .onNotification(AGENT.session.cancel, ({ params }) => {
      cancel(book.find(params.sessionId));
    });
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The SDK hands a notification out later than an answer that came behind it in the same read: a cancel, for one. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** One prompt that is being worked on. */
class Turn {
  constructor(
    private readonly session: Stored,
    private readonly sessionId: string,
    private readonly client: acp.AgentContext,
    private readonly host: acp.ClientCapabilities,
    private readonly stop: AbortSignal,
    private readonly options: (session: Stored) => acp.SessionConfigOption[],
  ) {}

  async run(prompt: acp.ContentBlock[]): Promise<acp.StopReason> {
    let text = "";
    for (const block of prompt) {
      if (block.type === "text") text += block.text;
      else if (block.type === "image" || block.type === "audio") await this.say(`${block.type}:${block.mimeType}`);
      else if (block.type === "resource_link") await this.say(`link:${block.uri}`);
      else await this.say("resource");
    }
    this.session.said.push({ who: "user", text });
    for (const word of text.split(/\s+/).filter((word) => word !== "")) {
      const reason = await this.step(word);
      if (reason !== undefined) return reason;
    }
    return "end_turn";
  }

  private send(update: acp.SessionUpdate): Promise<void> {
    return this.client.notify(CLIENT.session.update, { sessionId: this.sessionId, update });
  }

  private async say(text: string): Promise<void> {
    this.session.said.push({ who: "agent", text });
    await this.send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  private async step(word: string): Promise<acp.StopReason | void> {
    if (word.startsWith("read=")) return this.read(word.slice(5));
    if (word.startsWith("write=")) return this.write(word.slice(6));
    switch (word) {
      case "think":
        this.session.said.push({ who: "thought", text: "hm" });
        return this.send({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } });
      case "tool":
        return this.tool();
      case "plan":
        return this.send({
          sessionUpdate: "plan",
          entries: [
            { content: "first", priority: "high", status: "in_progress" },
            { content: "second", priority: "low", status: "pending" },
          ],
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
        return "cancelled";
      case "run":
        return this.command();
      case "given":
        return this.say(this.session.given);
      case "usage":
        return this.send({ sessionUpdate: "usage_update", used: 10, size: 100 });
      case "title":
        return this.send({ sessionUpdate: "session_info_update", title: "A title" });
      case "commands":
        return this.send({
          sessionUpdate: "available_commands_update",
          availableCommands: [{ name: "think", description: "Think aloud" }],
        });
      case "options":
        this.session.mode = "auto";
        this.session.model = "large";
        await this.send({ sessionUpdate: "current_mode_update", currentModeId: "auto" });
        return this.send({ sessionUpdate: "config_option_update", configOptions: this.options(this.session) });
      case "refuse":
        return "refusal";
      case "fail":
        throw RequestError.internalError();
      default:
        return this.say(word);
    }
  }

  private async tool(): Promise<void> {
    await this.send({
      sessionUpdate: "tool_call",
      toolCallId: "tool",
      title: "Edit notes",
      kind: "edit",
      status: "pending",
      rawInput: { path: "/notes" },
    });
    await this.send({ sessionUpdate: "tool_call_update", toolCallId: "tool", status: "in_progress" });
    await this.send({
      sessionUpdate: "tool_call_update",
      toolCallId: "tool",
      status: "completed",
      content: [
        { type: "diff", path: "/notes", oldText: "old\n", newText: "new\n" },
        { type: "content", content: { type: "text", text: "1 line" } },
      ],
      locations: [{ path: "/notes", line: 1 }],
    });
  }

  private async ask(): Promise<acp.StopReason | void> {
    const { outcome } = await this.client.request(CLIENT.session.requestPermission, {
      sessionId: this.sessionId,
      toolCall: { toolCallId: "asked", title: "Delete notes", kind: "delete" },
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "ever", name: "Always", kind: "allow_always" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    });
    if (outcome.outcome === "selected") return this.say(`selected:${outcome.optionId}`);
    await settled();
    if (this.stop.aborted) return "cancelled";
    return this.say("undecided");
  }

  private async form(): Promise<void> {
    if (this.host.elicitation?.form == null) return this.say("no form");
    const answer = await this.client.request(CLIENT.elicitation.create, {
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
    await this.say(spoken(answer));
  }

  private async page(): Promise<void> {
    if (this.host.elicitation?.url == null) return this.say("no page");
    const answer = await this.client.request(CLIENT.elicitation.create, {
      sessionId: this.sessionId,
      message: "Open it?",
      mode: "url",
      elicitationId: "page-1",
      url: "https://example.com/",
    });
    await this.say(spoken(answer));
    await this.client.notify(CLIENT.elicitation.complete, { elicitationId: "page-1" });
  }

  private async read(path: string): Promise<void> {
    if (this.host.fs?.readTextFile !== true) return this.say("no reading");
    const read = async () => {
      const asked = { sessionId: this.sessionId, path, line: 2, limit: 1 };
      const answer: acp.ReadTextFileResponse = await this.client.request(CLIENT.fs.readTextFile, asked);
      return answer.content;
    };
    await this.say(await refusal(read()));
  }

  private async write(path: string): Promise<void> {
    if (this.host.fs?.writeTextFile !== true) return this.say("no writing");
    const asked = { sessionId: this.sessionId, path, content: "one\ntwo\nthree\n" };
    await this.say(await refusal(this.client.request(CLIENT.fs.writeTextFile, asked).then(() => "written")));
  }

  /** All five terminal methods, in the order that a short command needs them. */
  private async command(): Promise<void> {
    if (this.host.terminal !== true) return this.say("no terminal");
    const terminal = await this.client.createTerminal({
      sessionId: this.sessionId,
      command: "echo",
      args: ["hello"],
      outputByteLimit: 1024,
    });
    await this.send({
      sessionUpdate: "tool_call",
      toolCallId: "run",
      title: "echo hello",
      kind: "execute",
      content: [{ type: "terminal", terminalId: terminal.id }],
    });
    const exited = await terminal.waitForExit();
    const { output } = await terminal.currentOutput();
    await terminal.kill();
    await terminal.release();
    await this.send({ sessionUpdate: "tool_call_update", toolCallId: "run", status: "completed" });
    await this.say(`exit:Some(${exited.exitCode}) ${output.trimEnd()}`);
  }
}

/** The answer to an elicitation in words; its values in the order of their names. */
export function spoken(answer: { action: string; content?: unknown }): string {
  if (answer.action === "accept") {
    const values = Object.entries(answer.content ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    return `accepted:${JSON.stringify(Object.fromEntries(values))}`;
  }
  return { decline: "declined", cancel: "cancelled" }[answer.action] ?? answer.action;
}

async function refusal(answer: Promise<string>): Promise<string> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RequestError) return `refused:${error.code}`;
    throw error;
  }
}
