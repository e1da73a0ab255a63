import assert from "node:assert/strict";
import type { Uri } from "vscode";
import { accountSecretKey, stateKeys } from "../../../../src/contributions.ts";
import { systemTimers } from "../../../../src/time/timers.ts";
import { discoveryPorts } from "../../../../src/exchange/discovery/discovery.ts";
import type { OfferAction, ToExchangePage } from "../../../../src/protocol/exchangePage.ts";
import { startProxiedPractice, type ProxiedPractice } from "../../../support/servers/proxiedPractice.ts";
import { streamKinds } from "../../../../src/practice/stream/address.ts";
import type { HttpResponse } from "../../../../src/http/transport.ts";
import { root } from "../../../../tools/paths.ts";
import { testPair } from "../../../support/builders/practiceRequest.ts";
import {
  HollowStore,
  loadUi,
  panels,
  person,
  shownMessages,
  typed,
  window,
} from "../../../support/fakes/vscode.ts";
import type { AccountList } from "../../../../src/desk/accounts/accountList.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";
import type { Account } from "../../../../src/market/account.ts";
import { Secret } from "../../../../src/exchange/signing/credentials.ts";
import type { SaveKey } from "../../../../src/ui/venue/keyOwner.ts";
import type { SetupParts } from "../../../../src/ui/venue/setUpAccount.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { saveEveryKey } from "../../../support/fakes/saveKey.ts";

const { CredentialStore } = await loadUi(() => import("../../../../src/ui/venue/credentialStore.ts"));
const { setUpAccount } = await loadUi(() => import("../../../../src/ui/venue/setUpAccount.ts"));

const { setupOf, setupOfNew } = await loadUi(() => import("../../../../src/ui/venue/accountSetups.ts"));

describe("setting up a live exchange", () => {
  let practice: ProxiedPractice;
  let secrets: HollowStore;
  let memento: HollowStore;
  let accounts: AccountList;
  /** The accounts that the window was switched to. */
  let chosen: Account[];
  let saveKey: SaveKey;
  /** Whether the exchange names the header of the key in its errors. */
  let namesHeader: boolean;
  /** The host of the exchange's private stream, if it is another one. Its API is then at api.example.com. */
  let streamHost: string | undefined;
  /** The hosts that streams were searched at. */
  let searched: string[];

  beforeEach(async () => {
    namesHeader = true;
    [streamHost, searched] = [undefined, []];
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      api: "current",
      switches: { streams: streamKinds },
    });
    [secrets, memento] = [new HollowStore(), new HollowStore()];
    [accounts, chosen, saveKey] = [accountsOf(), [], saveEveryKey];
    shownMessages.length = panels.length = 0;
  });
  afterEach(async () => {
    await practice.close();
    typed.length = 0;
    person.choose = () => undefined;
  });

  const ports = discoveryPorts({
    userAgent: "Bidside/test",
    now: systemTimers.now,
    after: systemTimers.after,
  });
  const withoutHeader = (response: HttpResponse): HttpResponse =>
    namesHeader
      ? response
      : { ...response, body: Buffer.from(response.body.toString().replace(/X-SVC-/g, "")) };

  const transport: typeof ports.transport = async (request) => {
    const { origin } = new URL(practice.baseUrl);
    const url =
      streamHost === undefined ? request.url : new URL(request.url.pathname + request.url.search, origin);
    return withoutHeader(await ports.transport({ ...request, url }));
  };
  const openSocket: typeof ports.openSocket = (url, events) => {
    if (streamHost === undefined) return ports.openSocket(url, events);
    searched.push(url.host);
    queueMicrotask(() =>
      url.host === streamHost ? events.opened() : events.ended({ reason: "lost", detail: "no stream" }),
    );
    return { send: () => undefined, ping: () => undefined, close: () => undefined };
  };

  /**
   * Runs the command for a user who types the texts, presses the button of the page if it comes, and leaves. With `begin`, the last
   * account is set up again. Gives the titles of the input boxes, and the page.
   */
  async function visit(texts: readonly string[], press?: OfferAction, begin?: string) {
    const before = shownMessages.length;
    const pagesBefore = panels.length;
    typed.splice(0, typed.length, ...texts);
    const store = new CredentialStore(secrets as never);
    const windowAccount = { choose: (account: Account) => void chosen.push(account) };
    const parts: SetupParts = {
      desk: { timers: systemTimers, log: window.createOutputChannel() },
      store,
      saveKey,
      newAccount: (id) => setupOfNew({ accounts, store, memento, windowAccount }, id),
      extensionUri: { fsPath: root } as Uri,
      discovery: { ...ports, transport, openSocket },
    };
    const own = accounts.live.at(-1);
    const visited = setUpAccount(parts, own && setupOf(accounts, own), begin);
    let offer: ToExchangePage["offer"] | undefined;
    let isDone = false;
    const end = visited.then(() => (isDone = true));
    await waitFor("the page or the end", () => isDone || panels.length > pagesBefore);
    const panel = panels.at(pagesBefore);
    if (panel) {
      panel.onDidPost((message) => (offer = (message as ToExchangePage).offer));
      await panel.page;
      panel.receive({ type: "ready" });
      if (press) panel.receive({ type: "action", id: press });
      panel.dispose();
    }
    await end;
    const asked = shownMessages.slice(before).flatMap(({ how, text }) => (how === "input box" ? [text] : []));
    return { asked, offer };
  }

  const key = `API Key for http://127.0.0.1`;
  const namesOf = (asked: readonly string[]): string[] => asked.map((title) => title.replace(/:\d+$/, ""));

  it("asks only for address, key and secret, and detects the rest", async () => {
    const { asked, offer } = await visit([practice.baseUrl, testPair.apiKey, testPair.apiSecret], "use");
    assert.deepEqual(namesOf(asked), ["Live Exchange", key, "API Secret for http://127.0.0.1"]);
    const states = offer?.sections.flatMap(({ rows }) => rows.map(({ name, state }) => `${name}: ${state}`));
    assert.deepEqual(states, [
      "Prices: works",
      "Trading rules: works",
      "Order book: works",
      "Recent trades: works",
      "Charts: works",
      "Balance: works",
      "Open orders: works",
      "Fills: works",
      "Order updates: works",
      "Buying: untried",
      "Selling: untried",
      "Cancelling: untried",
    ]);
    const [added] = accounts.live;
    assert.deepEqual(
      chosen.map(({ id }) => id),
      [added?.id],
    );
    assert.equal(added?.label, new URL(practice.baseUrl).host);
    assert.equal(added.profile["baseUrl"], practice.baseUrl);
    assert.equal(added.profile["symbolOrder"], "baseFirst");
    assert.deepEqual([practice.requests.placeBid, practice.requests.reset], [0, 0]);
  });

  it("gives the API key to another host only after a question that says so", async () => {
    streamHost = "stream.example.com";
    const answers = ["https://api.example.com", testPair.apiKey, testPair.apiSecret];
    await visit(answers);
    assert.deepEqual([...new Set(searched)], ["api.example.com"], "declined");
    const question = shownMessages.find(({ text }) => text === "Get order updates from stream.example.com?");
    assert.match(question?.more ?? "", /stream\.example\.com also gets your API key and a signature/);
    person.choose = ([connect]) => connect;
    await visit(answers, "use");
    assert.deepEqual([...new Set(searched)], ["api.example.com", "stream.example.com"]);
    assert.match(JSON.stringify(accounts.live.at(-1)?.profile), /"host":"stream\.example\.com"/);
  });

  it("switches only by the page's button, and then forgets the answers", async () => {
    await visit([practice.baseUrl, testPair.apiKey, testPair.apiSecret]);
    assert.deepEqual([accounts.live, chosen], [[], []]);
    const again = await visit([], "use");
    assert.deepEqual(again.asked, [], "continues with the key that is stored");
    assert.equal(chosen.length, 1);
    assert.equal(memento.get(stateKeys.liveSetup), undefined);
  });

  it("starts over with the address once an account was added", async () => {
    await visit([practice.baseUrl, testPair.apiKey, testPair.apiSecret], "use");
    await visit([], undefined, "test");
    const { asked } = await visit(["https://127.0.0.1:1"]);
    assert.deepEqual(asked, ["Live Exchange"]);
  });

  it("adds another account for another origin, even from within the setup of one, which keeps profile and key", async () => {
    const profile = {
      baseUrl: "https://old.example.com",
      paths: { tickers: "/old/ticker" },
      features: { feeCredits: { method: "POST", path: "/old", envelope: "A" } },
      historyPath: "/old/history",
    };
    const old = accounts.add({ label: "Old", profile });
    await secrets.store(accountSecretKey(old.id), "the key of the old exchange");
    await visit([practice.baseUrl, testPair.apiKey, testPair.apiSecret], "use", "address");
    const [added, kept] = accounts.live;
    assert.deepEqual(
      [kept?.profile, secrets.get(accountSecretKey(old.id))],
      [profile, "the key of the old exchange"],
    );
    assert.equal(added?.profile["baseUrl"], practice.baseUrl);
    assert.doesNotMatch(JSON.stringify(added.profile), /old/);
  });

  it("stores key and secret only in the secret storage, even the key of an unfinished setup", async () => {
    await visit([practice.baseUrl, testPair.apiKey]);
    await visit([testPair.apiSecret]);
    const elsewhere = JSON.stringify([
      shownMessages,
      accounts.live,
      memento.keys().map((name) => memento.get(name)),
    ]);
    assert.ok(!elsewhere.includes(testPair.apiKey) && !elsewhere.includes(testPair.apiSecret));
    const { id } = memento.get(stateKeys.liveSetup) as { id: string };
    assert.deepEqual(secrets.keys(), [accountSecretKey(id)]);
  });

  it("offers prices without a key if the field is left empty", async () => {
    const { offer } = await visit([practice.baseUrl, ""], "use");
    assert.match(offer?.summary ?? "", /^Without an API key you can only watch prices/);
    assert.deepEqual([chosen.length, secrets.keys()], [1, []]);
  });

  it("returns to the secret step for a wrong secret, and keeps the key", async () => {
    person.choose = (offered) => offered.find((label) => label.includes("Enter the API Secret"));
    const { asked, offer } = await visit([practice.baseUrl, testPair.apiKey, "wrong", testPair.apiSecret]);
    assert.deepEqual(namesOf(asked).slice(2), [
      "API Secret for http://127.0.0.1",
      "API Secret for http://127.0.0.1",
    ]);
    assert.ok(offer);
  });

  it("rejects an impossible address, and explains one that does not respond", async () => {
    assert.deepEqual((await visit(["http://api.example.com"])).asked, ["Live Exchange"]);
    assert.match(shownMessages.at(-1)?.text ?? "", /http/);
    await practice.close();
    assert.equal((await visit([practice.baseUrl])).offer, undefined);
    const choices = shownMessages.findLast(({ how }) => how === "choices")?.text.split("\n");
    const first = choices?.findIndex((label) => label.includes("Change the Address")) ?? -1;
    const problem = choices?.slice(0, first) ?? [];
    assert.match(problem.join(" "), /the connection was refused\. .*check the host and port/i);
    assert.ok(
      problem.every((line) => line.length < 85),
      "no row is cut off",
    );
  });

  it("names a permission that the key lacks and what needs it", async () => {
    // The first request, without a key, is refused without the header's name: so the prefix is asked for.
    for (const endpoint of ["openOrders", "openOrders", "orderInfo", "orderHistory"] as const)
      practice.faults.next(endpoint, { kind: "code", when: "before", code: 52 });
    const { asked, offer } = await visit([practice.baseUrl, "X-SVC-", testPair.apiKey, testPair.apiSecret]);
    assert.equal(asked[1], "Header Prefix");
    const rows = offer?.sections.flatMap((section) => section.rows) ?? [];
    for (const name of ["Open orders", "Fills", "Order updates"])
      assert.match(
        rows.find((row) => row.name === name)?.text ?? "",
        /^Your API key lacks this permission\./,
      );
    assert.equal(rows.find(({ name }) => name === "Selling")?.state, "off");
    assert.equal(rows.find(({ name }) => name === "Buying")?.state, "untried");
    assert.equal(practice.requests.openOrders, 2, "asked once with the key");
  });

  it("reports by how much and in which direction the local clock is wrong", async () => {
    practice.faults.clockSkewMs = 3_600_000;
    const { offer } = await visit([practice.baseUrl, testPair.apiKey, testPair.apiSecret]);
    const rows = offer?.sections.flatMap((section) => section.rows) ?? [];
    assert.match(
      rows.find(({ name }) => name === "Clock")?.text ?? "",
      /^This computer's clock is 60 min slow\. Correct it/,
    );
    assert.equal(rows.find(({ name }) => name === "Balance")?.state, "works");
  });

  it("says so if a rate limit ended the discovery before everything was checked", async () => {
    practice.faults.next("depth", { kind: "rateLimited", when: "before" });
    const { offer } = await visit([practice.baseUrl, ""]);
    assert.match(offer?.summary ?? "", /^Not everything was checked/);
    const rows = offer?.sections.flatMap((section) => section.rows) ?? [];
    assert.equal(rows.find(({ name }) => name === "Order book")?.text, "Not checked.");
  });

  it("asks for a header prefix that the exchange does not name, and never again for one that is configured", async () => {
    namesHeader = false;
    const first = await visit([practice.baseUrl, "X-SVC-", testPair.apiKey, testPair.apiSecret], "use");
    assert.deepEqual(namesOf(first.asked).slice(0, 2), ["Live Exchange", "Header Prefix"]);
    const { asked, offer } = await visit([], undefined, "test");
    assert.deepEqual(asked, []);
    assert.ok(
      offer?.sections.some(({ rows }) =>
        rows.some(({ name, state }) => name === "Balance" && state === "works"),
      ),
    );
  });

  it("asks for the header prefix of a second exchange", async () => {
    accounts.add({ label: "Old", profile: { baseUrl: "https://old.example.com", headerPrefix: "X-OLD-" } });
    namesHeader = false;
    const { asked } = await visit([practice.baseUrl]);
    assert.deepEqual(namesOf(asked), ["Live Exchange", "Header Prefix"]);
  });

  it("tries a pasted base with the part that also begins an API's paths", async () => {
    const { asked } = await visit([`${practice.baseUrl}/gw/v1`, ""]);
    assert.deepEqual(namesOf(asked).slice(0, 1), ["Live Exchange"]);
    const { address = "" } = memento.get(stateKeys.liveSetup) as { address?: string };
    assert.equal(address, `${practice.baseUrl}/gw/v1`);
  });

  it("offers to update the moved paths of the current exchange", async () => {
    const features = { clientOrderId: { duplicates: "refused" } };
    const main = accounts.add({ label: "Main", profile: { baseUrl: practice.baseUrl, features } });
    await new CredentialStore(secrets as never).save(
      { account: main.id, origin: practice.baseUrl },
      { apiKey: new Secret(testPair.apiKey), apiSecret: new Secret(testPair.apiSecret) },
    );
    const { offer } = await visit([], "use", "test");
    const [changes] = offer?.sections ?? [];
    assert.equal(changes?.title, "Differences from your account");
    assert.deepEqual(
      changes.rows.find(({ name }) => name === "Prices"),
      {
        name: "Prices",
        state: "works",
        text: "Moved from /api/market/ticker to /api/v3/market/ticker",
      },
    );
    const changed = accounts.live[0]?.profile["features"] as typeof features;
    assert.deepEqual(changed.clientOrderId, features.clientOrderId, "no discovery finds this");
    assert.deepEqual([accounts.live.length, chosen], [1, []]);
    const after = await visit([], undefined, "test");
    assert.deepEqual(
      after.offer?.actions.map(({ id }) => id),
      ["change", "export"],
      "nothing is left to change",
    );
  });

  it("adds an account again, with its id, if the key was that of one that was removed", async () => {
    const removed = "f".repeat(16);
    saveKey = async (account, _, save) => {
      await save({ ...account, id: removed });
      return { ...account, id: removed };
    };
    await visit([practice.baseUrl, testPair.apiKey, testPair.apiSecret], "use");
    assert.deepEqual([accounts.live.map(({ id }) => id), chosen.map(({ id }) => id)], [[removed], [removed]]);
    assert.deepEqual(secrets.keys(), [accountSecretKey(removed)]);
  });

  it("ends if the key is that of another account, to which the window was switched", async () => {
    const main = accounts.add({ label: "Main", profile: { baseUrl: practice.baseUrl } });
    saveKey = async (account, _, save) => {
      await save({ ...account, id: "f".repeat(16) });
      return { ...account, id: "f".repeat(16) };
    };
    const { offer } = await visit([testPair.apiKey, testPair.apiSecret], "use", "key");
    assert.deepEqual([offer, accounts.live.map(({ id }) => id)], [undefined, [main.id]]);
    assert.deepEqual(secrets.keys(), [accountSecretKey("f".repeat(16))]);
  });

  it("stores no key that another account uses already at the same exchange, and offers that account", async () => {
    const main = accounts.add({ label: "Main", profile: { baseUrl: practice.baseUrl } });
    await new CredentialStore(secrets as never).save(
      { account: main.id, origin: practice.baseUrl },
      { apiKey: new Secret(testPair.apiKey), apiSecret: new Secret(testPair.apiSecret) },
    );
    person.choose = ([button]) => button;
    await visit([practice.baseUrl, testPair.apiKey, testPair.apiSecret]);
    assert.deepEqual([chosen.map(({ id }) => id), accounts.live.length], [[main.id], 1]);
    assert.ok(shownMessages.some(({ text }) => text.startsWith("This API key is already used for Main")));
    assert.deepEqual(secrets.keys(), [accountSecretKey(main.id)]);
  });
});
