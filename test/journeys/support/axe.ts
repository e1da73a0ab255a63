import axe from "axe-core";
import type { Frame } from "playwright-core";
import { within } from "../../../tools/test/story.ts";

interface AxePage {
  axe?: {
    run(
      context: { exclude: string[][] },
      options: { resultTypes: string[] },
    ): Promise<{
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    }>;
  };
}

/** Rows of a table that are built like the 30 above them: axe would spend most of its time on these. */
const MORE_OF_THE_SAME = "tbody tr:nth-child(n + 31)";

/** Violations that axe-core finds in a page, one line each: rule, element, what to mend. */
export async function violationsIn(page: Frame): Promise<string[]> {
  if (!(await page.evaluate(() => (globalThis as AxePage).axe !== undefined)))
    await page.evaluate(axe.source);
  const look = (): Promise<string[]> =>
    page.evaluate(async (rest) => {
      const found = await (globalThis as AxePage).axe?.run(
        { exclude: [[rest]] },
        { resultTypes: ["violations"] },
      );
      if (!found) throw new Error("axe is not in the page.");
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
      );
    }, MORE_OF_THE_SAME);
  return await within("look with axe", look);
}
