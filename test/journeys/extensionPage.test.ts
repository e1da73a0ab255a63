import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { packageBuilt } from "../../tools/packageExtension.ts";
import { root } from "../../tools/paths.ts";
import { within } from "../../tools/test/story.ts";
import { waitFor } from "../support/waitFor.ts";
import { openChart } from "./support/openChart.ts";
import { leaveEditor, takeEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

/** A test serves the repository's files at this address as if public. No request leaves the computer. */
const PUBLIC = "https://pictures.example.com/";

interface Picture {
  readonly naturalWidth: number;
  readonly complete: boolean;
}

/** Opens the page of the extension, as a person does from the list of extensions. */
async function openPage(workbench: Workbench): Promise<FrameLocator> {
  await workbench.press("Control+Shift+X");
  await workbench.page.locator(".extension-list-item", { hasText: "Bidside" }).first().click();
  const page = workbench.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  await page.locator("h1", { hasText: "Bidside" }).waitFor();
  return page;
}

async function openWalkthrough(workbench: Workbench): Promise<void> {
  await workbench.command("Welcome: Open Walkthrough");
  await workbench.quickInput.locator("input.input").fill("Bidside");
  await workbench.pick("Get Started with Bidside");
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
  after(() => leaveEditor(workbench));

  it("have no broken picture while the repository's files are private", async () => {
    const page = await openPage(workbench);
    await workbench.useTheme("light2026");
    await page.locator("h2", { hasText: "Safety" }).waitFor();
    assert.deepEqual(
      (await widths(page.locator("img"))).filter((width) => width === 0),
      [],
    );
    await workbench.screenshot("extension-page");
  });

  it("tick the steps that were done before the walkthrough was opened", async () => {
    await openChart(workbench, "THB_BTC");
    await openWalkthrough(workbench);
    const done = workbench.page.locator(".getting-started-step .codicon-getting-started-step-checked");
    await waitFor("two steps to be ticked", async () => (await done.count()) >= 2);
  });

  it("show a picture in each step of the walkthrough", async () => {
    const steps = workbench.page.locator(".getting-started-step");
    await steps.first().waitFor();
    assert.equal(await steps.count(), 5);
    for (const [step, name] of ["watch", "chart", "bid", "alert", "live"].entries()) {
      // The first step that is not ticked is open already.
      const isOpen = (await steps.nth(step).getAttribute("class"))?.includes("expanded") === true;
      if (!isOpen) await steps.nth(step).locator(".step-title").click();
      const picture = workbench.page.locator(`.getting-started-media img[srcset*="${name}-light.png"]`);
      const [width = 0] = await waitFor("the picture", async () => {
        const found = await widths(picture);
        return found.length === 1 ? found : undefined;
      });
      assert.ok(width > 300, `${name} has ${width} pixels`);
      await workbench.screenshot(`walkthrough-${name}`);
    }
  });
});

describe("the extension's page with public files of the repository", () => {
  let workbench: Workbench;
  let folder: string;
  let asked: string[];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "bidside-pictures-"));
    const vsix = join(folder, "bidside.vsix");
    await within("open an editor", () => packageBuilt(vsix, PUBLIC));
    workbench = await takeEditor();
    await workbench.install(vsix);
    asked = [];
    await workbench.page.context().route(`${PUBLIC}**`, async (route) => {
      const path = new URL(route.request().url()).pathname;
      asked.push(path);
      await route.fulfill({
        body: readFileSync(join(root, path)),
        contentType: path.endsWith(".gif") ? "image/gif" : "image/png",
      });
    });
  });
  after(async () => {
    await leaveEditor(workbench);
    rmSync(folder, { recursive: true, force: true });
  });

  it("shows every picture of README, sharp on a screen with two device pixels for each pixel", async () => {
    const page = await openPage(workbench);
    const picture = page.locator("img");
    await picture.first().waitFor();
    for (const width of await widths(picture)) assert.ok(width > 1000, `${width} pixels`);
    const named = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)];
    assert.deepEqual(asked.toSorted(), named.map(([, path]) => `/${path}`).toSorted());
    await workbench.screenshot("extension-page-with-pictures");
  });
});
