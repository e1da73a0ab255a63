import assert from "node:assert/strict";
import type { FrameLocator } from "playwright-core";
import { waitFor } from "../support/waitFor.ts";
import { showChart } from "./support/openChart.ts";
import { TRY_MS, untilShown } from "./support/repeat.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

interface Picture {
  readonly naturalWidth: number;
  readonly complete: boolean;
}

/** Opens the page of the extension, as a person does from the list of extensions. */
async function openPage(workbench: Workbench): Promise<FrameLocator> {
  const listed = workbench.page.locator(".extension-list-item", { hasText: "Bidside" }).first();
  await untilShown("Ctrl+Shift+X", () => workbench.press("Control+Shift+X"), listed);
  await listed.click();
  const page = workbench.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  await page.locator("h1", { hasText: "Bidside" }).waitFor();
  return page;
}

async function openWalkthrough(workbench: Workbench): Promise<void> {
  const steps = workbench.page.locator(".getting-started-step");
  const open = async (): Promise<void> => {
    await workbench.command("Welcome: Open Walkthrough");
    await workbench.quickInput.locator("input.input").fill("Bidside", { timeout: TRY_MS });
    await workbench.pick("Get Started with Bidside", TRY_MS);
  };
  await untilShown("Open Walkthrough", open, steps);
}

/** The width of each picture in its own pixels, after all have loaded or failed; 0 for a broken picture. */
async function widths(pictures: ReturnType<FrameLocator["locator"]>): Promise<number[]> {
  const all = await waitFor("every picture to have loaded or failed", async () => {
    const found = await pictures.evaluateAll((images) =>
      (images as unknown as Picture[]).map(({ naturalWidth, complete }) => ({ naturalWidth, complete })),
    );
    return found.every(({ complete }) => complete) ? found : undefined;
  });
  return all.map(({ naturalWidth }) => naturalWidth);
}

describe("the pages of the extension in the editor", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
    await workbench.page.setViewportSize({ width: 1600, height: 1000 });
  });
  after(() => leaveEditor());

  it("have no broken picture while the repository's files are private", async () => {
    const page = await openPage(workbench);
    await page.locator("h2", { hasText: "Safety" }).waitFor();
    assert.deepEqual(
      (await widths(page.locator("img"))).filter((width) => width === 0),
      [],
    );
  });

  it("tick the steps that were done before the walkthrough was opened", async () => {
    await showChart(workbench, "THB_BTC");
    await openWalkthrough(workbench);
    const done = workbench.page.locator(".getting-started-step .codicon-getting-started-step-checked");
    await waitFor("two steps to be ticked", async () => (await done.count()) >= 2);
  });

  it("show a picture in each step of the walkthrough", async () => {
    const steps = workbench.page.locator(".getting-started-step");
    await steps.first().waitFor();
    assert.equal(await steps.count(), 7);
    for (const [step, name] of ["watch", "chart", "bid", "alert", "live"].entries()) {
      // The first step that is not ticked is open already.
      const isOpen = (await steps.nth(step).getAttribute("class"))?.includes("expanded") === true;
      if (!isOpen) await steps.nth(step).locator(".step-title").click();
      const picture = workbench.page.locator(`.getting-started-media img[srcset*="${name}-dark.png"]`);
      const [width = 0] = await waitFor("the picture", async () => {
        const found = await widths(picture);
        return found.length === 1 ? found : undefined;
      });
      assert.ok(width > 300, `${name} has ${width} pixels`);
    }
  });
});
