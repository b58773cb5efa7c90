// The whole program over `acp demo-agent`. ACP says where `acp` is.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("main.js", import.meta.url));

type Ran = { code: number | null; out: string; err: string; end: Record<string, unknown> };

/** Runs it; sends SIGINT as soon as the answer has this in it. */
async function run(args: string[], agent: string[], interruptAt?: string): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args, "--", ...agent], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  let interrupted = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    if (interruptAt !== undefined && !interrupted && out.includes(interruptAt)) {
      interrupted = true;
      child.kill("SIGINT");
    }
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const last = err.trimEnd().split("\n").at(-1) ?? "";
  return { code, out, err, end: last.startsWith("{") ? JSON.parse(last) : {} };
}

function demo(): string[] {
  const program = process.env["ACP"];
  if (program === undefined) throw new Error("ACP has to say where the program is");
  return [program, "demo-agent"];
}

test("a turn is streamed and its outcome is exact", async () => {
  const { code, out, err, end } = await run(["--allow", "edit", "note this down"], demo());
  assert.equal(code, 0, err);
  assert.match(out, /I added your words/);
  assert.match(err, /thinks: .*\n/);
  assert.match(err, /tool: Edit notes.md \(completed\)/);
  assert.match(err, /^allowed: Edit notes.md$/m);
  const { accounting, ...rest } = end;
  assert.deepEqual(rest, {
    outcome: "completed",
    exact: true,
    revision: 2,
    cancelRequested: false,
    delivery: "written",
  });
  assert.deepEqual(Object.keys(accounting as object), ["input_tokens", "output_tokens"]);
});

test("nothing is approved by itself", async () => {
  const { code, out, err } = await run(["note this down"], demo());
  assert.equal(code, 0);
  assert.match(out, /Nobody decided/);
  assert.match(err, /^not allowed: Edit notes.md$/m);
});

test("a failure is told as what it was", async () => {
  const { code, end } = await run(["/fail"], demo());
  assert.equal(code, 1);
  assert.deepEqual([end["outcome"], end["class"], end["exact"]], ["failed", "provider", true]);
});

test("a limit is told as what it was", async () => {
  const { code, end } = await run(["/limit"], demo());
  assert.equal(code, 1);
  assert.deepEqual([end["outcome"], end["limit"]], ["limit_exceeded", "tokens"]);
});

test("Ctrl-C cancels, and what is still said is shown", async () => {
  const { code, out, end } = await run(["/long"], demo(), "2 ");
  assert.equal(code, 130);
  assert.match(out, /\(stopped\)\n$/);
  assert.deepEqual([end["outcome"], end["cancelRequested"]], ["cancelled", true]);
});

test("an agent that goes away is said", async () => {
  const gone = await run(["hello"], ["sh", "-c", "exit 3"]);
  assert.equal(gone.code, 1);
  assert.match(gone.err, /the agent ended with code 3/);
  const never = await run(["hello"], ["/nowhere/agent"]);
  assert.equal(never.code, 1);
  assert.match(never.err, /before it began/);
});

test("how it is used is said", async () => {
  const { code, err } = await run([], []);
  assert.equal(code, 2);
  assert.match(err, /^usage:/m);
});
