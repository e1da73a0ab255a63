import assert from "node:assert/strict";
import { keepPicture } from "../../support/picture.ts";
import { chartStates } from "../../support/pages/chartStates.ts";
import { cutOff } from "../../support/pages/cutOff.ts";
import { exchangeStates } from "../../support/pages/exchange.ts";
import { fontNames } from "../../support/pages/fonts.ts";
import { ticketStates } from "../../support/pages/ticketStates.ts";

const HEIGHT = 860;
/** In CSS pixels: from a narrow column beside the code to a window of its own. */
const SIZES = [300, 360, 500, 800].map((width) => ({ width, height: HEIGHT }));
/** At 200 percent, a window has half as many pixels in each direction. */
const ZOOMED = [900, 1280].map((width) => ({ width: width / 2, height: HEIGHT / 2 }));

/** Every state of every page: pictures of the narrowest are in .vscode-test/screenshots/. */
describe("the pages, in a narrow and in a wide font", () => {
  for (const { name, open } of [...ticketStates, ...chartStates, ...exchangeStates]) {
    it(`cut no text off at any width or at 200 percent in the state ${name}`, async () => {
      const page = await open();
      try {
        for (const font of fontNames) {
          await page.useLook("light2026", font);
          for (const [index, size] of [...SIZES, ...ZOOMED].entries()) {
            await page.resize(size);
            assert.deepEqual(await cutOff(page.page.locator("html")), [], `${font} at ${size.width} px`);
            if (index === 0) await keepPicture(page.page, `${font}-${name}`);
          }
        }
      } finally {
        await page.close();
      }
    });
  }
});
