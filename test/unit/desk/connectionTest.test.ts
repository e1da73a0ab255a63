import assert from "node:assert/strict";
import { connectionChecks, testConnection, type ConnectionResult } from "../../../src/desk/connectionTest.ts";
import { RefusedError } from "../../../src/exchange/errors.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";
import { FakeClient } from "../../support/fakes/venue.ts";

async function resultsOf(client: FakeClient): Promise<ConnectionResult[]> {
  const results: ConnectionResult[] = [];
  await testConnection(client, new FakeTimers(), (result) => results.push(result));
  return results;
}

describe("the connection test", () => {
  it("checks server time, clock, ticker and wallet, and sends no order", async () => {
    const client = new FakeClient();
    const results = await resultsOf(client);
    assert.deepEqual(
      results.map(({ check, ok }) => [check, ok]),
      connectionChecks.map((check) => [check, true]),
    );
    assert.equal(client.calls.placeOrder, 0);
  });

  it("continues after a failure, so that every check has its own result", async () => {
    const client = new FakeClient();
    const refused = new RefusedError("tickers", { code: 30, httpStatus: 429 });
    client.tickersAnswer = () => Promise.reject(refused);
    const results = await resultsOf(client);
    assert.deepEqual(
      results.map(({ ok }) => ok),
      [true, true, false, true],
    );
    const failed = results[2];
    assert.equal(failed && !failed.ok && failed.error, refused);
  });
});
