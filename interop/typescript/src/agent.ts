// The agent on stdin and stdout: `node dist/agent.js 1|2|both`.

import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import { agentProtocolRouter } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import * as v1 from "./v1.js";
import * as v2 from "./v2.js";

const stream = ndJsonStream(
  Writable.toWeb(process.stdout),
  Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
);
switch (process.argv[2]) {
  case "1":
    v1.agent().connect(stream);
    break;
  case "2":
    v2.agent().connect(stream);
    break;
  case "both":
    agentProtocolRouter().withV1(v1.agent()).withV2(v2.agent()).connect(stream);
    break;
  default:
    console.error("usage: agent 1|2|both");
    process.exitCode = 2;
}
