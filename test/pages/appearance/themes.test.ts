import assert from "node:assert/strict";
import { chartStates } from "../../support/pages/chartStates.ts";
import { exchangeStates } from "../../support/pages/exchange.ts";
import { editorStyles, usedVariables } from "../../support/pages/editorStyles.ts";
import type { PageState } from "../../support/pages/states.ts";
import { portfolioStates } from "../../support/pages/portfolio.ts";
import { ticketStates } from "../../support/pages/ticketStates.ts";
import { themes, type Theme } from "../../support/themes.ts";

const THEMES = Object.keys(themes) as Theme[];
/** Runs in the page: the colour of most pixels along the left edge of the largest canvas. */
const CANVAS_BACKGROUND = `(() => {
  const [canvas] = [...document.querySelectorAll("#chart canvas")].sort(
    (a, b) => b.width * b.height - a.width * a.height,
  );
  const { data } = canvas.getContext("2d").getImageData(3, 0, 1, canvas.height);
  const rows = Array.from({ length: canvas.height }, (_, row) => data.slice(row * 4, row * 4 + 3).join());
  return rows.sort().at(rows.length / 2);
})()`;

/** Runs in the page: how many of its elements have a transition, an animation, or scroll smoothly. */
const MOVING = `[...document.querySelectorAll("*")].filter((each) => {
  const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(each);
  return transitionDuration !== "0s" || animationName !== "none" || scrollBehavior === "smooth";
}).length`;

/** One state of each page. */
const isPlain = ({ name }: PageState): boolean =>
  ["ticket-empty", "chart-live", "exchange", "portfolio"].includes(name);

function backgroundOf(theme: Theme): string {
  const hex = editorStyles().themes[theme].variables["--vscode-editor-background"] ?? "";
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join();
}

describe("the pages in every theme", () => {
  it("draw the chart on the background of each theme, also when the theme changes", async () => {
    const [{ open } = assert.fail()] = chartStates;
    const page = await open();
    try {
      for (const theme of THEMES) {
        await page.useLook(theme, "narrow");
        assert.equal(await page.page.evaluate<string>(CANVAS_BACKGROUND), backgroundOf(theme), theme);
      }
    } finally {
      await page.close();
    }
  });

  it("let nothing move by itself, so that they look the same with reduced motion", async () => {
    for (const { name, open } of [
      ...ticketStates,
      ...chartStates,
      ...exchangeStates,
      ...portfolioStates,
    ].filter(isPlain)) {
      const page = await open();
      try {
        assert.equal(await page.page.evaluate<number>(MOVING), 0, name);
      } finally {
        await page.close();
      }
    }
  });

  it("use only colours that the editor defines in some theme", () => {
    const defined = new Set(
      Object.values(editorStyles().themes).flatMap(({ variables }) => Object.keys(variables)),
    );
    const missing = [...usedVariables()].filter((name) => !defined.has(name));
    assert.deepEqual(missing, []);
  });
});
