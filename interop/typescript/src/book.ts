// What the agent knows of its sessions, whatever version is spoken.

import { RequestError } from "@agentclientprotocol/sdk/unstable";

/** Sessions on one page of a list. */
const PAGE = 2;

export type Said = { who: "user" | "thought" | "agent"; text: string };

/** One session. */
export type Stored = {
  cwd: string;
  title?: string;
  archived: boolean;
  open: boolean;
  mode: string;
  model: string;
  brief: boolean;
  said: Said[];
  /** What it was opened with, in words. */
  given: string;
  /** One for each prompt that is held or worked on. */
  stops: Set<AbortController>;
  /** Settles when the prompt before is done: prompts go one after the other. */
  last: Promise<void>;
  /** What can be cancelled by itself at the moment. */
  detached: Map<string, () => void>;
};

export function record(cwd: string): Stored {
  return {
    cwd,
    archived: false,
    open: true,
    mode: "ask",
    model: "small",
    brief: false,
    said: [],
    given: "",
    stops: new Set(),
    last: Promise.resolve(),
    detached: new Map(),
  };
}

export function cancel(session: Stored): void {
  for (const stop of session.stops) stop.abort();
}

export class Book {
  loggedIn = false;
  provider: string | undefined = "https://models.invalid";
  private made = 0;
  private readonly sessions = new Map<string, Stored>();

  /** A number that was not given out before. */
  number(): number {
    return ++this.made;
  }

  create(cwd: string): [string, Stored] {
    this.admit(cwd);
    const id = `session-${this.number()}`;
    const made = record(cwd);
    this.sessions.set(id, made);
    return [id, made];
  }

  fork(from: string, cwd: string): [string, Stored] {
    const source = this.find(from);
    const [id, made] = this.create(cwd);
    made.said = [...source.said];
    made.model = source.model;
    return [id, made];
  }

  reopen(id: string, cwd: string): Stored {
    this.admit(cwd);
    const found = this.find(id);
    if (found.cwd !== cwd) throw RequestError.invalidParams();
    found.open = true;
    return found;
  }

  find(id: string): Stored {
    const found = this.sessions.get(id);
    if (found === undefined) throw RequestError.sessionNotFound(id);
    return found;
  }

  findOpen(id: string): Stored {
    const found = this.find(id);
    if (!found.open) throw RequestError.sessionNotFound(id);
    return found;
  }

  close(id: string): void {
    const found = this.find(id);
    found.open = false;
    cancel(found);
  }

  delete(id: string): void {
    const found = this.sessions.get(id);
    if (found !== undefined) cancel(found);
    this.sessions.delete(id);
  }

  page(asked: {
    cwd?: string | null;
    cursor?: string | null;
    archived?: string | null;
  }): { page: [string, Stored][]; next: string | undefined } {
    const from = asked.cursor == null ? 0 : Number(asked.cursor);
    if (!Number.isSafeInteger(from)) throw RequestError.invalidParams();
    const matching = [...this.sessions].filter(([, session]) => {
      if (asked.cwd != null && asked.cwd !== session.cwd) return false;
      if (asked.archived === "only") return session.archived;
      return asked.archived === "include" || !session.archived;
    });
    const next = from + PAGE < matching.length ? String(from + PAGE) : undefined;
    return { page: matching.slice(from, from + PAGE), next };
  }

  private admit(cwd: string): void {
    if (!cwd.startsWith("/")) throw RequestError.invalidParams();
    if (cwd.endsWith("/locked") && !this.loggedIn) throw RequestError.authRequired();
  }
}

/** Servers, directories and instructions, each in order. Both versions have the same members. */
export function given(asked: {
  mcpServers?: readonly object[] | null;
  additionalDirectories?: readonly string[] | null;
  systemPrompt?: { mode: string; content: readonly object[] } | null;
}): string {
  type Pair = { name: string; value: string };
  type Server = { type?: string; name: string; command?: string; url?: string; args?: string[]; env?: Pair[]; headers?: Pair[] };
  const pairs = (all: Pair[] | undefined) => (all ?? []).map(({ name, value }) => `${name}=${value}`);
  const servers = ((asked.mcpServers ?? []) as Server[]).map((server) =>
    server.type === "http"
      ? ["http", server.name, server.url, ...pairs(server.headers)].join(" ")
      : ["stdio", server.name, server.command, ...pairs(server.env), ...(server.args ?? [])].join(" "),
  );
  const directories = (asked.additionalDirectories ?? []).map((directory) => `in ${directory}`);
  const system = asked.systemPrompt ?? undefined;
  const said = (system?.content ?? []).map((block) => (block as { text?: string }).text ?? "?").join("");
  return [...servers, ...directories, ...(system === undefined ? [] : [`${system.mode} ${said}`])].join("; ");
}
