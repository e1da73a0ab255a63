import assert from "node:assert/strict";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Locator } from "playwright-core";
import { commandIds, settingKeys } from "../../src/contributions.ts";
import { AlertFiles } from "../../src/storage/alertFiles.ts";
import { WatchedTimes } from "../../src/storage/watchedTimes.ts";
import { makeAuthority, makeCertificate } from "../support/servers/certificates.ts";
import { HISTORY_PATH, serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { type Answer, answerOf, type LoopbackServer, serveHttp } from "../support/servers/loopback.ts";
import { waitFor } from "../support/waitFor.ts";
import { accountAt } from "../support/builders/account.ts";
import { untilShown } from "./support/repeat.ts";
import { clickAction, rowMenu } from "./support/rows.ts";
import { leaveEditor, takeEditor, unfold } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

const HOUR_MS = 3_600_000;
/** The secret part of a webhook's URL. */
const TOKEN = "T0KEN-of-the-user";
/** A program that adds its arguments to the file that the first one names. */
const RECORD = `require("fs").appendFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)) + "\\n")`;

describe("a trader with a price alert", () => {
  let workbench: Workbench;
  let service: TestExchange;
  let folder: string;
  /** Gets the messages of a webhook. */
  let receiver: LoopbackServer;
  let receive: Answer = answerOf(200, "");

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "alerts-"));
    const authority = await makeAuthority();
    const certificate = await makeCertificate({ authority });
    receiver = await serveHttp((...request) => receive(...request), certificate);
    service = await serveExchange();
    show(100);
    workbench = await takeEditor({
      accounts: [accountAt(service.url, { historyPath: HISTORY_PATH })],
      authorities: [authority.cert],
      settings: {
        [settingKeys.alertProgram]: [
          process.execPath,
          "-e",
          RECORD,
          "--",
          join(folder, "seen"),
          "${pair}",
          "${rule}",
          "${price}",
        ],
      },
    });
    await workbench.row("THB_BTC").filter({ hasText: "100.00" }).waitFor();
    await unfold(workbench, "Alerts");
  });
  after(async () => {
    await leaveEditor();
    await service.close();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function show(last: number): void {
    const result = {
      THB_BTC: { id: 1, last, percentChange: 0.5 },
      THB_ETH: { id: 2, last: 7, percentChange: -1 },
    };
    service.answers.tickers = answerOf(200, JSON.stringify({ error: 0, result }));
  }

  /** The market has this price, and Bidside polls it. */
  async function move(last: number): Promise<void> {
    show(last);
    await workbench.run(commandIds.refresh);
    await workbench
      .row("THB_BTC")
      .filter({ hasText: `${last}.00` })
      .waitFor();
  }

  /** The row of an alert that is on and waits for a price. */
  const alert = (price: string): Locator =>
    workbench.alerts.filter({ hasText: new RegExp(`BTC/THB\\s*rises to ${price}$`) });

  const toast = (): Locator => workbench.page.locator(".notification-toast", { hasText: "BTC/THB rose to" });

  /** Types until the box answers: the editor may lose a key, and validates a moment after the last one. */
  async function typed(text: string, answer: string): Promise<void> {
    const input = workbench.quickInput.locator("input.input");
    const type = async (): Promise<void> => {
      await input.fill("");
      await input.fill(text);
    };
    await untilShown(`typing ${text}`, type, workbench.quickInput.getByText(answer).first());
  }

  it("adds an alert from a pair, and sees the error of a wrong price", async () => {
    await workbench.openBox("Bidside: Add Alert…", "Add Alert");
    await workbench.quickInput
      .locator(".monaco-list-row", { hasText: "THB_BTC" })
      .filter({ hasText: "+0.50%" })
      .waitFor();
    await workbench.pick("THB_BTC");
    const input = workbench.quickInput.locator("input.input");
    await workbench.quickInput.getByText("Add Alert: BTC/THB").waitFor();
    assert.equal(await input.inputValue(), "");
    await typed("100", "This is the last price, 100.00.");
    await typed("105", "rises to 105.00 (+5.00%)");
    await workbench.press("Enter");
    await alert("105.00").waitFor();
  });

  it("edits the alert in the same box, filled in with its price", async () => {
    const edit = workbench.quickInput.getByText("Edit Alert: BTC/THB");
    await clickAction(workbench, alert("105.00"), "Edit Alert…", edit);
    assert.equal(await workbench.quickInput.locator("input.input").inputValue(), "105");
    await typed("110", "rises to 110.00 (+10.00%)");
    await workbench.press("Enter");
    await alert("110.00").waitFor();
    assert.equal(await workbench.alerts.count(), 1);
  });

  it("gets one notification when the price is reached, and bids from it", async () => {
    await move(111);
    // The editor hides a toast after a while, but not under the pointer.
    await toast().hover();
    for (const last of [112, 109, 113]) {
      await move(last);
      assert.equal(await toast().count(), 1);
    }
    await toast().getByRole("button", { name: "Buy…" }).click();
    await workbench.ticketIsReady();
    await waitFor("the price of the alert", async () => (await workbench.figure("rate")) === "111");
  });

  it("gets the same by a program of their own, once", async () => {
    const seen = join(folder, "seen");
    await waitFor("the program", () => existsSync(seen) && readFileSync(seen, "utf8").endsWith("\n"));
    assert.equal(readFileSync(seen, "utf8"), '["BTC/THB","rises to 110.00","111"]\n');
  });

  it("finds the fired alert in the view, turns it on again by its checkbox, and snoozes it from the next notification", async () => {
    const row = workbench.alerts.filter({ hasText: "rises to 110" });
    await row.filter({ hasText: "fired" }).waitFor();
    await move(100);
    await untilShown("a checkbox", () => row.locator(".monaco-custom-toggle").click(), alert("110.00"));
    await move(115);
    await toast().getByRole("button", { name: "Snooze" }).click();
    await row.filter({ hasText: "snoozed until" }).waitFor();
  });

  it("removes the alert", async () => {
    const row = workbench.alerts.filter({ hasText: "rises to 110" });
    await rowMenu(workbench, row, "Remove Alert", workbench.page.getByText("No alerts yet."));
  });

  /** Runs Alert Channels, and chooses one of its entries. */
  async function chooseChannel(entry: string): Promise<void> {
    await workbench.openBox("Bidside: Alert Channels…", "Alert Channels");
    await workbench.pick(entry);
  }

  it("sets up a webhook whose URL is in no file, and sees its test arrive", async () => {
    await chooseChannel("Set Up a Webhook");
    await workbench.pick("Plain JSON");
    await workbench.type("Paste the URL of the webhook", `${receiver.url}/${TOKEN}`);
    const toast = workbench.page.locator(".notification-toast", { hasText: "The webhook is on." });
    await toast.getByRole("button", { name: "Send a Test" }).click();
    await waitFor("the test", () => receiver.seen.length === 1);
    const [request] = receiver.seen;
    assert.equal(request?.path, `/${TOKEN}`);
    assert.match(String(request?.body), /"text":"This is a test of your Bidside alerts\."/);
    assert.deepEqual(filesWith(TOKEN, workbench.userDataDir), []);
  });

  it("gets an alert by the webhook, with nothing of the account", async () => {
    await workbench.run(commandIds.addAlert, { symbol: "THB_BTC", price: "120" });
    await move(121);
    await waitFor("the alert", () => receiver.seen.length === 2);
    const { id, time, ...message } = JSON.parse(String(receiver.seen[1]?.body)) as Record<string, string>;
    assert.match(`${id} ${time}`, /^alert-[\w-]+ \d{4}-.*Z$/);
    assert.deepEqual(message, {
      pair: "BTC/THB",
      rule: "rises to 120.00",
      price: "121",
      text: "BTC/THB rose to 121.00 THB (alert at 120.00).",
    });
  });

  it("reads in Alerts why the service refused a message, until a test arrives", async () => {
    const problem = workbench.page.getByText(
      "Webhook: the service refused the message (HTTP 404). Check its URL.",
    );
    receive = answerOf(404, "");
    await workbench.run(commandIds.addAlert, { symbol: "THB_BTC", price: "130" });
    await move(131);
    await problem.waitFor();
    receive = answerOf(200, "");
    await chooseChannel("Send a Test");
    await problem.waitFor({ state: "detached" });
  });

  it("reads after a start what was missed while VS Code was closed", async () => {
    await workbench.run(commandIds.addAlert, { symbol: "THB_BTC", price: "140" });
    await alert("140.00").waitFor();
    await workbench.killAndRestart(() => beAway(2 * HOUR_MS));
    await unfold(workbench, "Alerts");
    await workbench.alerts.filter({ hasText: /rises to 140.* fired/ }).waitFor();
    await workbench.page
      .locator(".notification-toast", { hasText: "BTC/THB rose to 141.00" })
      .filter({ hasText: "while no window watched the price" })
      .waitFor();
  });

  /** Moves the records back in time, and lets the price have been 141 half of that time ago. */
  function beAway(ms: number): void {
    const alerts = join(dirname(workbench.journalFolder), "alerts");
    const files = new AlertFiles(alerts);
    for (const each of files.list()) files.put({ ...each, armedAt: each.armedAt - ms });
    const now = Date.now();
    new WatchedTimes(join(alerts, "watched.json")).note(accountAt(service.url).id, now - ms);
    const candle = { t: Math.floor((now - ms / 2) / 60_000) * 60, o: 131, h: 141, l: 130, c: 131, v: 1 };
    const lists = Object.entries(candle).map(([name, value]) => [name, [value]]);
    service.answers.history = answerOf(200, JSON.stringify({ s: "ok", ...Object.fromEntries(lists) }));
  }
});

/** The files below a folder that contain a text. */
function filesWith(text: string, folder: string): string[] {
  return globSync("**/*", { cwd: folder, exclude: (name) => /^(?:extensions|built-in)$/.test(name) }).filter(
    (name) => {
      const path = join(folder, name);
      return statSync(path).isFile() && readFileSync(path).includes(text);
    },
  );
}
