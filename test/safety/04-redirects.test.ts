import assert from "node:assert/strict";
import { UnreadableResponseError } from "../../src/exchange/errors.ts";
import { specPaths } from "../../src/exchange/paths.ts";
import type { SpecEndpoint } from "../../src/exchange/endpoints.ts";
import { testBid } from "../support/builders/client.ts";
import { openForm } from "../support/pages/openForm.ts";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { serveHttp, type LoopbackServer } from "../support/servers/loopback.ts";
import { safetyLine } from "./safetyLine.ts";

const STATUSES = [300, 301, 302, 303, 304, 305, 307, 308];
const HOSTS = ["the same host", "another host"] as const;
const TARGET = "/target";
const DRAFT = { symbol: "THB_BTC", amount: "1000", rate: "100" };

describe("A redirect", () => {
  let exchange: TestExchange;
  let other: LoopbackServer;

  beforeEach(async () => {
    exchange = await serveExchange();
    other = await serveHttp((_request, response) => void response.end('{"error":0,"result":{"id":"9"}}'));
  });
  afterEach(async () => {
    await exchange.close();
    await other.close();
  });

  function redirect(endpoint: SpecEndpoint, status: number, host: (typeof HOSTS)[number]): void {
    const Location = host === "another host" ? other.url + TARGET : TARGET;
    exchange.answers[endpoint] = (_request, response) => void response.writeHead(status, { Location }).end();
  }

  function seenByTarget(): number {
    const own = exchange.seen.filter(({ path }) => path === TARGET).length;
    return own + other.seen.length + other.traffic.connections;
  }

  safetyLine(4, "A redirect is never followed, and a redirected bid is unknown", async () => {
    const counts = { followed: 0, redirects: 0, bids: 0, unknown: 0 };
    const isRedirect = (error: unknown): boolean =>
      error instanceof UnreadableResponseError && error.reason === "redirect" && !error.provesNothingHappened;
    for (const status of STATUSES) {
      for (const host of HOSTS) {
        for (const walletMethod of ["GET", "POST"] as const) {
          exchange.seen.length = 0;
          for (const endpoint of ["tickers", "wallet", "placeBid", "serverTime"] as const) {
            delete exchange.answers[endpoint];
          }
          const form = await openForm(exchange.url, { profile: { walletMethod } });
          try {
            redirect("wallet", status, host);
            await assert.rejects(form.client.wallet(), isRedirect);
            redirect("placeBid", status, host);
            await assert.rejects(form.client.placeOrder(testBid()), isRedirect);
            const { notice } = await form.submit(DRAFT);
            assert.match(
              notice?.text ?? "",
              /^Unclear response: your order may have been placed\. .*redirects to /,
            );
            counts.unknown += form.orders.own.filter(({ state }) => state === "unknown").length;
            redirect("tickers", status, host);
            await assert.rejects(form.client.tickers(), isRedirect);
            redirect("serverTime", status, host);
            await assert.rejects(form.client.serverTime(), isRedirect);
            counts.redirects += 5;
            counts.bids += 1;
            assert.equal(exchange.seenOf("placeBid").length, 2, "each bid was sent once");
            counts.followed += seenByTarget();
          } finally {
            await form.close();
          }
        }
      }
    }
    assert.equal(counts.followed, 0);
    assert.equal(counts.unknown, counts.bids);
    return `${counts.redirects} redirects (${STATUSES.join(", ")}; ${HOSTS.join(", ")}; GET and POST): ${counts.followed} requests at the targets, ${counts.unknown} of ${counts.bids} bids through the form unknown`;
  });

  it("would reach the target if it were followed", async () => {
    for (const host of HOSTS) {
      redirect("wallet", 307, host);
      const before = seenByTarget();
      await fetch(exchange.url + specPaths.wallet, {
        method: "POST",
        headers: { "X-SVC-APIKEY": "test-key" },
      });
      assert.ok(seenByTarget() > before);
    }
  });
});
