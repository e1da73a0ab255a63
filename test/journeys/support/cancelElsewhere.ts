import assert from "node:assert/strict";
import type { ProxiedPractice } from "../../support/servers/proxiedPractice.ts";
import { send, signedHeaders } from "../../support/builders/practiceRequest.ts";
import { livePair } from "./openLive.ts";

/** Cancels a bid for BTC in THB as its owner does at the exchange, with another program. */
export async function cancelElsewhere({ baseUrl }: ProxiedPractice, id: string): Promise<void> {
  const path = "/api/market/cancel-order";
  const body = JSON.stringify({ sym: "THB_BTC", id, sd: "buy" });
  const signed = signedHeaders("POST", path, body, Date.now(), livePair);
  const headers = { ...signed, "Content-Type": "application/json" };
  const { error } = await send(baseUrl, "POST", path, { headers, body });
  assert.equal(error, 0);
}
