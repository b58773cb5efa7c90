// How a turn ended: read out of `_meta`, and validated before anybody relies on it.
//
// The text of the extension is in docs/extension of this repository. Counters are `bigint`: they are exact up to 2^64,
// and a JavaScript number is not.

import { type PromptResponse, RequestError } from "@agentclientprotocol/sdk";

/** A turn that is over: the answer to the prompt, or the error that it was answered with. */
export type Ended = { answer: PromptResponse } | { error: unknown };

/** What became of a task. */
export type Outcome =
  | { kind: "completed" }
  | { kind: "cancelled" }
  | { kind: "timed_out" }
  | { kind: "policy_denied" }
  | { kind: "limit_exceeded"; limit: string }
  | { kind: "failed"; class: string };

/** The end of a task, as an agent with the extension tells it. */
export type Task = {
  run: string;
  session: string;
  outcome: Outcome;
  /** The client had asked for a cancel before it was told of the end. The outcome may be another all the same. */
  cancelRequested: boolean;
  /** `abandoned`: the handler was given up and may have done more than it has told. */
  delivery: "written" | "abandoned";
  /** The number of the last event of the session, when there was one. */
  last?: bigint;
  output?: string;
  /** What the agent validated itself. Read it with {@link structuredOf}. */
  structured?: unknown;
  /** There was an output, and no room for it on a line. */
  omitted: boolean;
  limits: Counters;
  used: Counters;
  accounting: Counters;
};

export type Counters = Readonly<Record<string, bigint>>;

/** Something in the extension's place that is not what the extension says. */
export class InvalidTask extends Error {
  override name = "InvalidTask";
}

const MOST = 2n ** 64n - 1n;

/**
 * What became of the turn, and whether that is exact.
 *
 * With the extension it is the agent's own word. Without it, it is the stop reason or the error, which say less: a task
 * that timed out and one that failed look alike then.
 *
 * @throws InvalidTask when there is a task and it is malformed: better no outcome than a wrong one.
 */
export function outcomeOf(ended: Ended, namespace: string): { outcome: Outcome; exact: boolean } {
  const task = taskOf(ended, namespace);
  if (task !== undefined) return { outcome: task.outcome, exact: true };
  if ("error" in ended) {
    const code = ended.error instanceof RequestError ? String(ended.error.code) : "no answer";
    return { outcome: { kind: "failed", class: code }, exact: false };
  }
  return { outcome: reported(ended.answer.stopReason), exact: false };
}

function reported(stopReason: string): Outcome {
  switch (stopReason) {
    case "end_turn":
      return { kind: "completed" };
    case "cancelled":
      return { kind: "cancelled" };
    case "refusal":
      return { kind: "policy_denied" };
    case "max_tokens":
    case "max_turn_requests":
      return { kind: "limit_exceeded", limit: stopReason };
    default:
      // A word that is newer than this client is not a success.
      return { kind: "failed", class: stopReason };
  }
}

/**
 * The task object of a turn that is over. `undefined` when the agent sent none: it has not negotiated the extension.
 *
 * @throws InvalidTask when it is there and malformed.
 */
export function taskOf(ended: Ended, namespace: string): Task | undefined {
  const place = "answer" in ended ? ended.answer : ended.error instanceof RequestError ? ended.error.data : undefined;
  const meta = isObject(place) ? place["_meta"] : undefined;
  const extension = isObject(meta) ? meta[namespace] : undefined;
  if (extension === undefined) return undefined;
  if (!isObject(extension)) throw new InvalidTask("the extension's member is no object");
  return extension["task"] === undefined ? undefined : task(extension["task"]);
}

/**
 * The structured output of a task, by a validator of the caller's. `undefined` when there is none.
 *
 * @throws whatever the validator throws. Nothing unvalidated is ever returned.
 */
export function structuredOf<T>(task: Task, validate: (value: unknown) => T): T | undefined {
  return task.structured === undefined ? undefined : validate(task.structured);
}

/**
 * The numbers of the session's events that an update carries. `undefined` when it carries none.
 *
 * @throws InvalidTask when they are malformed.
 */
export function sequenceOf(params: unknown, namespace: string): { first: bigint; last: bigint } | undefined {
  const meta = isObject(params) ? params["_meta"] : undefined;
  const extension = isObject(meta) ? meta[namespace] : undefined;
  if (!isObject(extension)) return undefined;
  const first = counter(extension["first"], "first");
  const last = counter(extension["last"], "last");
  if (first === 0n || last < first) throw new InvalidTask("first and last are no range");
  return { first, last };
}

function task(value: unknown): Task {
  if (!isObject(value)) throw new InvalidTask("task is no object");
  const delivery = value["delivery"];
  if (delivery !== "written" && delivery !== "abandoned") throw new InvalidTask("delivery is not known");
  const cancelRequested = value["cancel_requested"];
  if (typeof cancelRequested !== "boolean") throw new InvalidTask("cancel_requested is no boolean");
  const read: Task = {
    run: text(value["run"], "run"),
    session: text(value["session"], "session"),
    outcome: outcome(value),
    cancelRequested,
    delivery,
    omitted: value["omitted"] === true,
    limits: counters(value["limits"], "limits"),
    used: counters(value["used"], "used"),
    accounting: counters(value["accounting"], "accounting"),
  };
  if (value["last"] !== undefined) read.last = counter(value["last"], "last");
  if (value["output"] !== undefined) read.output = text(value["output"], "output");
  if (value["structured"] !== undefined) read.structured = value["structured"];
  return read;
}

function outcome(task: Record<string, unknown>): Outcome {
  const kind = task["outcome"];
  switch (kind) {
    case "completed":
    case "cancelled":
    case "timed_out":
    case "policy_denied":
      return { kind };
    case "limit_exceeded":
      return { kind, limit: text(task["limit"], "limit") };
    case "failed":
      return { kind, class: text(task["class"], "class") };
    default:
      throw new InvalidTask("the outcome is not known");
  }
}

function counters(value: unknown, name: string): Counters {
  if (value === undefined) return {};
  if (!isObject(value)) throw new InvalidTask(`${name} is no object`);
  return Object.fromEntries(Object.entries(value).map(([key, count]) => [key, counter(count, `${name}.${key}`)]));
}

/** A canonical decimal string within u64. */
function counter(value: unknown, name: string): bigint {
  if (typeof value !== "string" || !/^(0|[1-9][0-9]{0,19})$/.test(value)) {
    throw new InvalidTask(`${name} is no canonical decimal`);
  }
  const count = BigInt(value);
  if (count > MOST) throw new InvalidTask(`${name} is beyond 2^64`);
  return count;
}

function text(value: unknown, name: string): string {
  if (typeof value !== "string") throw new InvalidTask(`${name} is no string`);
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
