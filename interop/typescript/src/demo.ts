// Our demo agent as a process, for the tests of the clients. ACP says where the program is.

import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk/unstable";

/** The directory of every session here; the agent wants one that exists. */
export const CWD = "/tmp";

/** What a person at the client would do. */
export type Person = "agrees" | "refuses" | "leaves";

/** Starts it; `gone` settles with its exit code, once its input was closed. */
export function demo(...args: string[]) {
  const program = process.env["ACP"];
  if (program === undefined) throw new Error("ACP has to say where the program is");
  const child = spawn(program, ["demo-agent", ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  return { stream, gone, hangUp: () => child.stdin.end() };
}

/** The code of an error that is expected. */
export async function codeOf(answer: Promise<unknown>): Promise<number> {
  try {
    await answer;
  } catch (error) {
    return (error as { code: number }).code;
  }
  throw new Error("there was no error");
}

/** What is kept of what was sent, and waited for. */
export class Kept<Update> {
  private all: Update[] = [];
  private arrived = () => {};

  keep(update: Update): void {
    this.all.push(update);
    this.arrived();
  }

  /** Waits until what was kept is like this. */
  async until(isThere: (all: Update[]) => boolean): Promise<void> {
    while (!isThere(this.all)) await new Promise<void>((resolve) => (this.arrived = resolve));
  }

  /** Everything since it was last asked. */
  take(): Update[] {
    const all = this.all;
    this.all = [];
    return all;
  }
}
