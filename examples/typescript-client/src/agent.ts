// The agent as a child process: started, spoken to over its pipes, and gone when we are done.

import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { type Stream, ndJsonStream } from "@agentclientprotocol/sdk";

/** How long it may take to leave, once its input was closed. */
const GRACE_MS = 3000;

export type Started = {
  stream: Stream;
  /** Settles when it ended or could not be started, with what there is to say about it. */
  gone: Promise<string>;
  /** Closes its input and waits; ends it when that does not help. */
  close(): Promise<void>;
  kill(): void;
};

export function start(argv: readonly [string, ...string[]], cwd: string): Started {
  const [program, ...args] = argv;
  // Its stderr is for people. Its stdout is the protocol's. In a process group of its own, a Ctrl-C on the terminal is
  // ours alone: we cancel, and the agent lives to say how it ended.
  const detached = process.platform !== "win32";
  const child = spawn(program, args, { cwd, detached, stdio: ["pipe", "pipe", "inherit"] });
  const gone = new Promise<string>((resolve) => {
    child.on("exit", (code, signal) => resolve(code === null ? `by ${signal}` : `with code ${code}`));
    child.on("error", (error) => resolve(`before it began: ${error.message}`));
  });
  // A pipe that breaks is the end of the agent, which `gone` tells.
  child.stdin.on("error", () => {});
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  const kill = () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (detached) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  };
  const close = async () => {
    child.stdin.end();
    const timer = setTimeout(kill, GRACE_MS);
    await gone;
    clearTimeout(timer);
  };
  return { stream, gone, close, kill };
}
