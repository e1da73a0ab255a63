import { dirname, join } from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { commandIds } from "../../src/contributions.ts";
import { startPractice } from "../../src/practice/http/server.ts";
import { openChart, toggleStudy } from "../../test/journeys/support/openChart.ts";
import { livePair } from "../../test/journeys/support/live.ts";
import { pageWith } from "../../test/journeys/support/pages.ts";
import { untilShown } from "../../test/journeys/support/repeat.ts";
import { rowMenu, star } from "../../test/journeys/support/rows.ts";
import type { Theme } from "../../test/support/themes.ts";
import { Workbench } from "../../test/journeys/support/workbench.ts";
import { ledgerOf, PAIR } from "./practiceAccount.ts";
import { coldWallet, recordValues } from "./recordedValues.ts";
import {
  type Area,
  areaOf,
  drag,
  files,
  lookLikeDesktop,
  openFile,
  restPointer,
  save,
  settings,
  unfold,
} from "./stage.ts";

/** Window size of the largest picture. */
const WHOLE = { width: 1600, height: 940 };
/** Window sizes of the other pictures, smaller so that their content is larger in the README. */
const PART = { width: 1180, height: 640 };
const LOW = { width: 1180, height: 500 };
const SMALL = { width: 820, height: 480 };
const TALL = { width: 1180, height: 700 };
/** Includes the side bar and most of the chart. */
const WATCH_WIDTH = 820;
/** Includes the box with the lists. */
const LISTS_WIDTH = 900;
const SCALE = 2;
const SIDEBAR_WIDTH = 410;
/** Wide enough for the order book beside the form. */
const TICKET_WIDTH = 725;
const CHART_HEIGHT = 600;
/** Height of a page's title, which is cropped because the page repeats it. */
const TITLE_HEIGHT = 36;
/** Space around a part of a page. */
const MARGIN = 16;

const MAX_BYTES = { hero: 600_000, readme: 300_000, walkthrough: 200_000 } as const;

/** Distance of the alerts from the last price, small enough for the market to reach one soon. */
const NEAR = 0.0005;

/** Shown in the picture of the chart. */
const STUDIES = ["EMA", "Bollinger", "RSI"];

type Shade = "dark" | "light";

/** Takes the walkthrough's pictures in one theme and, in the dark theme, those of the README. */
export async function takeStills(theme: Theme, shade: Shade): Promise<void> {
  const storage = { "practice/ledger.log": ledgerOf(Date.now()) };
  const workbench = await Workbench.open(theme, { files, storage, settings, size: WHOLE, scale: SCALE });
  try {
    await new Stills(workbench, shade).take();
  } catch (error) {
    await workbench.screenshot(`failed-pictures-${shade}`);
    throw error;
  } finally {
    await workbench.close();
  }
}

class Stills {
  readonly #workbench: Workbench;
  readonly #shade: Shade;

  constructor(workbench: Workbench, shade: Shade) {
    this.#workbench = workbench;
    this.#shade = shade;
  }

  async take(): Promise<void> {
    await lookLikeDesktop(this.#workbench);
    await this.#arrange();
    await this.#trade();
    await this.#chart();
    await this.#watch();
    await this.#lists();
    await this.#orders();
    await this.#alerts();
    await this.#portfolio();
    await this.#live();
  }

  /**
   * Places the chart above the code, and the ticket on the right. A page opens in the active group, unless that has
   * another page.
   */
  async #arrange(): Promise<void> {
    const workbench = this.#workbench;
    const { page } = workbench;
    await workbench.row(PAIR).waitFor();
    for (const view of ["Orders", "Wallet"]) await unfold(workbench, view);
    await openFile(workbench, "average.py");
    await workbench.press("Control+Backslash");
    await this.#group(1).waitFor();
    await workbench.openTicket();
    await workbench.press("Control+1");
    await page.locator(".editor-group-container.active .view-lines").waitFor();
    await workbench.command("View: Split Editor Down");
    await this.#group(2).waitFor();
    await workbench.press("Control+1");
    await openChart(workbench, PAIR);
    await this.#widenSidebar(SIDEBAR_WIDTH);
    const ticket = await areaOf(this.#group(2));
    await drag(workbench, [ticket.x, 300], [WHOLE.width - TICKET_WIDTH, 300]);
    const code = await areaOf(this.#group(1));
    await drag(workbench, [code.x + 100, code.y], [code.x + 100, CHART_HEIGHT]);
    // Makes room for the rows of Wallet.
    await this.#raise("Orders", 210);
    await this.#raise("Alerts", 150);
  }

  /** Buys, then takes pictures of the whole window and of the next order's ticket. */
  async #trade(): Promise<void> {
    const workbench = this.#workbench;
    const { form } = workbench;
    await workbench.draft({ symbol: PAIR, amount: "20000" });
    await form.locator("#ask-3").click();
    await workbench.submit();
    await workbench.answerModal("Buy on Practice");
    await workbench.outcome("accepted your order");
    await workbench.orders.filter({ hasText: /Buy BTC.* · Filled/ }).waitFor();
    await this.#expand(workbench.wallet.filter({ hasText: "BTC" }));
    await workbench.draft({ amount: "5000" });
    await form.locator("#ask-4").click();
    await form.locator("#book-fill-share", { hasText: "all" }).waitFor();
    // Takes the focus off the chosen level.
    await form.locator("#heading").click();
    await restPointer(workbench);
    if (this.#shade === "dark") await save(workbench, "screenshot.png", MAX_BYTES.hero);
    const ticket = await areaOf(this.#group(2));
    const button = await areaOf(form.locator("#submit"));
    const top = ticket.y + TITLE_HEIGHT;
    const order = { ...ticket, y: top, height: button.y + button.height + MARGIN - top };
    await this.#keepReadme("trade", order);
    await this.#keepStep("bid", order);
  }

  async #chart(): Promise<void> {
    const workbench = this.#workbench;
    const { page, chart } = workbench;
    await page.setViewportSize(PART);
    await workbench.press("Control+1");
    await workbench.command("View: Toggle Maximize Editor Group");
    await this.#widenSidebar(380);
    for (const study of STUDIES) await toggleStudy(workbench, study);
    await chart.locator("#pane-legends .study").first().waitFor();
    const { x, y, width, height } = await areaOf(chart.locator("#chart"));
    await page.mouse.move(x + width * 0.55, y + height * 0.48, { steps: 3 });
    await chart.locator("#pick-bid").waitFor();
    const area = await areaOf(this.#group(0));
    await this.#keepReadme("chart", area);
    await this.#keepStep("chart", area);
    // The other pictures have less room.
    for (const study of STUDIES) await toggleStudy(workbench, study);
  }

  async #watch(): Promise<void> {
    const workbench = this.#workbench;
    const { page } = workbench;
    for (const view of ["Orders", "Wallet"]) await unfold(workbench, view, false);
    for (const symbol of [PAIR, "THB_ETH", "THB_SOL"]) await star(workbench, symbol);
    for (const symbol of ["THB_ETH", "THB_SOL"])
      await rowMenu(workbench, workbench.row(symbol), "Pin to Status Bar", workbench.pinned(symbol));
    await page.setViewportSize(LOW);
    await restPointer(workbench);
    const sidebar = await areaOf(page.locator(".part.sidebar"));
    await this.#keepStep("watch", sidebar);
    await this.#keepReadme("watch", { x: 0, y: 0, width: WATCH_WIDTH, height: LOW.height });
  }

  /** A watch list, and the choice of another one. */
  async #lists(): Promise<void> {
    const workbench = this.#workbench;
    const { page } = workbench;
    await workbench.openBox("Bidside: Import Watch Lists", "Import Watch Lists");
    const imported = page.locator(".statusbar-item", { hasText: "New pairs" });
    await workbench.chooseFile(join(workbench.userDataDir, "workspace", "lists.json"), imported);
    const choose = (): Promise<void> => workbench.openBox("Bidside: Switch Watch List", "Switch Watch List");
    await choose();
    await workbench.pick("Layer 1");
    await workbench.header("Markets").filter({ hasText: "Layer 1" }).waitFor();
    await choose();
    await restPointer(workbench);
    const area = { x: 0, y: 0, width: LISTS_WIDTH, height: LOW.height };
    await this.#keepReadme("lists", area);
    await this.#keepStep("lists", area);
    await workbench.pick("All Pairs");
  }

  async #orders(): Promise<void> {
    const workbench = this.#workbench;
    await workbench.page.setViewportSize(TALL);
    await unfold(workbench, "Markets", false);
    for (const view of ["Orders", "Wallet"]) await unfold(workbench, view);
    await this.#widenSidebar(720);
    await this.#expand(
      workbench.orders.filter({ hasText: /Buy BTC/, has: workbench.page.locator(".codicon-globe") }),
    );
    await workbench.orders
      .filter({ hasText: /fee [\d.]+ THB/ })
      .first()
      .waitFor();
    await restPointer(workbench);
    await this.#keepReadme("orders", await areaOf(workbench.page.locator(".part.sidebar")));
  }

  async #alerts(): Promise<void> {
    const workbench = this.#workbench;
    const { page } = workbench;
    for (const view of ["Orders", "Wallet"]) await unfold(workbench, view, false);
    await unfold(workbench, "Alerts");
    await this.#widenSidebar(400);
    await page.setViewportSize(SMALL);
    await this.#addAlert("3%");
    await this.#addAlert(await this.#priceAt(1 + NEAR));
    await this.#addAlert(await this.#priceAt(1 - NEAR));
    const toast = page.locator(".notification-toast", { hasText: "BTC/THB" });
    await toast.first().waitFor({ timeout: 180_000 });
    await workbench.chart.locator("#pair").click();
    await restPointer(workbench);
    const window = { x: 0, y: 0, ...SMALL };
    await this.#keepReadme("alerts", window);
    await this.#keepStep("alert", window);
    await workbench.command("Notifications: Clear All Notifications");
  }

  /** The last price times `factor`, as text. */
  async #priceAt(factor: number): Promise<string> {
    const last = Number((await this.#workbench.chart.locator("#last").innerText()).replaceAll(/[^\d.]/g, ""));
    return (last * factor).toFixed(2);
  }

  /** For the pair of the chart. */
  async #addAlert(text: string): Promise<void> {
    const workbench = this.#workbench;
    const title = "Add Alert: BTC/THB";
    await workbench.openBox("Bidside: Add Alert…", title);
    await workbench.type(title, text);
  }

  async #portfolio(): Promise<void> {
    const workbench = this.#workbench;
    recordValues(dirname(workbench.journalFolder), Date.now());
    for (const { asset, quantity, cost, place } of coldWallet) {
      await workbench.openBox("Bidside: Add Holding…", "Add Holding");
      for (const [prompt, text] of [
        ["Which asset", asset],
        [`How much ${asset}`, quantity],
        ["What did you pay", cost],
        ["Where is it", place],
      ] as const) {
        await workbench.quickInput.getByText(prompt).waitFor();
        await workbench.type("Add Holding", text);
      }
    }
    for (const view of ["Markets", "Alerts"]) await unfold(workbench, view, false);
    await unfold(workbench, "Wallet");
    await workbench.page.setViewportSize(TALL);
    await this.#widenSidebar(400);
    const page: FrameLocator = pageWith(workbench.page, "#days");
    const open = (): Promise<void> => workbench.run(commandIds.openPortfolio);
    await untilShown("Open Portfolio", open, page.locator("#plot path"));
    await workbench.wallet.filter({ hasText: "cold wallet" }).first().waitFor();
    await restPointer(workbench);
    await this.#keepReadme("portfolio", { x: 0, y: 0, ...TALL });
    await this.#keepStep("portfolio", await areaOf(this.#group(0)));
    await workbench.run("workbench.action.closeActiveEditor");
  }

  async #live(): Promise<void> {
    const workbench = this.#workbench;
    const exchange = await startPractice({ credentials: livePair, now: Date.now, api: "current" });
    try {
      await workbench.page.setViewportSize(TALL);
      await workbench.command("Bidside: Add Account");
      await workbench.type("Live Exchange", exchange.baseUrl);
      await workbench.type("API Key for", livePair.apiKey);
      await workbench.type("API Secret for", livePair.apiSecret);
      await workbench.exchangePage.getByRole("button", { name: "Switch to Live" }).waitFor();
      await restPointer(workbench);
      const { x, y } = await areaOf(workbench.exchangePage.locator("#title"));
      const sections = await areaOf(workbench.exchangePage.locator("#sections"));
      const [left, top] = [x - MARGIN, y - MARGIN];
      const height = sections.y + sections.height + MARGIN - top;
      await this.#keepStep("live", { x: left, y: top, width: sections.width + 2 * MARGIN, height });
    } finally {
      await exchange.close();
    }
  }

  async #expand(row: Locator): Promise<void> {
    await row.first().locator(".monaco-tl-twistie").click();
  }

  #group(index: number): Locator {
    return this.#workbench.page.locator(`.editor-group-container >> nth=${index}`);
  }

  /** Moves the upper edge of a view up by `by` px. */
  async #raise(view: string, by: number): Promise<void> {
    const { x, y } = await areaOf(this.#workbench.header(view));
    await drag(this.#workbench, [x + 100, y], [x + 100, y - by]);
  }

  async #widenSidebar(width: number): Promise<void> {
    const { x, width: before } = await areaOf(this.#workbench.page.locator(".part.sidebar"));
    await drag(this.#workbench, [x + before, 300], [x + width, 300]);
  }

  async #keepReadme(name: string, area: Area): Promise<void> {
    if (this.#shade === "dark") await save(this.#workbench, `readme/${name}.png`, MAX_BYTES.readme, area);
  }

  async #keepStep(name: string, area: Area): Promise<void> {
    await save(this.#workbench, `walkthrough/${name}-${this.#shade}.png`, MAX_BYTES.walkthrough, area);
  }
}
