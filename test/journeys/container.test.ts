import { type Journey, startJourney } from "./support/journey.ts";

describe("A user who just installed Bidside", () => {
  let journey: Journey;

  before(async () => {
    journey = await startJourney();
  });

  after(async () => {
    await journey?.stop();
  });

  it("opens its side bar from the activity bar, in every theme", async () => {
    await journey.openSideBar();
    await journey.page.locator(".sidebar .composite.title", { hasText: /Bidside/i }).waitFor();
    await journey.pictures("side-bar");
  });

  it("finds Place Bid in the command palette", async () => {
    await journey.page.keyboard.press("F1");
    await journey.page.locator(".quick-input-widget input").fill(">Bidside: Place Bid");
    await journey.page
      .locator(".quick-input-list .monaco-list-row", { hasText: "Bidside: Place Bid" })
      .waitFor();
    await journey.page.keyboard.press("Escape");
  });
});
