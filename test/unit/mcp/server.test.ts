import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type AccessLevel, toolsWithin } from "../../../src/assistant/access.ts";
import { LIST_TOOLS } from "../../../src/hub/calls.ts";
import { type ManifestTool, serve } from "../../../src/mcp/server.ts";
import { root } from "../../../tools/paths.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";
import { waitFor } from "../../support/waitFor.ts";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly contributes: { readonly languageModelTools: readonly ManifestTool[] };
};

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: {
    readonly tools?: readonly unknown[];
    readonly content?: readonly { readonly text: string }[];
  };
}

const START = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  },
  { method: "notifications/initialized" },
].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
const request = (id: number, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

describe("the server for assistants, line by line", () => {
  let input: PassThrough;
  let answers: Message[];
  let timers: FakeTimers;
  let level: AccessLevel;

  beforeEach(async () => {
    [input, answers, timers, level] = [new PassThrough(), [], new FakeTimers(), "market"];
    const output = new PassThrough();
    output.on("data", (chunk: Buffer) => {
      for (const line of chunk.toString().trimEnd().split("\n")) answers.push(JSON.parse(line) as Message);
    });
    const options = {
      version: "1.0.0",
      tools: manifest.contributes.languageModelTools,
      call: async ({ tool, input: given }: { readonly tool: string; readonly input: string }) => ({
        text: tool === LIST_TOOLS ? JSON.stringify(toolsWithin(level)) : `${tool} ${given}`,
        isError: false,
      }),
      timers,
    };
    await serve(options, input, output);
  });
  afterEach(() => input.end());

  async function answerTo(id: number): Promise<Message> {
    await waitFor(`the answer ${id}`, () => answers.some((answer) => answer.id === id));
    return answers.find((answer) => answer.id === id) ?? assert.fail();
  }

  it("accepts a byte order mark, blank lines, CRLF line ends and lines that are not messages", async () => {
    const mark = Buffer.from("\uFEFF");
    input.write(mark.subarray(0, 1));
    input.write(mark.subarray(1));
    input.write(`${START.join("\r\n")}\r\n\r\n\nno json\n[]\n{"id":7}\n${request(2, "ping")}\n`);
    assert.ok((await answerTo(1)).result);
    assert.ok((await answerTo(2)).result);
  });

  it("answers each request of a batch, as older clients send them, in parts and with other lines", async () => {
    const batch = `[${START.join(", ")}]\n [${request(2, "ping")},${request(3, "tools/list")}]\n`;
    input.write(batch.slice(0, 50));
    input.write(`${batch.slice(50)}[\n${request(4, "ping")}\n`);
    for (const id of [1, 2, 4]) assert.ok((await answerTo(id)).result, String(id));
    assert.equal((await answerTo(3)).result?.tools?.length, toolsWithin("market").length);
  });

  it("calls a tool without arguments where a client sends null, or none", async () => {
    for (const line of START) input.write(`${line}\n`);
    input.write(`${request(3, "tools/call", { name: "bidside_markets", arguments: null })}\n`);
    input.write(`${request(4, "tools/call", { name: "bidside_markets" })}\n`);
    for (const id of [3, 4])
      assert.equal((await answerTo(id)).result?.content?.[0]?.text, "bidside_markets {}");
  });

  it("announces other tools within 5 seconds of a change of the level, once", async () => {
    const announced = (): number =>
      answers.filter(({ method }) => method === "notifications/tools/list_changed").length;
    for (const line of START) input.write(`${line}\n`);
    input.write(`${request(5, "tools/list")}\n`);
    assert.equal((await answerTo(5)).result?.tools?.length, toolsWithin("market").length);
    await timers.advance(20_000);
    assert.equal(announced(), 0);
    level = "prepare";
    await timers.advance(5000);
    await waitFor("the announcement", () => announced() > 0);
    await timers.advance(20_000);
    assert.equal(announced(), 1);
    input.write(`${request(6, "tools/list")}\n`);
    assert.equal((await answerTo(6)).result?.tools?.length, toolsWithin("prepare").length);
  });
});
