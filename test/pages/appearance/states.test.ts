import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { violationsIn } from "../../support/pages/axe.ts";
import { chartStates } from "../../support/pages/chartStates.ts";
import { cutOff } from "../../support/pages/cutOff.ts";
import { exchangeStates } from "../../support/pages/exchange.ts";
import { fontNames } from "../../support/pages/fonts.ts";
import type { HostedPage } from "../../support/pages/hostedPage.ts";
import { portfolioStates } from "../../support/pages/portfolio.ts";
import { ticketStates } from "../../support/pages/ticketStates.ts";
import { keepPicture } from "../../support/picture.ts";
import { themes, type Theme } from "../../support/themes.ts";

const HEIGHT = 860;
/** In CSS pixels: from a narrow column beside the code to a window of its own. */
const SIZES = [300, 360, 500, 800].map((width) => ({ width, height: HEIGHT }));
/** At 200 percent, a window has half as many pixels in each direction. */
const ZOOMED = [900, 1280].map((width) => ({ width: width / 2, height: HEIGHT / 2 }));
/** Smaller than the ticket's form: a laptop's editor above a panel, and a narrow and low one. */
const LOW = [
  { width: 620, height: 560 },
  { width: 360, height: 500 },
];
/** Wide enough for the order book beside the order. */
const WIDE = { width: 900, height: 900 };

/** Every state of every page, checked here, and by people in pictures under .vscode-test/screenshots/. */
for (const { name, open } of [...ticketStates, ...chartStates, ...exchangeStates, ...portfolioStates])
  describe(`the page in the state ${name}`, () => {
    let page: HostedPage<unknown, never>;
    before(async () => {
      page = await open();
    });
    after(() => page.close());

    it("has no violation in any theme", async () => {
      await page.resize(WIDE);
      for (const [index, theme] of (Object.keys(themes) as Theme[]).entries()) {
        await page.useLook(theme, "narrow");
        await keepPicture(page.page, `${theme}-${name}`);
        assert.deepEqual(await violationsIn(page.page, index === 0 ? "all" : "colours"), [], theme);
      }
    });

    if (name.startsWith("ticket-"))
      it("has its button and its outcome in view where the form is higher than the page", async () => {
        for (const font of fontNames) {
          await page.useLook("light2026", font);
          for (const size of LOW) {
            await page.resize(size);
            for (const id of ["submit", "status", "status-action"])
              if (await page.get(id).isVisible())
                assert.ok(await isInView(page.get(id), size), `${id} at ${size.width} px, ${font}`);
          }
        }
      });

    it("cuts no text off at any width or at 200 percent, in a narrow and in a wide font", async () => {
      for (const font of fontNames) {
        await page.useLook("light2026", font);
        for (const [index, size] of [...SIZES, ...ZOOMED].entries()) {
          await page.resize(size);
          assert.deepEqual(await cutOff(page.page.locator("html")), [], `${font} at ${size.width} px`);
          if (index === 0) await keepPicture(page.page, `${font}-${name}`);
        }
      }
    });
  });

async function isInView(shown: Locator, { height }: { readonly height: number }): Promise<boolean> {
  const box = (await shown.boundingBox()) ?? assert.fail("is not shown");
  return box.y >= 0 && box.y + box.height <= height;
}
