import assert from "node:assert/strict";
import { revealRow } from "../../../src/ui/revealRow.ts";

/** A tree that the editor repaints during the first `repaints` attempts. */
function treeOf(repaints: number): { attempts: number; reveal: () => Promise<void> } {
  const tree = {
    attempts: 0,
    reveal: (): Promise<void> => {
      tree.attempts += 1;
      return tree.attempts > repaints
        ? Promise.resolve()
        : Promise.reject(new Error("Cannot resolve tree item"));
    },
  };
  return tree;
}

describe("a row of a tree that is revealed", () => {
  it("is revealed again if the editor was repainting it", async () => {
    const tree = treeOf(1);
    await revealRow(tree, "row", { select: true });
    assert.equal(tree.attempts, 2);
  });

  it("stays where it is, without an error, if the editor never finds it", async () => {
    const tree = treeOf(Number.POSITIVE_INFINITY);
    await revealRow(tree, "row", { select: true });
    assert.equal(tree.attempts, 3);
  });
});
