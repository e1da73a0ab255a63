import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { settingKeys } from "../../src/contributions.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { within } from "../../tools/test/story.ts";
import { waitFor } from "../support/waitFor.ts";
import { chartOf } from "./support/openChart.ts";
import { livePair, withOrderTracking } from "./support/openLive.ts";
import { rowAction } from "./support/rows.ts";
import { leaveEditor, takeEditor } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

/** A number of seconds: instead of the shorter stories, one story without input for so long at the usual interval. */
const STILL = "BIDSIDE_STILL_SECONDS";
const stillMs = 1000 * Number(process.env[STILL] ?? 0);
const REFRESH_MS = stillMs > 0 ? 5000 : 1000;
const SYMBOL = "THB_BTC";
const SURFACES = ["Markets", "ticket", "chart"] as const;
type Prices = Record<(typeof SURFACES)[number], string>;

describe("a trader who watches and touches nothing", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;
  let ticket: Frame;
  let chart: Frame;

  before(async () => {
    exchange = await startProxiedPractice({ credentials: livePair, now: Date.now });
    // Also for the next stories with this editor, whose persons follow orders.
    workbench = await takeEditor({
      settings: { ...withOrderTracking, [settingKeys.refreshSeconds]: REFRESH_MS / 1000 },
    });
    await workbench.goLive(exchange.baseUrl, livePair);
    await workbench.row(SYMBOL).waitFor();
    await workbench.openTicket();
    await workbench.draft({ symbol: SYMBOL });
    await workbench.row(SYMBOL).hover();
    await rowAction(workbench, SYMBOL, "Open Chart", chartOf(workbench, SYMBOL));
    await workbench.command("View: Move Editor into Right Group");
    ticket = await frameWith("#amount");
    chart = await frameWith("#chart-view");
    await waitFor("the prices", async () => Object.values(await prices()).every((text) => /\d/.test(text)));
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  /** The frame of the page that has such an element. */
  async function frameWith(selector: string): Promise<Frame> {
    return await waitFor(`a page with ${selector}`, async () => {
      for (const frame of workbench.page.frames()) {
        if ((await frame.locator(selector).count()) > 0) return frame;
      }
      return undefined;
    });
  }

  async function prices(): Promise<Prices> {
    const [row, inTicket, inChart] = await Promise.all([
      workbench.row(SYMBOL).innerText(),
      ticket.locator("#last").innerText(),
      chart.locator("#last").innerText(),
    ]);
    return { Markets: row, ticket: inTicket, chart: inChart };
  }

  async function assertFresh(): Promise<void> {
    assert.equal(await workbench.message.isVisible(), false, "Markets shows no message");
    assert.doesNotMatch(await workbench.row(SYMBOL).innerText(), /stale/);
    for (const page of [ticket, chart]) assert.equal(await page.locator("#age").innerText(), "");
    assert.equal(await ticket.locator("#note").innerText(), "");
  }

  /** Waits until the price changed this many times on every surface. */
  async function move(times: number): Promise<void> {
    const moved = { Markets: 0, ticket: 0, chart: 0 };
    let before = await prices();
    await waitFor(
      `prices to move ${times} times everywhere`,
      async () => {
        const now = await prices();
        for (const surface of SURFACES) if (now[surface] !== before[surface]) moved[surface] += 1;
        before = now;
        return Math.min(...Object.values(moved)) >= times;
      },
      30_000,
    );
  }

  /** Waits for this many polls in a row, each after this gap. */
  async function waitForPolls(
    what: string,
    isSo: (gapMs: number) => boolean,
    limitMs: number,
  ): Promise<void> {
    let [seen, at, inARow] = [exchange.requests.tickers, performance.now(), 0];
    await waitFor(
      what,
      () => {
        const { tickers } = exchange.requests;
        if (tickers === seen) return false;
        const gapMs = (performance.now() - at) / (tickers - seen);
        [seen, at, inARow] = [tickers, performance.now(), isSo(gapMs) ? inARow + 1 : 0];
        return inARow >= 3;
      },
      limitMs,
    );
  }

  if (stillMs > 0) {
    it(`sees prices move in Markets, ticket and chart for ${stillMs / 1000} s`, async () => {
      const started = performance.now();
      const longest = { Markets: 0, ticket: 0, chart: 0 };
      const changed = { Markets: 0, ticket: 0, chart: 0 };
      const since = { Markets: started, ticket: started, chart: started };
      let before = await prices();
      await waitFor(
        "the end",
        async () => {
          const now = await prices();
          for (const surface of SURFACES) {
            const age = performance.now() - since[surface];
            longest[surface] = Math.max(longest[surface], age);
            if (now[surface] === before[surface]) continue;
            changed[surface] += 1;
            since[surface] = performance.now();
          }
          before = now;
          await assertFresh();
          return performance.now() - started >= stillMs;
        },
        stillMs + 30_000,
      );
      await workbench.screenshot("stillness");
      const figures = SURFACES.map(
        (surface) =>
          `${surface} ${changed[surface]} times, at most ${Math.round(longest[surface] / 1000)} s apart`,
      );
      console.log(
        `      nothing touched for ${stillMs / 1000} s, ${exchange.requests.tickers} polls: ${figures.join("; ")}`,
      );
      for (const surface of SURFACES) assert.ok(longest[surface] <= 6 * REFRESH_MS, figures.join("; "));
    });
    return;
  }

  it("sees prices move in Markets, ticket and chart after the editor counts the user as away", async () => {
    await move(2);
    // The editor does so after a minute without input; the exchange is asked a quarter as often from then on.
    await within("be away", async () => {
      await waitForPolls("a slower pace", (gapMs) => gapMs > 3 * REFRESH_MS, 120_000);
      await move(3);
    });
    await assertFresh();
    await workbench.screenshot("stillness");
  });

  it("gets the usual pace again by typing in the ticket, which the editor does not count as input", async () => {
    await ticket.locator("#amount").press("5");
    await waitForPolls("the usual pace", (gapMs) => gapMs < 2 * REFRESH_MS, 14_000);
    await move(2);
  });

  it("reads the same growing age in Markets, ticket and chart after the exchange is gone", async () => {
    await exchange.close();
    const seconds = async (): Promise<number | undefined> => {
      const texts = await Promise.all([
        workbench.message.innerText(),
        ticket.locator("#age").innerText(),
        chart.locator("#age").innerText(),
      ]);
      const [first, ...others] = texts.map((text) => /Prices are (\d+) sec old\./.exec(text)?.[1]);
      return first !== undefined && others.every((each) => each === first) ? Number(first) : undefined;
    };
    const before = await waitFor("the same age in all three", seconds);
    await waitFor("the age to grow", async () => ((await seconds()) ?? 0) >= before + 3);
    await workbench.message.filter({ hasText: "cannot be reached" }).waitFor();
    for (const page of [ticket, chart])
      await page.locator("#note", { hasText: "cannot be reached" }).waitFor();
    await workbench.screenshot("ages");
  });
});
