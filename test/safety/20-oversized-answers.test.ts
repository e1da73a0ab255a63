import assert from "node:assert/strict";
import { progress } from "../../tools/test/step.ts";
import { killAll, start } from "../support/processes/children.ts";
import type { FloodOrder, FloodReport } from "../support/processes/floodedClient.ts";
import { serveExchange } from "../support/servers/exchange.ts";
import { headerFloods, largeFloods, slowFloods, smallFloods, type Flood } from "../support/servers/floods.ts";
import type { LoopbackServer } from "../support/servers/loopback.ts";
import { isFull } from "../support/rounds.ts";
import { safetyLine } from "./safetyLine.ts";

const MEGABYTE = 1024 * 1024;
/** Bytes that a stream buffers beyond those that its reader took. */
const READ_AHEAD = 0.25 * MEGABYTE;
const MAX_GROWTH = 50 * MEGABYTE;
/** The client's own limit. */
const LIMIT_MS = 10_000;
/** For floods that their size ends, however slowly a busy machine sends them. */
const SIZE_ONLY_MS = 120_000;

describe("A service that floods", () => {
  const servers: LoopbackServer[] = [];
  afterEach(async () => {
    await killAll();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  /** Lets a separate process ask a flood for everything; each answer must end as expected. */
  async function meet(name: string, flood: Flood, ending: RegExp, limitMs: number): Promise<FloodReport> {
    const [clock, server] = await Promise.all([serveExchange(), flood(limitMs / 10)]);
    servers.push(clock, server);
    const limit = limitMs === LIMIT_MS ? {} : { timeoutMs: limitMs };
    const order: FloodOrder = { ...limit, url: server.url, clockUrl: clock.url };
    const client = start("test/support/processes/floodedClient.ts", JSON.stringify(order));
    // Four answers in a row may take ten seconds each.
    client.process.stderr?.on("data", progress);
    const { stdout, stderr } = await client.ended;
    assert.ok(stdout, stderr);
    const line: FloodReport = JSON.parse(stdout);
    assert.equal(line.answers.length, 4);
    for (const { endpoint, ended } of line.answers) assert.match(ended, ending, `${name}, ${endpoint}`);
    const { received, decoded } = line.most;
    for (const { tickers, others } of [received, decoded]) {
      assert.ok(others <= MEGABYTE + READ_AHEAD, `${name}: ${others} bytes`);
      assert.ok(tickers <= 16 * MEGABYTE + READ_AHEAD, `${name}: ${tickers} bytes`);
    }
    assert.ok(line.grown < MAX_GROWTH, `${name}: memory grew by ${line.grown} bytes`);
    return line;
  }

  safetyLine(
    20,
    "Is aborted within 10 s and 1 MB (tickers 16 MB), and memory grows by less than 50 MB",
    async () => {
      // In a full run, floods that only time ends have the client's own limit, else a tenth, at ten times the pace.
      const limitMs = isFull() ? LIMIT_MS : LIMIT_MS / 10;
      const reports: FloodReport[] = [];
      for (const [name, flood] of Object.entries(largeFloods))
        reports.push(await meet(name, flood, /^unreadable tooLarge$/, SIZE_ONLY_MS));
      for (const [name, flood] of Object.entries(smallFloods))
        reports.push(await meet(name, flood, /^unreadable tooLarge$|^noAnswer timeout$/, limitMs));
      for (const [name, flood] of Object.entries(headerFloods))
        reports.push(await meet(name, flood, /^noAnswer (?:connectionLost|notHttp)$/, SIZE_ONLY_MS));
      const slow = Object.entries(slowFloods).map(([name, flood]) =>
        meet(name, flood, /^noAnswer timeout$/, limitMs),
      );
      reports.push(...(await Promise.all(slow)));

      const most = (of: (report: FloodReport) => number): string =>
        (Math.max(...reports.map(of)) / MEGABYTE).toFixed(2);
      const answers = reports.flatMap((report) => report.answers);
      return (
        `${answers.length} requests to ${reports.length} floods aborted, the slowest after ${Math.max(...answers.map(({ ms }) => ms))} ms (limit ${limitMs} ms); ` +
        `at most ${most(({ most }) => most.decoded.others)} MB decoded and ${most(({ most }) => most.received.others)} MB received, ` +
        `of tickers ${most(({ most }) => most.decoded.tickers)} and ${most(({ most }) => most.received.tickers)} MB; ` +
        `memory grew by ${most(({ grown }) => grown)} MB`
      );
    },
  );
});
