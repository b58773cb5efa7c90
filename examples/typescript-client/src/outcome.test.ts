import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestError } from "@agentclientprotocol/sdk";
import { type Ended, InvalidTask, outcomeOf, sequenceOf, structuredOf, taskOf } from "./outcome.js";

const NS = "example.com/agent";
const WHOLE = {
  run: "run-0123456789abcdef",
  session: "s",
  outcome: "completed",
  cancel_requested: false,
  delivery: "written",
};

/** The answer to a prompt with this task. */
const answered = (task: unknown, stopReason = "end_turn"): Ended => ({
  answer: { stopReason: stopReason as "end_turn", _meta: { [NS]: { task } } },
});

/** An error in its place. */
const refused = (task: unknown): Ended => ({
  error: new RequestError(-32603, "no", { outcome: "failed", _meta: { [NS]: { task } } }),
});

test("the task is the agent's own word", () => {
  const words = [
    [{ outcome: "completed" }, { kind: "completed" }],
    [{ outcome: "cancelled" }, { kind: "cancelled" }],
    [{ outcome: "timed_out" }, { kind: "timed_out" }],
    [{ outcome: "policy_denied" }, { kind: "policy_denied" }],
    [{ outcome: "limit_exceeded", limit: "model_calls" }, { kind: "limit_exceeded", limit: "model_calls" }],
    [{ outcome: "failed", class: "provider" }, { kind: "failed", class: "provider" }],
  ];
  for (const [told, outcome] of words) {
    const task = { ...WHOLE, ...told };
    assert.deepEqual(outcomeOf(answered(task, "cancelled"), NS), { outcome, exact: true });
    assert.deepEqual(outcomeOf(refused(task), NS), { outcome, exact: true });
  }
});

test("without the extension the stop reason says what it can", () => {
  const reasons = [
    ["end_turn", { kind: "completed" }],
    ["cancelled", { kind: "cancelled" }],
    ["refusal", { kind: "policy_denied" }],
    ["max_tokens", { kind: "limit_exceeded", limit: "max_tokens" }],
    ["max_turn_requests", { kind: "limit_exceeded", limit: "max_turn_requests" }],
    ["newer_than_us", { kind: "failed", class: "newer_than_us" }],
  ] as const;
  for (const [stopReason, outcome] of reasons) {
    const ended: Ended = { answer: { stopReason: stopReason as "end_turn" } };
    assert.deepEqual(outcomeOf(ended, NS), { outcome, exact: false });
    assert.equal(taskOf(ended, NS), undefined);
  }
  const error: Ended = { error: new RequestError(-32000, "log in") };
  assert.deepEqual(outcomeOf(error, NS), { outcome: { kind: "failed", class: "-32000" }, exact: false });
  const lost: Ended = { error: new Error("gone") };
  assert.deepEqual(outcomeOf(lost, NS), { outcome: { kind: "failed", class: "no answer" }, exact: false });
  // Somebody else's extension is not ours.
  assert.deepEqual(outcomeOf(answered({ ...WHOLE, outcome: "failed" }), "other.example/x").exact, false);
});

test("counters are exact", () => {
  const most = "18446744073709551615";
  const task = taskOf(
    answered({
      ...WHOLE,
      last: "9007199254740993",
      limits: { model_calls: "3" },
      used: { model_calls: "0", tool_calls: "1" },
      accounting: { input_tokens: most },
    }),
    NS,
  );
  assert(task !== undefined);
  assert.equal(task.last, 9007199254740993n);
  assert.equal(task.omitted, false);
  assert.equal(taskOf(answered({ ...WHOLE, omitted: true }), NS)?.omitted, true);
  assert.equal(task.accounting["input_tokens"], 2n ** 64n - 1n);
  assert.deepEqual(task.limits, { model_calls: 3n });
  assert.deepEqual(task.used, { model_calls: 0n, tool_calls: 1n });
});

test("what is malformed is no task", () => {
  const broken: unknown[] = [
    null,
    [],
    "completed",
    { ...WHOLE, outcome: "done" },
    { ...WHOLE, outcome: "failed" },
    { ...WHOLE, outcome: "limit_exceeded", limit: 3 },
    { ...WHOLE, cancel_requested: "no" },
    { ...WHOLE, delivery: "maybe" },
    { ...WHOLE, run: 1 },
    { ...WHOLE, session: undefined },
    { ...WHOLE, last: 5 },
    { ...WHOLE, last: "05" },
    { ...WHOLE, last: "-1" },
    { ...WHOLE, last: "1e3" },
    { ...WHOLE, last: "18446744073709551616" },
    { ...WHOLE, limits: [] },
    { ...WHOLE, accounting: { input_tokens: 3 } },
    { ...WHOLE, output: {} },
  ];
  for (const task of broken) {
    assert.throws(() => taskOf(answered(task), NS), InvalidTask, JSON.stringify(task));
    assert.throws(() => outcomeOf(refused(task), NS), InvalidTask, JSON.stringify(task));
  }
  assert.throws(() => taskOf({ answer: { stopReason: "end_turn", _meta: { [NS]: "task" } } }, NS), InvalidTask);
});

test("structured output goes through the caller's validator", () => {
  const whole = taskOf(answered({ ...WHOLE, structured: { answer: 42 } }), NS);
  assert(whole !== undefined);
  const answer = (value: unknown): number => {
    const found = (value as { answer?: unknown }).answer;
    if (typeof found !== "number") throw new TypeError("no answer");
    return found;
  };
  assert.equal(structuredOf(whole, answer), 42);
  assert.throws(() => structuredOf({ ...whole, structured: { answer: "42" } }, answer), TypeError);
  const without = taskOf(answered(WHOLE), NS);
  assert(without !== undefined);
  assert.equal(structuredOf(without, answer), undefined);
  // Null is a value and not nothing.
  assert.throws(() => structuredOf({ ...whole, structured: null }, answer), TypeError);
});

test("updates are numbered", () => {
  const update = (range: unknown) => ({ sessionId: "s", _meta: { [NS]: range } });
  assert.deepEqual(sequenceOf(update({ first: "1", last: "3" }), NS), { first: 1n, last: 3n });
  assert.equal(sequenceOf({ sessionId: "s" }, NS), undefined);
  for (const range of [{ first: "0", last: "1" }, { first: "3", last: "1" }, { first: 1, last: 1 }, {}]) {
    assert.throws(() => sequenceOf(update(range), NS), InvalidTask);
  }
});
