import type { Locator } from "playwright-core";
import sharp from "sharp";
import { Workbench } from "../../test/journeys/support/workbench.ts";
import { areaOf, drag, lookLikeDesktop, restPointer, settings, unfold, writePicture } from "./stage.ts";

const SIZE = { width: 1120, height: 850 };
const LENGTH_MS = 8000;
const MAX_BYTES = 2_000_000;
/** Number of frames per pointer movement. */
const STEPS = 3;
/** Duration of a frame of a movement, relative to other frames. */
const QUICK = 0.4;

interface Frame {
  readonly picture: Buffer;
  /** Duration relative to other frames. */
  readonly share: number;
}

/**
 * Records the README's animation: choosing a pair and a level of the order book, confirmation, fill, and the result in
 * Wallet.
 */
export async function takeMovingPicture(): Promise<void> {
  const workbench = await Workbench.open("dark2026", { settings, size: SIZE });
  try {
    writePicture("live-market.gif", await animate(await filmTrade(workbench)), MAX_BYTES);
  } catch (error) {
    await workbench.screenshot("failed-moving-picture");
    throw error;
  } finally {
    await workbench.close();
  }
}

async function filmTrade(workbench: Workbench): Promise<Frame[]> {
  const { form, modal, page, wallet } = workbench;
  const camera = new Camera(workbench);
  await lookLikeDesktop(workbench);
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
  return camera.frames;
}

/** Takes the frames. It draws a pointer, because screenshots contain none. */
class Camera {
  readonly frames: Frame[] = [];
  readonly #workbench: Workbench;
  #at: readonly [x: number, y: number] = [SIZE.width * 0.75, SIZE.height * 0.7];

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  async showPointer(): Promise<void> {
    await this.#workbench.page.evaluate(`{
      const pointer = document.createElement("div");
      pointer.id = "pointer";
      pointer.style.cssText = "position: fixed; z-index: 1000000; width: 16px; height: 24px; pointer-events: none; "
        + "background: white; clip-path: polygon(0 0, 0 20px, 5px 16px, 8px 23px, 11px 22px, 8px 15px, 15px 15px);";
      document.body.append(pointer);
    }`);
    await this.#movePointer(this.#at);
  }

  async shoot(count: number, share = 1): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const picture = await this.#workbench.page.screenshot({ animations: "disabled", caret: "hide" });
      this.frames.push({ picture, share });
    }
  }

  /** Moves the pointer to the centre of an element, and clicks it. */
  async click(part: Locator): Promise<void> {
    const { x, y, width, height } = await areaOf(part);
    const to = [x + width / 2, y + height / 2] as const;
    const from = this.#at;
    for (let step = 1; step <= STEPS; step += 1) {
      const between = (index: 0 | 1): number => from[index] + ((to[index] - from[index]) * step) / STEPS;
      await this.#movePointer([between(0), between(1)]);
      await this.shoot(1, QUICK);
    }
    await part.click();
  }

  async #movePointer(to: readonly [x: number, y: number]): Promise<void> {
    this.#at = to;
    const [x, y] = to;
    await this.#workbench.page.evaluate(
      `Object.assign(document.getElementById("pointer").style, { left: "${x}px", top: "${y}px" })`,
    );
  }
}

async function animate(frames: readonly Frame[]): Promise<Buffer> {
  const shares = frames.reduce((sum, { share }) => sum + share, 0);
  return await sharp(
    frames.map(({ picture }) => picture),
    { join: { animated: true } },
  )
    // Without dithering, so that unchanged areas take no space.
    .gif({
      colours: 128,
      dither: 0,
      delay: frames.map(({ share }) => Math.round((LENGTH_MS * share) / shares)),
      loop: 0,
      effort: 10,
    })
    .toBuffer();
}
