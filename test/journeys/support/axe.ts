import axe from "axe-core";
import type { Frame } from "playwright-core";
import { within } from "../../../tools/test/story.ts";

interface AxePage {
  readonly document: { querySelectorAll(selector: string): Iterable<{ hidden: boolean }> };
  axe?: {
    run(
      context: { exclude: string[][] },
      options: { resultTypes: string[]; runOnly?: string[] },
    ): Promise<{
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    }>;
  };
}

/** Rows of a table that are built like the 10 above them: axe would spend most of its time on these. */
const MORE_OF_THE_SAME = "tbody tr:nth-child(n + 11)";

/** Which of axe's rules: all, or those about colours, which are all that a theme can change. */
export type Rules = "all" | "colours";

/** Of axe's rules about colours, those that it uses by default. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** Violations that axe-core finds in a page, one line each: rule, element, what to mend. */
export async function violationsIn(page: Frame, rules: Rules): Promise<string[]> {
  if (!(await page.evaluate(() => (globalThis as unknown as AxePage).axe !== undefined)))
    await page.evaluate(axe.source);
  const look = (): Promise<string[]> =>
    page.evaluate(
      async ({ rest, only }) => {
        const page = globalThis as unknown as AxePage;
        // Axe computes where everything is, also what it leaves out. No rule about colours needs these rows on screen.
        const hidden = only ? [...page.document.querySelectorAll(rest)] : [];
        for (const row of hidden) row.hidden = true;
        try {
          const found = await page.axe?.run(
            { exclude: [[rest]] },
            { resultTypes: ["violations"], ...(only && { runOnly: only }) },
          );
          if (!found) throw new Error("axe is not in the page.");
          return found.violations.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
          );
        } finally {
          for (const row of hidden) row.hidden = false;
        }
      },
      { rest: MORE_OF_THE_SAME, only: rules === "colours" ? COLOURS : undefined },
    );
  return await within("look with axe", look);
}
