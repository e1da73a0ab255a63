import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settingKeys, webhookSecretKey } from "../../src/contributions.ts";
import type { Channel } from "../../src/desk/notifications/channel.ts";
import { alertFiring, type Firing } from "../../src/desk/notifications/firing.ts";
import { webhookText } from "../../src/desk/notifications/webhook.ts";
import { Secret } from "../../src/exchange/signing/credentials.ts";
import { createTransport } from "../../src/http/transport.ts";
import { practiceAccount } from "../../src/market/account.ts";
import { testAlert } from "../support/builders/testAlert.ts";
import { NotifiedWindows } from "../support/desks/notifiedWindows.ts";
import { settle } from "../support/fakes/timers.ts";
import { tickerOf } from "../support/fakes/venue.ts";
import { HollowStore, loadUi, userSettings, workspace } from "../support/fakes/vscode.ts";
import { type LoopbackServer, serveHttp } from "../support/servers/loopback.ts";
import { safetyLine } from "./safetyLine.ts";

const { outsideChannels } = await loadUi(() => import("../../src/ui/notifications/alertChannels.ts"));
const { messageOf } = await loadUi(() => import("../../src/ui/notifications/messageText.ts"));
const { WebhookStore } = await loadUi(() => import("../../src/ui/notifications/webhookStore.ts"));

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FIRINGS = 50;

/** What the service does with a request. A dying window has sent it, and never learns of the answer. */
type Answer = "ok" | "busy" | "refuses" | "redirects" | "vanishes" | "windowDies" | "windowDiesUnanswered";
const TROUBLES: readonly Answer[] = [
  "busy",
  "refuses",
  "redirects",
  "vanishes",
  "windowDies",
  "windowDiesUnanswered",
];

interface Seen {
  readonly id: string;
  readonly at: number;
  readonly answer: Answer;
}

describe("an alert that leaves the editor", () => {
  let service: LoopbackServer;
  let other: LoopbackServer;
  let folder: string;
  let answerOf: (id: string) => Answer;
  let seen: Seen[];
  let now: () => number;
  let killSender: () => void;
  const { getConfiguration } = workspace;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "channels-"));
    other = await serveHttp((_, response) => void response.end());
    service = await serveHttp(({ body }, response) => {
      const { id } = JSON.parse(String(body)) as { id: string };
      const answer = answerOf(id);
      seen.push({ id, at: now(), answer });
      if (answer.startsWith("windowDies")) killSender();
      if (answer === "vanishes" || answer === "windowDiesUnanswered") response.socket?.destroy();
      else if (answer === "redirects") response.writeHead(307, { Location: `${other.url}/stolen` }).end();
      else response.writeHead({ busy: 503, refuses: 404 }[answer as string] ?? 200).end();
    });
  });
  after(async () => {
    Object.assign(workspace, { getConfiguration });
    userSettings.clear();
    await service.close();
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A workspace with settings of its own for everything that leaves the editor. */
  function openHostileWorkspace(): void {
    const hostile: Readonly<Record<string, unknown>> = {
      [settingKeys.alertWebhook]: true,
      [settingKeys.alertSendFills]: true,
      [settingKeys.alertProgram]: [
        process.execPath,
        "-e",
        `require("fs").writeFileSync(${JSON.stringify(join(folder, "owned"))}, "")`,
      ],
    };
    Object.assign(workspace, {
      getConfiguration: () => {
        const own = getConfiguration();
        return {
          ...own,
          get: (key: string, fallback: unknown) => hostile[key] ?? own.get(key, fallback),
          inspect: (key: string) => ({
            ...own.inspect(key),
            workspaceValue: hostile[key],
            workspaceFolderValue: hostile[key],
          }),
        };
      },
    });
  }

  safetyLine(
    44,
    "An alert is sent at least once through kills, at a bounded rate, only to the user's own webhook and only while it is on",
    async (proof) => {
      openHostileWorkspace();
      const counts = { firings: 0, requests: 0, killed: 0, twice: 0, off: 0, overLimit: 0 };

      const rounds = await proof.each(200, async ({ random }) => {
        const sending = new Set<Promise<unknown>>();
        const settled = async (): Promise<void> => {
          await settle();
          while (sending.size > 0) {
            await Promise.all(sending);
            await settle();
          }
        };
        const windows = new NotifiedWindows({}, settled);
        const { timers } = windows;
        now = timers.now;
        seen = [];
        const secrets = new HollowStore();
        const webhook = { service: "json", url: new Secret(`${service.url}/hook`) } as const;
        await secrets.store(webhookSecretKey, webhookText(webhook));
        userSettings.set(settingKeys.alertWebhook, true);
        const desk = {
          timers,
          tickers: { ticker: () => tickerOf("THB_BTC", { last: 111 }), placesOf: () => 2 },
          venue: { account: practiceAccount },
        };

        const channelsOf = (kill: () => void): Channel[] =>
          outsideChannels(
            {
              transport: createTransport(),
              userAgent: "Bidside/1",
              webhooks: new WebhookStore(secrets as never),
              isAllowed: () => true,
            },
            (firing) => messageOf(firing, desk),
          ).map((channel) => ({
            ...channel,
            send: async (firing, attempt) => {
              const sender = { key: firing.key, kill };
              killSender = () => killWhile(sender);
              senders.add(sender);
              const sent = channel.send(firing, attempt);
              sending.add(sent);
              return await sent.finally(() => {
                senders.delete(sender);
                sending.delete(sent);
              });
            },
          }));
        let open: { readonly window: ReturnType<typeof windows.open>; readonly die: () => void }[] = [];
        const dieOf: (() => void)[] = [];
        /** Windows that are sending, and the keys of firings of which a window died while it sent them. */
        const senders = new Set<{ readonly key: string; readonly kill: () => void }>();
        const diedSending = new Set<string>();
        const killWhile = ({ key, kill }: { readonly key: string; readonly kill: () => void }): void => {
          diedSending.add(key);
          kill();
        };
        const openOne = (): void => {
          const window = windows.open(
            (kill) => {
              const die = (): void => {
                for (const sender of senders) if (sender.kill === die) diedSending.add(sender.key);
                kill();
                open = open.filter((each) => each.window !== window);
                counts.killed += 1;
              };
              dieOf.push(die);
              return channelsOf(die);
            },
            random,
            random() < 0.5,
          );
          open.push({ window, die: dieOf.at(-1) ?? assert.fail() });
        };

        // Some rounds exceed the limit of a day; in the others, the service and the windows fail.
        const isBusy = random() < 0.15;
        answerOf = () =>
          !isBusy && random() < 0.25 ? (TROUBLES[Math.floor(random() * TROUBLES.length)] ?? "ok") : "ok";
        const isWaiting = (): boolean =>
          windows.disk.list("/storage/notifications").some((name) => /^webhook-.*\.json$/.test(name));
        const untilSent = async (): Promise<void> => {
          while (isWaiting()) {
            if (open.length === 0) openOne();
            await timers.advance(MINUTE_MS);
          }
        };
        const wanted = new Set<string>();
        const unwanted = new Set<string>();
        let isOn = true;
        for (let number = 1; number <= (isBusy ? 3 * FIRINGS : FIRINGS); number += 1) {
          while (open.length === 0 || (open.length < 3 && random() < 0.3)) openOne();
          if (random() < 0.05) {
            // What waits now is never sent, so the webhook is only turned off when nothing does. A window may die while it waits.
            if (isOn) await untilSent();
            isOn = !isOn;
            userSettings.set(settingKeys.alertWebhook, isOn);
            if (open.length === 0) openOne();
          }
          const firing = firingAt(timers.now(), number);
          (isOn ? wanted : unwanted).add(firing.key);
          counts.firings += 1;
          // All windows know of an alert. A window may die before it delivers anything, after it stored the firing.
          for (const { window } of open) window.notifications.notify(firing);
          const before = seen.length;
          if (!isBusy && random() < 0.1) open[0]?.die();
          await timers.advance(Math.floor(random() * (isBusy ? 3 : 40)) * 1000);
          if (!isOn) assert.equal(seen.length, before, "sent while off");
        }
        answerOf = () => "ok";
        if (open.length === 0) openOne();
        userSettings.set(settingKeys.alertWebhook, true);
        await timers.advance(3 * 60 * MINUTE_MS);
        for (const { window } of open) window.kill();

        checkRate(seen);
        for (const id of unwanted)
          assert.ok(!seen.some((each) => each.id === id), "a firing of the time while off");
        counts.off += unwanted.size;
        counts.requests += seen.length;
        for (const id of wanted) {
          const ofOne = seen.filter((each) => each.id === id);
          if (ofOne.length === 0 && isBusy) {
            counts.overLimit += 1;
            continue;
          }
          const answers = ofOne.map(({ answer }) => answer);
          const isLost = !answers.some((each) => each !== "busy");
          assert.ok(!isLost, `lost: ${answers.join()}`);
          const arrivals = answers.filter((each) => each === "ok" || each === "windowDies");
          if (arrivals.length < 2) continue;
          counts.twice += 1;
          assert.ok(diedSending.has(id), `delivered twice: ${answers.join()}`);
        }
        if (isBusy) assert.ok(seen.length <= 100, `${seen.length} messages in a day`);
      });
      assert.equal(other.traffic.connections, 0, "requests to another host");
      assert.ok(!existsSync(join(folder, "owned")), "a program of the workspace ran");
      return (
        `${counts.firings} firings in ${rounds} rounds with ${counts.killed} killed windows: ${counts.requests} requests, 0 lost, ` +
        `${counts.twice} delivered twice, each by a window that died; ${counts.overLimit} beyond 100 a day and ${counts.off} while off ` +
        `were not sent; 0 requests to another host, 0 programs of a workspace`
      );
    },
  );
});

function firingAt(at: number, number: number): Firing {
  const fired = { armedAt: number, at, price: 111, isSeen: false };
  return alertFiring(testAlert({ phase: "fired", fired })) ?? assert.fail();
}

/** At most one request in 5 s, and 100 in a day. */
function checkRate(seen: readonly Seen[]): void {
  for (const [index, { at }] of seen.entries()) {
    const [previous, hundredth] = [seen[index - 1], seen[index - 100]];
    if (previous) assert.ok(at - previous.at >= 5000, `${at - previous.at} ms apart`);
    if (hundredth) assert.ok(at - hundredth.at >= DAY_MS, "more than 100 in a day");
  }
}
