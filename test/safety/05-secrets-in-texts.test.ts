import assert from "node:assert/strict";
import type { SignedIn } from "../../src/desk/venue.ts";
import { systemTimers } from "../../src/time/timers.ts";
import { withoutNetwork } from "../support/fakes/discovery.ts";
import { Secret, type Credentials } from "../../src/exchange/signing/credentials.ts";
import { canary, everythingIn, findNeedle, needlesOf, secretCanary } from "../support/builders/canaries.ts";
import { testBid } from "../support/builders/client.ts";
import {
  HollowStore,
  loadUi,
  person,
  shownMessages,
  typed,
  userSettings,
  window,
} from "../support/fakes/vscode.ts";
import { openForm, type OpenForm } from "../support/pages/openForm.ts";
import { pick, type Random } from "../support/random.ts";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { letSlip } from "../support/servers/leakyService.ts";
import { safetyLine } from "./safetyLine.ts";
import { liveAccount } from "../support/fakes/venue.ts";
import { accountsOf } from "../support/fakes/accounts.ts";
import { saveEveryKey } from "../support/fakes/saveKey.ts";

const { CredentialStore } = await loadUi(() => import("../../src/ui/venue/credentialStore.ts"));
const { setCredentials } = await loadUi(() => import("../../src/ui/venue/credentialsPrompt.ts"));
const { AmountText } = await loadUi(() => import("../../src/ui/text/amountText.ts"));
const { explain } = await loadUi(() => import("../../src/ui/text/errorText.ts"));
const { setupOfNew } = await loadUi(() => import("../../src/ui/venue/accountSetups.ts"));
const { setUpAccount } = await loadUi(() => import("../../src/ui/venue/setUpAccount.ts"));

const DRAFT = { symbol: "THB_BTC", amount: "1000", rate: "100", postOnly: true };
const ENDPOINTS = ["placeBid", "wallet", "tickers", "serverTime"] as const;
/** Short, because some failures are a service that never answers. */
const TIMEOUT_MS = 250;

/** In one round of ten, a way of storing the pair that fails; otherwise the pair entered in the editor. */
function storedBadly(random: Random, key: string, secret: string): (() => Promise<Credentials>) | undefined {
  if (random() < 0.9) return undefined;
  const broken = pick(random, ["\n", "\u0000", "\u00e9"]);
  const pair = { apiKey: new Secret(key), apiSecret: new Secret(secret) };
  return pick<() => Promise<Credentials>>(random, [
    () => Promise.reject(new Error(`cannot decode ${secret}`, { cause: new Error(key) })),
    () => Promise.reject(Object.assign(new TypeError("keyring"), { key, secret })),
    () => Promise.resolve({ ...pair, apiKey: new Secret(key + broken) }),
    () => Promise.resolve({ ...pair, apiSecret: new Secret(`${secret}\n`) }),
  ]);
}

/** The texts entered as key, secret and address; the address has key or secret, pasted by mistake. */
function whatIsTyped(random: Random, key: string, secret: string): string[] {
  const address = pick(random, [
    `https://${encodeURIComponent(key)}:${encodeURIComponent(secret)}@api.example.com`,
    `https://api.example.com/?key=${encodeURIComponent(key)}`,
    `https://api.example.com/#${encodeURIComponent(secret)}`,
    `${key} ${secret}`,
  ]);
  return [key, secret, address];
}

/** Uses every part of the form with the service; returns the failures. */
async function exercise(form: OpenForm, exchange: TestExchange, fail: () => void): Promise<unknown[]> {
  await form.tickers.refresh();
  // The clock is measured first, so that bids and wallets are signed and sent.
  await form.client.measureClock();
  fail();
  const failures: unknown[] = [];
  const attempt = (task: () => Promise<unknown>): Promise<unknown> =>
    task().catch((error: unknown) => failures.push(error));
  await form.submit(DRAFT);
  await attempt(() => form.client.placeOrder(testBid()));
  const { client } = form;
  for (const read of ["wallet", "tickers", "measureClock"] as const) await attempt(() => client[read]());
  await form.balances.refresh();
  await form.tickers.refresh();
  form.select("THB_BTC");
  await exchange.close();
  await attempt(() => client.wallet());
  return failures;
}

describe("Key and secret", () => {
  safetyLine(
    5,
    "Appear in no log, record, error or message, even if a failing service repeats them",
    async (proof) => {
      const counts = { failures: 0, lines: 0, bytes: 0, messages: 0, errors: 0, found: 0 };
      const ways = new Map<string, number>();
      const ends = new Map<string, number>();
      const rounds = await proof.each(5000, async ({ random }) => {
        const [key, secret] = [canary(random), secretCanary(random)];
        const needles = needlesOf([key, secret]);
        const look = (place: string, where: string): void => {
          const found = findNeedle(place, needles);
          if (found === undefined) return;
          counts.found += 1;
          assert.fail(`${found}, is in ${where}: ${place.slice(0, 3000)}`);
        };
        shownMessages.length = 0;
        userSettings.clear();
        typed.splice(0, typed.length, ...whatIsTyped(random, key, secret));

        const exchange = await serveExchange();
        const store = new CredentialStore(new HollowStore() as never);
        const memento = new HollowStore();
        const { origin } = new URL(exchange.url);
        const broken = storedBadly(random, key, secret);
        const live = { account: liveAccount, profile: { baseUrl: new URL(exchange.url) } } as SignedIn;
        assert.ok(await setCredentials(live, store, saveEveryKey), "key and secret were entered");
        const form = await openForm(exchange.url, {
          credentials: broken ?? (() => store.read({ account: liveAccount.id, origin })),
          profile: { walletMethod: pick(random, ["auto", "GET", "POST"]), features: { postOnly: true } },
          client: { timeoutMs: TIMEOUT_MS },
        });
        try {
          const log = window.createOutputChannel();
          const { choose } = person;
          person.choose = () => undefined;
          const windowAccount = { choose: () => undefined };
          await setUpAccount({
            desk: { timers: systemTimers, log },
            store,
            saveKey: saveEveryKey,
            newAccount: () => setupOfNew({ accounts: accountsOf(), store, memento, windowAccount }),
            extensionUri: { fsPath: "" } as never,
            discovery: withoutNetwork(({ url }) => look(url.href, "a request of the set-up")),
          });
          person.choose = choose;
          // An unreadable pair is never sent: the service then repeats another pair.
          const [apiKey, apiSecret] = broken ? [canary(random), secretCanary(random)] : [key, secret];
          const failures = await exercise(form, exchange, () => {
            for (const endpoint of ENDPOINTS)
              exchange.answers[endpoint] = letSlip(random, { apiKey, apiSecret }, ways);
          });
          for (const error of failures) {
            look(everythingIn(error), "an error");
            look(explain(error, new AmountText(false), "the venue").sentence, "the text of an error");
          }
          const written = form.journal();
          for (const line of form.logged) look(line, "the log");
          look(written, "the journal");
          for (const message of form.posted) look(everythingIn(message), "a message to the webview");
          for (const bid of form.orders.own) {
            look(everythingIn(bid), "the orders");
            ends.set(bid.state, (ends.get(bid.state) ?? 0) + 1);
          }
          for (const each of shownMessages) look(everythingIn(each), "a message to the user");
          look(everythingIn(userSettings), "the settings");
          look(everythingIn(memento.keys().map((name) => memento.get(name))), "the interrupted set-up");
          counts.failures += failures.length;
          counts.lines += form.logged.length;
          counts.bytes += written.length;
          counts.messages += form.posted.length;
        } finally {
          await form.close();
          await exchange.close();
        }
      });
      const bids = [...ends]
        .sort()
        .map(([kind, times]) => `${times} ${kind}`)
        .join(", ");
      return (
        `${rounds} services failing in ${ways.size} ways, ${counts.failures} errors, bids ${bids}: key and secret found ${counts.found} times in them, ` +
        `${counts.lines} log lines, ${counts.bytes} bytes of journal, ${counts.messages} messages to the webview and the settings`
      );
    },
  );

  it("would be found in each of these places", () => {
    const [key, secret] = ["canary+key/0123=\"<&'\\~", "canary~secret:4567"];
    const needles = needlesOf([key, secret]);
    for (const place of [
      everythingIn(new Error("outer", { cause: new Error(`inner ${secret}`) })),
      everythingIn(Object.assign(new Error("x"), { raw: Buffer.from(key).toString("hex") })),
      everythingIn(Object.defineProperty({}, "hidden", { value: key, enumerable: false })),
      `Basic ${Buffer.from(`user:${key}:pass`).toString("base64")}`,
      `?k=${encodeURIComponent(key)}`,
    ]) {
      assert.ok(findNeedle(place, needles) !== undefined, place);
    }
    assert.equal(findNeedle("a text without a secret", needles), undefined);
  });
});
