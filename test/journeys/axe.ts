import axe from "axe-core";
import type { Frame } from "playwright-core";
import { within } from "../support/story.ts";

interface AxePage {
  axe?: {
    run(options: { resultTypes: string[] }): Promise<{
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    }>;
  };
}

/** Violations that axe-core finds in a page, one line each: rule, element, what to mend. */
export async function violationsIn(page: Frame): Promise<string[]> {
  if (!(await page.evaluate(() => (globalThis as AxePage).axe !== undefined)))
    await page.evaluate(axe.source);
  const look = (): Promise<string[]> =>
    page.evaluate(async () => {
      // What passes is not described: of a table of 720 rows this took most of the time.
      const found = await (globalThis as AxePage).axe?.run({ resultTypes: ["violations"] });
      if (!found) throw new Error("axe is not in the page.");
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
      );
    });
  return await within("look with axe", look);
}
