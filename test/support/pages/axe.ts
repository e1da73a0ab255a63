import axe from "axe-core";
import type { Page } from "playwright-core";

interface AxePage {
  axe?: {
    run(options: { resultTypes: string[]; runOnly?: string[] }): Promise<{
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    }>;
  };
}

/** Which of axe's rules: all, or those about colours, which are all that a theme can change. */
type Rules = "all" | "colours";

/** Of axe's rules about colours, those that it uses by default. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** Violations that axe-core finds in a page, one line each: rule, element, and what to change. */
export async function violationsIn(page: Page, rules: Rules): Promise<string[]> {
  if (!(await page.evaluate(() => (globalThis as unknown as AxePage).axe !== undefined)))
    await page.evaluate(axe.source);
  return await page.evaluate(
    async (only) => {
      const page = globalThis as unknown as AxePage;
      const found = await page.axe?.run({ resultTypes: ["violations"], ...(only && { runOnly: only }) });
      if (!found) throw new Error("axe is not in the page.");
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
      );
    },
    rules === "colours" ? COLOURS : undefined,
  );
}
