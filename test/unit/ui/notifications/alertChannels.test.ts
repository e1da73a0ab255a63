import assert from "node:assert/strict";
import { commandIds, settingKeys, webhookSecretKey } from "../../../../src/contributions.ts";
import { alertFiring, type Firing } from "../../../../src/desk/notifications/firing.ts";
import type { Notifications } from "../../../../src/desk/notifications/notifications.ts";
import { TransportError } from "../../../../src/http/errors.ts";
import type { HttpRequest } from "../../../../src/http/transport.ts";
import { practiceAccount } from "../../../../src/market/account.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import {
  bringToFront,
  changeSetting,
  HollowStore,
  loadUi,
  person,
  shownMessages,
  typed,
  userSettings,
  WindowParts,
} from "../../../support/fakes/vscode.ts";
import { NotifiedWindows } from "../../../support/desks/notifiedWindows.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { settle } from "../../../support/fakes/timers.ts";

const { outsideChannels, registerAlertChannels } = await loadUi(
  () => import("../../../../src/ui/notifications/alertChannels.ts"),
);
const { messageOf } = await loadUi(() => import("../../../../src/ui/notifications/messageText.ts"));
const { problemLines } = await loadUi(() => import("../../../../src/ui/text/channelProblem.ts"));
const { WebhookStore } = await loadUi(() => import("../../../../src/ui/notifications/webhookStore.ts"));

const NOW = Date.UTC(2026, 10, 28, 8);
const URL_TEXT = "https://ntfy.example.com/T0KEN";

describe("Alert Channels", () => {
  let secrets: HollowStore;
  let requests: HttpRequest[];
  let answer: () => number;
  let notifications: Notifications;
  let parts: WindowParts;
  let channel: ReturnType<typeof outsideChannels>[number];
  let program: typeof channel;
  let register: () => void;
  beforeEach(() => {
    secrets = new HollowStore();
    requests = [];
    answer = () => 200;
    parts = new WindowParts();
    bringToFront(parts);
    shownMessages.length = 0;
    userSettings.clear();
    const outside = {
      transport: async (request: HttpRequest) => {
        requests.push(request);
        return { status: answer(), retryAfter: undefined, body: Buffer.alloc(0) };
      },
      userAgent: "Bidside/1",
      webhooks: new WebhookStore(secrets as never),
    };
    const windows = new NotifiedWindows();
    const { timers } = windows;
    const tickers = { ticker: () => tickerOf("THB_BTC", { last: 111 }), placesOf: () => 2 };
    [channel = assert.fail(), program = assert.fail()] = outsideChannels(outside, (firing) =>
      messageOf(firing, { tickers, timers, venue: { account: practiceAccount } }),
    );
    ({ notifications } = windows.open(() => [channel, program]));
    register = () => void registerAlertChannels(outside, { now: timers.now, notifications });
    register();
  });
  afterEach(() => userSettings.clear());

  /** Runs the command as a user who chooses the entries with these words, and types these texts. */
  async function run(words: readonly string[], ...texts: readonly string[]): Promise<void> {
    const wanted = [...words];
    person.choose = (offered) => {
      const found = offered.find((each) => each.includes(wanted[0] ?? "nothing"));
      if (found !== undefined) wanted.shift();
      return found;
    };
    typed.splice(0, typed.length, ...texts);
    await parts.commands.get(commandIds.alertChannels)?.();
    assert.deepEqual(wanted, [], "not offered");
  }

  const setUp = () => run(["Set Up", "ntfy", "Send a Test"], URL_TEXT);
  const bodies = (): string[] => requests.map(({ body }) => String(body));

  const fired = alertFiring(
    testAlert({ phase: "fired", fired: { armedAt: 0, at: NOW, price: 111, isSeen: false } }),
  );
  const fills: Firing = {
    kind: "fills",
    key: "fills-1",
    at: NOW,
    venue: "live",
    symbol: "THB_BTC",
    side: "buy",
    isFilled: true,
  };

  it("reports a webhook that is on, such as from another computer, without a URL here, until it has one or is turned off", async () => {
    const shown = (): string[] => problemLines(notifications.problems);
    userSettings.set(settingKeys.alertWebhook, true);
    register();
    await settle();
    const missing =
      "Webhook: it is on, but this computer has no URL for it. Run Alert Channels… to set it up or turn it off.";
    assert.deepEqual(shown(), [missing]);
    await run(["Turn Off"]);
    assert.deepEqual([userSettings.get(settingKeys.alertWebhook), shown()], [false, []]);
    changeSetting(settingKeys.alertWebhook, true);
    await settle();
    assert.deepEqual(shown(), [missing]);
    await setUp();
    assert.deepEqual([shown(), requests.length], [[], 1]);
  });

  it("sets up a webhook whose URL is in the secret storage alone, and sends a test", async () => {
    await setUp();
    assert.deepEqual(
      requests.map(({ url, method }) => [url.href, method]),
      [[URL_TEXT, "POST"]],
    );
    assert.deepEqual(bodies(), ["This is a test of your Bidside alerts."]);
    assert.match(String(await secrets.get(webhookSecretKey)), /T0KEN/);
    assert.doesNotMatch(JSON.stringify([[...userSettings], shownMessages]), /T0KEN/);
    assert.equal(userSettings.get(settingKeys.alertWebhook), true);
  });

  it("sends alerts while the webhook is on, and fills only if the user chose that", async () => {
    await setUp();
    assert.ok(fired);
    assert.deepEqual([channel.isOn(fired), channel.isOn(fills)], [true, false]);
    await run(["Send Fills"]);
    assert.deepEqual([channel.isOn(fired), channel.isOn(fills)], [true, true]);
    for (const firing of [fired, fills]) assert.deepEqual(await channel.send(firing, 1), { kind: "sent" });
    assert.deepEqual(bodies().slice(1), [
      "Practice: BTC/THB rose to 111.00 THB (alert at 110.00).",
      "Buy order for BTC/THB: filled.",
    ]);
    await run(["Turn Off"]);
    assert.deepEqual([channel.isOn(fired), channel.isOn(fills)], [false, false]);
  });

  it("says why a test was not sent, and the view says why an alert was not", async () => {
    answer = () => 404;
    await setUp();
    const error = shownMessages.find(({ how }) => how === "error");
    assert.equal(
      error?.text,
      "The test was not sent: the service refused the message (HTTP 404). Check its URL.",
    );
    answer = () => {
      throw new TransportError("Webhook", { kind: "noAnswer", reason: "timeout" }, "");
    };
    assert.ok(fired);
    const outcome = await channel.send(fired, 1);
    assert.ok(outcome.kind === "retry");
    assert.deepEqual(problemLines(new Map([["webhook", outcome.problem]])), [
      "Webhook: the service did not answer. It may have received the message.",
    ]);
  });

  it("tests and removes a program, and runs nothing if the setting is no list of texts", async () => {
    assert.ok(fired);
    userSettings.set(settingKeys.alertProgram, [process.execPath, "-e", "", "--", "${text}"]);
    await run(["Test the Program"]);
    assert.equal(shownMessages.find(({ how }) => how === "status bar")?.text, "The test was sent.");
    assert.equal(program.isOn(fired), true);
    await run(["Remove the Program"]);
    for (const value of [undefined, "beep", [], [1], [""]]) {
      userSettings.set(settingKeys.alertProgram, value);
      assert.equal(program.isOn(fired), false, JSON.stringify(value));
    }
  });

  it("forgets the URL and sends nothing after the webhook was removed", async () => {
    await setUp();
    await run(["Remove"]);
    assert.ok(fired);
    assert.deepEqual([await secrets.get(webhookSecretKey), channel.isOn(fired)], [undefined, false]);
    userSettings.set(settingKeys.alertWebhook, true);
    assert.deepEqual(await channel.send(fired, 1), { kind: "refused", problem: { kind: "notSetUp" } });
    assert.equal(requests.length, 1);
  });
});
