import type { TreeView } from "vscode";

/** A row is repainted at most once a second or so: more failures in a row have another cause. */
const MAX_TRIES = 3;

/**
 * Reveals a row of a tree. The editor rejects this while it repaints the row, which prices do all the time, so it is
 * tried again. If that fails too, the view stays as it is: an error would not help anyone.
 */
export async function revealRow<Row>(
  view: Pick<TreeView<Row>, "reveal">,
  row: Row,
  options: Parameters<TreeView<Row>["reveal"]>[1],
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    try {
      return await view.reveal(row, options);
    } catch {
      // The next attempt waits for the repaint.
    }
  }
}
