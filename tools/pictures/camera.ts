import type { Locator } from "playwright-core";
import sharp from "sharp";
import type { Workbench } from "../../test/journeys/support/workbench.ts";
import { areaOf } from "./stage.ts";

/** Duration of a frame, ms. */
const FRAME_MS = 260;
/** Number of frames per pointer movement. */
const STEPS = 3;
/** Duration of a frame of a movement, relative to other frames. */
const QUICK = 0.4;

interface Frame {
  readonly picture: Buffer;
  /** Duration relative to other frames. */
  readonly share: number;
}

export type Point = readonly [x: number, y: number];

/** Takes the frames of an animation. It draws a pointer, because screenshots contain none. */
export class Camera {
  readonly #frames: Frame[] = [];
  readonly #workbench: Workbench;
  #at: Point;

  constructor(workbench: Workbench, at: Point) {
    this.#workbench = workbench;
    this.#at = at;
  }

  async showPointer(): Promise<void> {
    await this.#workbench.page.evaluate(`{
      const pointer = document.createElement("div");
      pointer.id = "pointer";
      pointer.style.cssText = "position: fixed; z-index: 1000000; width: 16px; height: 24px; pointer-events: none; "
        + "background: white; clip-path: polygon(0 0, 0 20px, 5px 16px, 8px 23px, 11px 22px, 8px 15px, 15px 15px);";
      document.body.append(pointer);
    }`);
    await this.#drawPointer(this.#at);
  }

  async shoot(count: number, share = 1): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const picture = await this.#workbench.page.screenshot({ animations: "disabled", caret: "hide" });
      this.#frames.push({ picture, share });
    }
  }

  /** Moves the pointer to the centre of an element, and clicks it. */
  async click(part: Locator): Promise<void> {
    const { x, y, width, height } = await areaOf(part);
    await this.move([x + width / 2, y + height / 2]);
    await part.click();
  }

  /** Moves the pointer and the mouse. */
  async move(to: Point): Promise<void> {
    const from = this.#at;
    for (let step = 1; step <= STEPS; step += 1) {
      const between = (index: 0 | 1): number => from[index] + ((to[index] - from[index]) * step) / STEPS;
      const point = [between(0), between(1)] as const;
      await this.#workbench.page.mouse.move(...point, { steps: 3 });
      await this.#drawPointer(point);
      await this.shoot(1, QUICK);
    }
  }

  async drag(from: Point, to: Point): Promise<void> {
    const { mouse } = this.#workbench.page;
    await this.move(from);
    await mouse.down();
    await this.move(to);
    await mouse.up();
  }

  async #drawPointer(to: Point): Promise<void> {
    this.#at = to;
    const [x, y] = to;
    await this.#workbench.page.evaluate(
      `Object.assign(document.getElementById("pointer").style, { left: "${x}px", top: "${y}px" })`,
    );
  }

  /** The frames as an animated GIF. */
  async animation(): Promise<Buffer> {
    return await sharp(
      this.#frames.map(({ picture }) => picture),
      { join: { animated: true } },
    )
      // Without dithering, so that unchanged areas take no space.
      .gif({
        colours: 128,
        dither: 0,
        delay: this.#frames.map(({ share }) => Math.round(FRAME_MS * share)),
        loop: 0,
        effort: 10,
      })
      .toBuffer();
  }
}
