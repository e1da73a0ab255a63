import assert from "node:assert/strict";
import { commandIds } from "../../src/contributions.ts";
import type { BalanceState } from "../../src/desk/feeds/balanceFeed.ts";
import type { VenueState } from "../../src/desk/venue.ts";
import { NotSentError, RefusedError } from "../../src/exchange/errors.ts";
import { ProfileError } from "../../src/ui/venue/profileError.ts";
import { AmountText } from "../../src/ui/text/amountText.ts";
import { balanceContent } from "../../src/ui/wallet/balanceContent.ts";
import { FakeClient, openVenue, walletOf } from "../support/fakes/venue.ts";

const read: BalanceState = {
  wallet: walletOf({ THB: "1000000", BTC: "0.00000001" }),
  readAt: 0,
  problem: undefined,
};
const none: BalanceState = { wallet: undefined, readAt: undefined, problem: undefined };

async function stateOf(id: "practice" | "live"): Promise<VenueState> {
  const venue = await openVenue(new FakeClient());
  await venue.select(id);
  return venue.state;
}

/** The command of a click, and the command's arguments. */
function commandOf({ command }: ReturnType<typeof balanceContent>): unknown[] {
  return typeof command === "string" ? [command] : [command.command, ...(command.arguments ?? [])];
}

const amounts = new AmountText(false);

describe("the status bar item", () => {
  it("names the practice exchange and its free balance", async () => {
    const content = balanceContent({
      state: await stateOf("practice"),
      balance: read,
      needsCredentials: false,
      amounts,
      attention: 0,
      quote: "THB",
    });
    assert.equal(content.words, "Practice 1,000,000.00 THB");
    assert.equal(content.icon, "beaker");
    assert.equal(content.command, commandIds.showBalance);
    assert.match(content.tooltip.value, /BTC \| 0\.00000001/);
  });

  it("names the live host", async () => {
    const content = balanceContent({
      state: await stateOf("live"),
      balance: read,
      needsCredentials: false,
      amounts,
      attention: 0,
      quote: "THB",
    });
    assert.equal(content.words, "Live · api.example.com 1,000,000.00 THB");
    assert.equal(content.icon, "broadcast");
  });

  it("asks for a missing key, and a click opens the key prompt", async () => {
    const problem = new NotSentError("wallet", "noCredentials", "none");
    const content = balanceContent({
      state: await stateOf("live"),
      balance: { ...none, problem },
      needsCredentials: true,
      amounts,
      attention: 0,
      quote: "THB",
    });
    assert.equal(content.words, "Live · api.example.com: Set API Key");
    assert.deepEqual(commandOf(content), [commandIds.setUpLive, "key"]);
  });

  it("asks for the key again if it is unreadable, with the reason and the last balances", async () => {
    const problem = new NotSentError("wallet", "credentialsUnreadable", "none");
    const content = balanceContent({
      state: await stateOf("live"),
      balance: { ...read, problem },
      needsCredentials: true,
      amounts,
      attention: 0,
      quote: "THB",
    });
    assert.equal(content.words, "Live · api.example.com: Set API Key");
    assert.deepEqual(commandOf(content), [commandIds.setUpLive, "key"]);
    assert.match(content.tooltip.value.replaceAll("&nbsp;", " "), /could not be read[^]*BTC \| 0\.00000001/);
  });

  it("keeps the last balance beside a warning and its reason", async () => {
    const problem = new RefusedError("wallet", { code: 3, httpStatus: 200 });
    const content = balanceContent({
      state: await stateOf("live"),
      balance: { ...read, problem },
      needsCredentials: false,
      amounts,
      attention: 0,
      quote: "THB",
    });
    assert.equal(content.words, "Live · api.example.com 1,000,000.00 THB");
    assert.equal(content.icon, "warning");
    assert.match(content.tooltip.value.replaceAll("&nbsp;", " "), /error 3/);
  });

  it("says that a live exchange is not set up, and why", () => {
    const state: VenueState = { kind: "unusable", id: "live", error: new ProfileError(["baseUrlInsecure"]) };
    const content = balanceContent({
      state,
      balance: none,
      needsCredentials: false,
      amounts,
      attention: 0,
      quote: undefined,
    });
    assert.equal(content.words, "Bidside: not set up");
    assert.match(content.tooltip.value.replaceAll("&nbsp;", " "), /https/);
  });

  it("warns of unknown orders, beside the balance", async () => {
    const content = balanceContent({
      state: await stateOf("practice"),
      balance: read,
      needsCredentials: false,
      amounts,
      attention: 2,
      quote: "THB",
    });
    assert.equal(content.words, "Practice 1,000,000.00 THB · 2 unknown");
    assert.equal(content.icon, "warning");
    assert.match(
      content.tooltip.value.replaceAll("&nbsp;", " "),
      /Orders that may have been placed: 2\. Check them in Orders\.$/,
    );
  });

  it("shows a balance of zero if the wallet has none of the quote asset", async () => {
    const balance = { ...read, wallet: walletOf({ BTC: "1" }) };
    const content = balanceContent({
      state: await stateOf("practice"),
      balance,
      needsCredentials: false,
      amounts,
      attention: 0,
      quote: "THB",
    });
    assert.equal(content.words, "Practice 0.00 THB");
  });
});
