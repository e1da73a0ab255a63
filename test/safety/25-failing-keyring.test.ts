import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import { accountSecretKey, commandIds } from "../../src/contributions.ts";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { accountAt, accountIdAt, writeAccounts } from "../support/builders/account.ts";
import { HollowWindow, recordsIn } from "../support/fakes/activatedWindow.ts";
import { EventEmitter, person, shownMessages } from "../support/fakes/vscode.ts";
import { type LoopbackServer, type SeenRequest, serveHttp } from "../support/servers/loopback.ts";
import { waitFor } from "../support/waitFor.ts";
import { safetyLine } from "./safetyLine.ts";

/** Accounts of the exchange: key, secret, and the balance that identifies each. */
const accounts = [
  { apiKey: "first-key", apiSecret: "first-secret", free: 1111 },
  { apiKey: "second-key", apiSecret: "second-secret", free: 2222 },
] as const;
type Account = (typeof accounts)[number];

/** A word in every error of a failing keyring; it may not be shown, logged or stored. */
const CANARY = "org.freedesktop.Secret.Error.IsLocked first-secret";

const garbage = [
  "",
  "{",
  "null",
  "7",
  "[]",
  '{"apiKey":"first-key"}',
  '{"apiKey":1,"apiSecret":2}',
  "\u0000",
];

const TICKERS = JSON.stringify({
  THB_BTC: {
    id: 1,
    last: 100,
    lowestAsk: 100,
    highestBid: 99,
    percentChange: 0,
    baseVolume: 1,
    quoteVolume: 1,
  },
});

/** A computer's keyring, as the editor offers it to each window. */
class Keyring {
  fails = false;
  readonly #values = new Map<string, string>();
  readonly #changed = new EventEmitter<vscode.SecretStorageChangeEvent>();

  /** Changes a stored value from outside the windows, and notifies all windows. */
  put(key: string, value: string): void {
    this.#values.set(key, value);
    this.#changed.fire({ key });
  }

  forWindow(): vscode.SecretStorage {
    const use = async <T>(action: () => T): Promise<T> => {
      if (this.fails) throw new Error(CANARY);
      return action();
    };
    return {
      keys: () => use(() => [...this.#values.keys()]),
      get: (key: string) => use(() => this.#values.get(key)),
      store: (key: string, value: string) => use(() => this.put(key, value)),
      delete: (key: string) =>
        use(() => {
          this.#values.delete(key);
          this.#changed.fire({ key });
        }),
      onDidChange: this.#changed.event,
    } as vscode.SecretStorage;
  }
}

/** The account whose key and signature a request carries. */
function accountOf({ method, path, headers, body }: SeenRequest): Account | undefined {
  const account = accounts.find(({ apiKey }) => apiKey === headers["x-svc-apikey"]);
  const signed = createHmac("sha256", account?.apiSecret ?? "")
    .update(`${String(headers["x-svc-timestamp"])}${method}${path}`)
    .update(body)
    .digest("hex");
  return signed === headers["x-svc-sign"] ? account : undefined;
}

function answer(request: SeenRequest): string {
  if (request.path === "/api/servertime") return String(Date.now());
  if (request.path === "/api/market/ticker") return TICKERS;
  const account = accountOf(request);
  if (!account) return '{"error":3}';
  return request.method === "POST"
    ? '{"error":0,"result":{"id":"1"}}'
    : `{"error":0,"result":{"THB":${account.free}}}`;
}

describe("a keyring that fails, forgets or changes a key", () => {
  let folder: string;
  let exchange: LoopbackServer;
  let windows: HollowWindow[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "keyring-"));
    windows = [];
  });
  afterEach(async () => {
    for (const window of windows) window.close();
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The texts that a person must see, by the content of the keyring. */
  function expectedOf(key: Account | "none" | "unreadable"): {
    status: RegExp;
    tooltip: RegExp;
    bid: RegExp;
  } {
    if (key === "none" || key === "unreadable") {
      const reason =
        key === "none"
          ? /No API key is stored/
          : /API key for .* could not be read .* Your orders are not affected/;
      return {
        status: /: Set API Key$/,
        tooltip: reason,
        bid: new RegExp(`^Not sent\\. Nothing was spent\\. .*${reason.source}`),
      };
    }
    return {
      status: new RegExp(`${String(key.free).replace(/(?=...$)/, ",")} THB$`),
      tooltip: /THB/,
      bid: /accepted your order/,
    };
  }

  safetyLine(
    25,
    "Every window asks calmly for a missing or lost key, and the journal stays whole",
    async (proof) => {
      const count = { asks: 0, accepted: 0, notSent: 0, refusals: 0, changes: 0, secrets: 0 };
      const sessions = await proof.each(100, async ({ random, seed }) => {
        const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
        exchange = await serveHttp((request, response) => {
          response
            .writeHead(200, { "Content-Type": "application/json", Connection: "close" })
            .end(answer(request));
        });
        const storage = join(folder, String(seed));
        const secretKey = accountSecretKey(accountIdAt(exchange.url));
        writeAccounts(recordsIn(storage), [accountAt(exchange.url, { walletMethod: "GET" })]);
        person.choose = (offered) => offered.find((each) => each === "Same Account, New Key");
        const keyring = new Keyring();
        windows = [];
        for (let opened = 0; opened < 2; opened++)
          windows.push(await HollowWindow.open(keyring.forWindow(), storage));

        let stored: Account | "none" | "unreadable" = "none";
        /** The windows know the account of the key that is stored, even while the keyring fails. */
        let isKnown = false;
        const bids = new Map<string, string>();
        const shown: string[] = [];
        shownMessages.length = 0;
        /** The status that every window shows after its reading. */
        const settle = async (): Promise<void> => {
          const key = keyring.fails ? "unreadable" : stored;
          const { status, tooltip } = expectedOf(key);
          for (const window of windows) {
            await waitFor(
              `${String(status)} in every window`,
              () =>
                status.test(window.status.text) &&
                tooltip.test(window.status.tooltip) &&
                (typeof key === "object" || window.status.command === commandIds.addAccount),
            );
            shown.push(window.status.text, window.status.tooltip);
            if (typeof key !== "object") count.asks += 1;
          }
        };
        for (const window of windows) await window.run(commandIds.refresh);
        await settle();

        for (let step = 0; step < 10; step++) {
          const window = pick(windows);
          const what = pick(["enter", "enter", "remove", "garbage", "fail", "recover"]);
          const account = pick(accounts);
          const amount = `10.${step}1`;
          const before = shownMessages.length;
          if (what === "enter") {
            await window.run(commandIds.setCredentials, account.apiKey, account.apiSecret);
            if (!keyring.fails) stored = account;
          } else if (what === "remove") {
            await window.run(commandIds.removeCredentials);
            if (!keyring.fails) [stored, isKnown] = ["none", false];
          } else if (what === "garbage") {
            stored = "unreadable";
            isKnown = false;
            keyring.put(secretKey, pick(garbage));
          } else {
            keyring.fails = what === "fail";
            // No window is notified of this: the next read finds it. A first refresh may share an earlier read.
            for (const each of [...windows, ...windows]) await each.run(commandIds.refresh);
          }
          if (keyring.fails && (what === "enter" || what === "remove")) {
            const words = what === "enter" ? /was not saved/ : /was not removed/;
            assert.ok(
              shownMessages.slice(before).some(({ how, text }) => how === "error" && words.test(text)),
            );
            count.refusals += 1;
          }
          count.changes += 1;
          await settle();

          const key: Account | "none" | "unreadable" = keyring.fails ? "unreadable" : stored;
          if (typeof key === "object") isKnown = true;
          const posts = exchange.seen.filter(({ method }) => method === "POST").length;
          const { text, actions } = await pick(windows).bid("THB_BTC", amount, "100.5");
          shown.push(text);
          assert.match(text, expectedOf(key).bid);
          const sent = exchange.seen.filter(({ method }) => method === "POST").slice(posts);
          if (typeof key === "object") {
            assert.deepEqual(sent.map(accountOf), [key], "signed with the key that is stored now");
            bids.set(amount, "accepted");
            count.accepted += 1;
          } else {
            assert.equal(sent.length, 0);
            assert.equal(actions?.[0]?.id, "setCredentials");
            // Recorded for the account of its key. Without an account, the order ends before its record.
            if (isKnown) bids.set(amount, "notSent");
            count.notSent += 1;
          }
        }

        for (const window of windows) window.close();
        const journal = openOrderJournal({ directory: join(recordsIn(storage), "orders"), now: Date.now });
        assert.deepEqual(new Map(journal.orders().map(({ intent, state }) => [intent.amount, state])), bids);
        assert.deepEqual(journal.skippedLines, []);
        journal.close();
        const everything = [
          ...shown,
          ...shownMessages.map((each) => JSON.stringify(each)),
          ...readdirSync(storage, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")),
        ].join("\n");
        for (const secret of [
          CANARY,
          "IsLocked",
          ...accounts.flatMap(({ apiKey, apiSecret }) => [apiKey, apiSecret]),
        ]) {
          count.secrets += everything.split(secret).length - 1;
        }
        assert.equal(count.secrets, 0);
        await exchange.close();
      });
      return (
        `${sessions} sessions of two windows, ${count.changes} changes of the keyring: each window asked for the key again ` +
        `every time (${count.asks}), ${count.accepted} bids signed with the key stored last in either window, ${count.notSent} not sent ` +
        `because a key was missing, ${count.refusals} keys that could not be stored or removed; ${count.secrets} words of the keyring's own or of a key shown, logged or stored`
      );
    },
  );
});
