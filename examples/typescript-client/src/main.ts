// `node dist/main.js [--cwd DIR] [--allow KINDS] [--namespace NS] PROMPT -- AGENT...`
//
// The answer goes to stdout, everything else to stderr. The last line says how the turn ended. Ctrl-C cancels the turn
// and waits for its end; a second one ends the agent.

import { parseArgs } from "node:util";
import { start } from "./agent.js";
import { type Turn, converse } from "./client.js";
import { outcomeOf, taskOf } from "./outcome.js";

const USAGE = "usage: main [--cwd DIR] [--allow KINDS] [--namespace NS] PROMPT -- AGENT...";

type Wanted = { cwd: string; allow: Set<string>; namespace: string; prompt: string; argv: [string, ...string[]] };

function wanted(args: string[]): Wanted | undefined {
  const dash = args.indexOf("--");
  if (dash === -1) return undefined;
  const [program, ...rest] = args.slice(dash + 1);
  const { values, positionals } = parseArgs({
    args: args.slice(0, dash),
    allowPositionals: true,
    options: {
      cwd: { type: "string", default: process.cwd() },
      allow: { type: "string", default: "" },
      namespace: { type: "string", default: "acp-harness.dev/outcome" },
    },
  });
  const [prompt, ...more] = positionals;
  if (program === undefined || prompt === undefined || more.length > 0) return undefined;
  const allow = new Set(values.allow.split(",").filter((kind) => kind !== ""));
  return { cwd: values.cwd, allow, namespace: values.namespace, prompt, argv: [program, ...rest] };
}

/** What is told of the end, in one line. */
export function told({ ended, revision, missing }: Turn, namespace: string): Record<string, unknown> {
  const { outcome, exact } = outcomeOf(ended, namespace);
  const task = taskOf(ended, namespace);
  return {
    outcome: outcome.kind,
    ...("limit" in outcome ? { limit: outcome.limit } : {}),
    ...("class" in outcome ? { class: outcome.class } : {}),
    exact,
    ...(revision === undefined ? {} : { revision }),
    ...(task === undefined ? {} : { cancelRequested: task.cancelRequested, delivery: task.delivery }),
    // A bigint is no JSON number: told as it came, in decimals.
    ...(task === undefined ? {} : { accounting: decimals(task.accounting) }),
    ...(missing > 0n ? { missing: missing.toString() } : {}),
  };
}

function decimals(counters: Readonly<Record<string, bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(counters).map(([name, count]) => [name, count.toString()]));
}

async function main(): Promise<number> {
  let asked: Wanted | undefined;
  try {
    asked = wanted(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
  }
  if (asked === undefined) {
    console.error(USAGE);
    return 2;
  }
  const cancel = new AbortController();
  const agent = start(asked.argv, asked.cwd);
  process.on("SIGINT", () => {
    if (cancel.signal.aborted) agent.kill();
    else console.error("cancelling; once more ends the agent");
    cancel.abort();
  });
  const turn = converse(agent.stream, { ...asked, cancel: cancel.signal }, {
    text: (text) => void process.stdout.write(text),
    thought: (text) => console.error(`thinks: ${text}`),
    tool: (title, status) => console.error(`tool: ${title} (${status})`),
    permission: (title, allowed) => console.error(`${allowed ? "allowed" : "not allowed"}: ${title}`),
  });
  // An agent that goes away ends the turn: nothing waits for it for ever.
  const left = agent.gone.then((how) => {
    throw new Error(`the agent ended ${how}`);
  });
  try {
    const ended = await Promise.race([turn, left]);
    process.stdout.write("\n");
    const said = told(ended, asked.namespace);
    console.error(JSON.stringify(said));
    const codes: Record<string, number> = { completed: 0, cancelled: 130 };
    return codes[said["outcome"] as string] ?? 1;
  } catch (error) {
    await agent.close();
    const why = (error as Error).message;
    console.error(why.startsWith("the agent ended") ? why : `${why}; the agent ended ${await agent.gone}`);
    return 1;
  } finally {
    turn.catch(() => {});
    left.catch(() => {});
    await agent.close();
  }
}

process.exitCode = await main();
