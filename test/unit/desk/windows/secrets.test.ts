import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import * as z from "zod/mini";
import { createClient } from "../../../../src/exchange/client.ts";
import type { Transport } from "../../../../src/http/transport.ts";
import { Secret } from "../../../../src/exchange/signing/credentials.ts";
import { fromFollower, fromLeader } from "../../../../src/hub/protocol.ts";
import { findNeedle, needlesOf, writings } from "../../../support/builders/canaries.ts";
import { testProfile } from "../../../support/builders/client.ts";
import { DeskWindows } from "../../../support/desks/windows.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { waitFor } from "../../../support/waitFor.ts";

const KEY = "canary-key-9f27c1d4b8a35e60";
const SECRET = "canary-secret+/=&77e1f0a9c3b2d458";

describe("the messages between windows", () => {
  it("have no room for a key or a secret: every text is a short name, a number or a digest", () => {
    const free: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { type, pattern } = schema as { type?: unknown; pattern?: unknown };
      if (type === "string" && pattern === undefined && !("const" in schema) && !("enum" in schema))
        free.push(path);
      for (const [name, each] of Object.entries(schema))
        visit(each, /^\d+$|Of$|items/i.test(name) ? path : name);
    };
    for (const messages of [fromLeader, fromFollower]) visit(z.toJSONSchema(messages), "");
    assert.deepEqual(free, []);
    for (const text of [KEY, SECRET].flatMap((each) => Object.values(writings).map((write) => write(each)))) {
      const names = { type: "clock", venue: text, offset: 0, at: 0 };
      assert.equal(z.safeParse(fromLeader, names).success, false, text);
    }
  });

  it("contain no key, secret, signature or token, also if the exchange repeats its input", async () => {
    const machine = new DeskWindows();
    const timers = new FakeTimers();
    const canaries = new Set([KEY, SECRET]);
    const bodies = (echo: string): string[] => [
      JSON.stringify({ error: 18, message: `no funds for ${echo}` }),
      JSON.stringify({ error: echo, message: echo }),
      JSON.stringify({ error: 0, result: { [`THB_${echo}`]: { last: 1 }, [echo]: 5 } }),
      JSON.stringify({ code: echo, message: echo }),
      `<html>${echo}</html>`,
      JSON.stringify({ error: 0, result: { THB: 5, BTC: "1.5" } }),
    ];
    let turn = 0;
    const client = createClient({
      profile: testProfile("http://127.0.0.1:1"),
      credentials: () => Promise.resolve({ apiKey: new Secret(KEY), apiSecret: new Secret(SECRET) }),
      now: timers.now,
      readWaitsMs: [0],
      transport: (({ label, headers, url }) => {
        if (label === "serverTime")
          return Promise.resolve({
            status: 200,
            retryAfter: undefined,
            body: Buffer.from(String(timers.now())),
          });
        const sign = Object.entries(headers).find(([name]) => /sign/i.test(name))?.[1];
        if (sign !== undefined) canaries.add(sign);
        const echo = [KEY, SECRET, sign ?? "", url.href][(turn += 1) % 4] ?? "";
        const choices = bodies(echo);
        const body = choices[turn % choices.length] ?? "";
        return Promise.resolve({
          status: turn % 5 === 0 ? 429 : turn % 7 === 0 ? 502 : 200,
          retryAfter: undefined,
          body: Buffer.from(body),
        });
      }) satisfies Transport,
    });
    const writes: Buffer[] = [];
    // Every byte that any socket of this process sends during the test: only the hub has sockets here.
    const { write } = Socket.prototype;
    Socket.prototype.write = function (this: Socket, ...given: Parameters<Socket["write"]>) {
      const bytes: unknown = given[0];
      if (Buffer.isBuffer(bytes)) writes.push(bytes);
      return write.apply(this, given);
    } as Socket["write"];
    try {
      const credentials = { apiKey: new Secret(KEY), apiSecret: new Secret(SECRET) };
      const leader = await machine.open({ client, timers, credentials });
      const follower = await machine.open({ client, timers, credentials });
      canaries.add(readFileSync(join(machine.hubs.directory, "token"), "utf8"));
      const problems = new Set<string>();
      for (let round = 0; round < 200; round += 1) {
        void follower.balances.refresh();
        let isRefreshed = false;
        void follower.tickers.refresh().finally(() => (isRefreshed = true));
        // A leader that waits before it asks again needs the time to pass.
        await waitFor("the refresh", async () => {
          await timers.advance(1000);
          return isRefreshed;
        });
        await timers.advance(30_000);
        const { problem } = follower.balances.state;
        if (problem instanceof Error) problems.add(problem.name);
      }
      await waitFor("the shared wallet", () => follower.balances.state.wallet);
      assert.equal(leader.windows.role, "leader");
      for (const kind of ["RefusedError", "ReportedError"]) assert.ok(problems.has(kind), kind);
    } finally {
      Socket.prototype.write = write;
      machine.close();
    }
    const text = Buffer.concat(writes).toString("latin1");
    assert.ok(writes.length > 500, `${writes.length} frames`);
    assert.equal(findNeedle(text, needlesOf([...canaries])), undefined);
    console.log(
      `      ${canaries.size} canaries, 0 found in ${writes.length} writes of ${text.length} bytes`,
    );
  });
});
