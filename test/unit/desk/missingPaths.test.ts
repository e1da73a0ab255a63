import assert from "node:assert/strict";
import type { Desk } from "../../../src/desk/desk.ts";
import { Event } from "../../../src/desk/event.ts";
import { onMissingPath } from "../../../src/desk/missingPaths.ts";
import { NoResponseError, RefusedError } from "../../../src/exchange/errors.ts";

const missing = new RefusedError("tickers", { code: 404, httpStatus: 404, path: "/api/market/ticker" });

describe("watching for paths that a live exchange no longer serves", () => {
  let reads: boolean;
  let venue: { account: { kind: string }; profile: object };
  let reported: unknown[];
  let poll: (problem: unknown) => void;
  let pollBalance: (problem: unknown) => void;
  let readOrders: (problem: unknown) => void;

  beforeEach(() => {
    [reads, venue, reported] = [true, { account: { kind: "live" }, profile: {} }, []];
    const [tickers, balances] = [new Event<{ state: object }>(), new Event<{ problem: unknown }>()];
    const lost = new Event<unknown>();
    const desk = {
      venue: {
        get venue() {
          return venue;
        },
      },
      windows: { reads: () => reads },
      tickers: { onDidChangePaced: tickers.add },
      balances: { onDidChange: balances.add },
      following: { tracker: { onDidLosePath: lost.add } },
    };
    onMissingPath(desk as unknown as Desk, (_, error) => reported.push(error));
    poll = (problem) => tickers.fire({ state: { problem } });
    pollBalance = (problem) => balances.fire({ problem });
    readOrders = (problem) => lost.fire(problem);
  });

  it("reports a path that answers 404 once, whatever is polled, until the settings change", () => {
    for (const problem of [missing, missing, undefined, missing]) poll(problem);
    pollBalance(missing);
    assert.deepEqual(reported, [missing]);
    venue = { account: { kind: "live" }, profile: {} };
    pollBalance(missing);
    assert.equal(reported.length, 2);
    venue = { account: { kind: "live" }, profile: {} };
    readOrders(missing);
    assert.equal(reported.length, 3);
  });

  it("reports nothing for other failures, for the practice exchange, or in a window that does not poll", () => {
    poll(new NoResponseError("tickers", "timeout", ""));
    poll(undefined);
    reads = false;
    poll(missing);
    [reads, venue] = [true, { account: { kind: "practice" }, profile: {} }];
    poll(missing);
    assert.deepEqual(reported, []);
  });
});
