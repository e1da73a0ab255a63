import type { Locator } from "playwright-core";
import { openChart } from "../../test/journeys/support/openChart.ts";
import { Workbench } from "../../test/journeys/support/workbench.ts";
import { Camera, type Point } from "./camera.ts";
import { PAIR } from "./practiceAccount.ts";
import { areaOf, drag, lookLikeDesktop, restPointer, settings, unfold, writePicture } from "./stage.ts";

interface Film {
  /** File below media/. */
  readonly name: string;
  /** Window size in CSS pixels. */
  readonly size: { readonly width: number; readonly height: number };
  readonly play: (workbench: Workbench, camera: Camera) => Promise<void>;
}

const films: readonly Film[] = [
  { name: "live-market.gif", size: { width: 1120, height: 850 }, play: trade },
  { name: "live-chart.gif", size: { width: 1120, height: 700 }, play: watch },
];

const MAX_BYTES = 2_000_000;

/** Distance of the alert from the last price, small enough for the market to reach it soon. */
const NEAR = 0.0003;
/** Where the line is drawn, as a share of the chart's height. */
const LEVEL = 0.6;

/** Records the README's animations. */
export async function takeMovingPictures(): Promise<void> {
  for (const film of films) await take(film);
}

async function take({ name, size, play }: Film): Promise<void> {
  const workbench = await Workbench.open("dark2026", { settings, size });
  try {
    const camera = new Camera(workbench, [size.width * 0.75, size.height * 0.7]);
    await lookLikeDesktop(workbench);
    await play(workbench, camera);
    writePicture(name, await camera.animation(), MAX_BYTES);
  } catch (error) {
    await workbench.screenshot(`failed-${name}`);
    throw error;
  } finally {
    await workbench.close();
  }
}

/** Chooses a pair and a level of the order book, confirms, and shows the fill and the result in Wallet. */
async function trade(workbench: Workbench, camera: Camera): Promise<void> {
  const { form, modal, page, wallet } = workbench;
  await unfold(workbench, "Wallet");
  await workbench.openTicket();
  const sidebar = await areaOf(page.locator(".part.sidebar"));
  await drag(workbench, [sidebar.x + sidebar.width, 300], [385, 300]);
  await workbench.draft({ symbol: "THB_ETH", amount: "5000" });
  await form.locator("#ladder .level:visible").nth(29).waitFor();
  // Makes room for the result below the asset.
  const alerts = await areaOf(workbench.header("Alerts"));
  await drag(workbench, [alerts.x + 100, alerts.y], [alerts.x + 100, alerts.y - 110]);
  await restPointer(workbench);
  await camera.showPointer();
  await camera.shoot(2);
  await camera.click(form.locator("#pair"));
  await form.locator("#pair").fill("btc");
  const offered = form.locator("#pair-list [role=option]", { hasText: "BTC" }).first();
  await offered.waitFor();
  await camera.shoot(2);
  await camera.click(offered);
  await form.locator("#ladder .level:visible").nth(29).waitFor();
  if ((await form.locator("#amount").inputValue()) === "") await workbench.draft({ amount: "5000" });
  await camera.shoot(4);
  await camera.click(form.locator("#ask-3"));
  await form.locator("#book-fill-share", { hasText: "all" }).waitFor();
  await camera.shoot(3);
  await camera.click(form.locator("#submit"));
  await modal.waitFor();
  await camera.shoot(4);
  await camera.click(modal.locator(".monaco-button", { hasText: "Buy on Practice" }));
  await workbench.outcome("accepted your order");
  await workbench.orders.filter({ hasText: /Buy BTC.* · Filled/ }).waitFor();
  await wallet.filter({ hasText: "BTC" }).waitFor();
  await camera.shoot(4);
  await camera.click(wallet.filter({ hasText: "BTC" }).locator(".monaco-tl-twistie"));
  await wallet.filter({ hasText: "Unrealised result" }).waitFor();
  await camera.shoot(5);
}

/**
 * Scrolls a chart back, adds a study, draws a line, adds an alert and drags its line to where the market soon is, so that it fires.
 */
async function watch(workbench: Workbench, camera: Camera): Promise<void> {
  const { alerts, chart, page } = workbench;
  await workbench.row(PAIR).waitFor();
  for (const view of ["Orders", "Wallet"]) await unfold(workbench, view, false);
  await unfold(workbench, "Alerts");
  await openChart(workbench, PAIR);
  const sidebar = await areaOf(page.locator(".part.sidebar"));
  await drag(workbench, [sidebar.x + sidebar.width, 300], [345, 300]);
  const plot = await areaOf(chart.locator("#chart"));
  const at = (across: number, down: number): Point => [
    plot.x + plot.width * across,
    plot.y + plot.height * down,
  ];
  const choose = async (item: string): Promise<void> => {
    await camera.click(chart.locator("#menu-button"));
    await camera.shoot(2);
    await camera.click(chart.locator(item));
  };
  await restPointer(workbench);
  await camera.showPointer();
  await camera.shoot(3);

  for (let times = 0; times < 2; times += 1) await camera.drag(at(0.25, 0.6), at(0.7, 0.6));
  await camera.shoot(2);
  await camera.click(chart.locator("#to-newest"));
  await camera.shoot(2);

  await choose('#study-switch [role="menuitemcheckbox"]:has-text("Bollinger")');
  await chart.locator("#legend .study").first().waitFor();
  await camera.shoot(3);

  await choose("#draw-level");
  const level = at(0.5, LEVEL);
  await camera.move(level);
  await camera.shoot(1);
  await page.mouse.click(...level);
  const line = chart.locator("#marks li", { hasText: "Line at" });
  await line.waitFor({ state: "attached" });
  await camera.shoot(3);

  await camera.move(at(0.6, 0.15));
  const button = chart.locator("#pick-alert");
  const { y, height } = await areaOf(button);
  const added = y + height / 2;
  await camera.click(button);
  const row = alerts.filter({ hasText: "rises to" });
  await row.waitFor();
  await camera.shoot(3);

  const last = await priceIn(chart.locator("#last"));
  const [low, high] = [await priceIn(line), await priceIn(row)];
  const wanted = last * (1 + NEAR);
  const target = added + ((level[1] - added) * (high - wanted)) / (high - low);
  const [x] = at(0.3, 0);
  await camera.drag([x, added], [x, target]);
  await camera.shoot(3);
  await page.locator(".notification-toast", { hasText: "BTC/THB" }).waitFor({ timeout: 180_000 });
  await camera.shoot(8);
}

/** The price in the text of an element. */
async function priceIn(part: Locator): Promise<number> {
  return Number(/[\d,]+\.\d+/.exec((await part.textContent()) ?? "")?.[0].replaceAll(",", ""));
}
