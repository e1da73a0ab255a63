import axe from "axe-core";
import type { Frame } from "playwright-core";
import { within } from "../../../tools/test/story.ts";

interface Row {
  readonly isConnected: boolean;
  readonly previousElementSibling: Row | null;
  after(...rows: readonly Row[]): void;
  remove(): void;
}

interface AxePage {
  readonly document: { querySelectorAll(selector: string): Iterable<Row> };
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
  const analyse = (): Promise<string[]> =>
    page.evaluate(
      async ({ rest, only }) => {
        const page = globalThis as unknown as AxePage;
        // Axe reads every element of the page, also those that it leaves out. No rule about colours needs these rows.
        const removed = only ? [...page.document.querySelectorAll(rest)] : [];
        const last = removed[0]?.previousElementSibling;
        for (const row of removed) row.remove();
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
          // The page may have drawn a new table meanwhile.
          if (last?.isConnected) last.after(...removed);
        }
      },
      { rest: MORE_OF_THE_SAME, only: rules === "colours" ? COLOURS : undefined },
    );
  return await within("look with axe", analyse);
}
