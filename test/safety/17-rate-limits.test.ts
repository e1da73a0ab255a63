import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Desk } from "../../src/desk/desk.ts";
import { endsDraft } from "../../src/desk/orders/orderPlacer.ts";
import { Countdown } from "../../src/webview/ticket/countdown.ts";
import { testProfile } from "../support/builders/client.ts";
import { close, liveAt, openTestDesk, submit, unattended } from "../support/desks/testDesk.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { serveHttp, type LoopbackServer } from "../support/servers/loopback.ts";
import { safetyLine } from "./safetyLine.ts";

const USUAL_MS = 30_000;
/** A day. */
const LONGEST_MS = 86_400_000;
const LONGEST_COUNTED_MS = 600_000;

/** How a service asks for a pause: its Retry-After, and the same wait in ms. */
interface Asking {
  readonly retryAfter: string | undefined;
  readonly ms: number;
}

describe("a service that asks for a pause", () => {
  let folder: string;
  let server: LoopbackServer;
  let timers: FakeTimers;
  /** The rate-limited path, the form of its answer, and the end of the rate limit. */
  let limit: { path: string; asking: Asking; code: boolean } | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rate-limit-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function open(): Promise<void> {
    // Hours pass in small steps: each window looks at the clock every two seconds.
    timers = new FakeTimers(undefined, () => Promise.resolve());
    limit = undefined;
    server = await serveHttp(({ method, path }, response) => {
      const headers = {
        "Content-Type": "application/json",
        Connection: "close",
        Date: new Date(timers.now()).toUTCString(),
      };
      if (path === limit?.path) {
        const { asking, code } = limit;
        const after = asking.retryAfter === undefined ? {} : { "Retry-After": asking.retryAfter };
        response
          .writeHead(code ? 200 : 429, { ...headers, ...after })
          .end(code ? '{"error":30}' : "slow down");
        return;
      }
      const result = path.endsWith("/servertime")
        ? String(Math.floor(timers.now() / 1000))
        : path.endsWith("/ticker")
          ? '{"THB_BTC":{"id":1,"last":100}}'
          : '{"THB":1000}';
      response
        .writeHead(200, headers)
        .end(method === "POST" ? '{"error":0}' : `{"error":0,"result":${result}}`);
    });
  }

  function askingFrom(random: () => number): Asking {
    const seconds = Math.floor(random() * (random() < 0.5 ? 900 : 100_000));
    const asked = Math.min(LONGEST_MS, Math.max(USUAL_MS, seconds * 1000));
    const kinds: Asking[] = [
      { retryAfter: undefined, ms: USUAL_MS },
      { retryAfter: String(seconds), ms: asked },
      { retryAfter: "soon", ms: USUAL_MS },
      { retryAfter: "-5", ms: USUAL_MS },
      {
        retryAfter: new Date(Math.ceil(timers.now() / 1000) * 1000 + seconds * 1000).toUTCString(),
        ms: asked,
      },
    ];
    return kinds[Math.floor(random() * kinds.length)] ?? { retryAfter: undefined, ms: USUAL_MS };
  }

  const requestsTo = (path: string): number => server.seen.filter((each) => each.path === path).length;

  safetyLine(
    17,
    "A rate-limited endpoint gets no request from any window until the pause is over, and the draft survives",
    async (proof) => {
      const counts = { tries: 0, bids: 0, windows: 0, after: 0 };
      const rounds = await proof.each(500, async ({ random }) => {
        await open();
        const directory = mkdtempSync(join(folder, "round-"));
        const desks: Desk[] = [];
        const { endpoints } = testProfile(server.url);
        const endpoint = (["tickers", "wallet", "placeBid"] as const)[Math.floor(random() * 3)] ?? "placeBid";
        const { path } = endpoints[endpoint];

        /** A window with a client and a journal of its own. Windows share nothing but the folder. */
        const openWindow = async () => {
          counts.windows += 1;
          const desk = await openTestDesk({
            ...liveAt(server.url),
            storage: directory,
            timers,
            window: unattended,
          });
          desks.push(desk);
          await desk.orders.reread();
          const venue = desk.venue.signedIn ?? assert.fail();
          const draft = { symbol: "THB_BTC", amount: "1000", rate: "100" };
          const act = async (): Promise<string> => {
            if (endpoint === "placeBid") {
              const outcome = await submit(desk, draft);
              if (outcome.kind === "rateLimited") assert.ok(!endsDraft(outcome), "the draft is still good");
              return outcome.kind;
            }
            return await venue.client[endpoint]().then(
              () => "read",
              () => "refused",
            );
          };
          return { act, waitMs: () => desk.orders.waitMs(venue) };
        };

        const first = await openWindow();
        limit = { path, asking: askingFrom(random), code: random() < 0.5 };
        const began = timers.now();
        assert.equal(await first.act(), endpoint === "placeBid" ? "rejected" : "refused");
        const { ms } = limit.asking;
        const asked = requestsTo(path);
        // Dates have whole seconds, so the pause may be up to two seconds longer than its figure.
        const end = began + ms;
        for (;;) {
          await timers.advance(Math.ceil(random() * (ms / 4)));
          if (timers.now() >= end) break;
          counts.tries += 1;
          const isBid = endpoint === "placeBid";
          // A new window knows a bid's rate limit from the journal; only the client of a read knows the read's rate limit.
          const window = isBid && random() < 0.4 ? await openWindow() : first;
          if (isBid) {
            counts.bids += 1;
            assert.ok(window.waitMs() > 0 && window.waitMs() <= end - timers.now() + 2000, "the countdown");
          }
          assert.equal(await window.act(), isBid ? "rateLimited" : "refused");
          assert.equal(requestsTo(path), asked, "a request within the pause");
        }
        limit = undefined;
        await timers.advance(2000);
        counts.after += 1;
        assert.equal(await first.act(), endpoint === "placeBid" ? "accepted" : "read");
        assert.equal(requestsTo(path), asked + 1);
        await Promise.all(desks.map(close));
        await server.close();
      });
      const { tries, bids, windows, after } = counts;
      return (
        `${rounds} rate limits (HTTP 429 or code 30, with and without Retry-After): ${tries} tries during the rate limits ` +
        `(${bids} of them bids, from ${windows} windows), 0 requests; ${after} answered after the rate limits`
      );
    },
  );

  safetyLine(
    17,
    "The countdown shows every second of the pause once, and ends with the pause",
    async (proof) => {
      let seconds = 0;
      const rounds = await proof.each(200, async ({ random }) => {
        timers = new FakeTimers();
        const shown: number[] = [];
        const ms = Math.ceil(random() * LONGEST_COUNTED_MS);
        new Countdown(timers, (left) => shown.push(left)).start(ms);
        await timers.advance(ms - 1);
        assert.notEqual(shown.at(-1), 0);
        await timers.advance(1);
        const all = Array.from({ length: Math.ceil(ms / 1000) + 1 }, (_, index) => index).toReversed();
        assert.deepEqual(shown, all);
        seconds += shown.length;
      });
      return `${rounds} countdowns, ${seconds} seconds shown, each once`;
    },
  );
});
