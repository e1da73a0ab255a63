import * as vscode from "vscode";
import { revealRow } from "./revealRow.ts";

/**
 * The focused row of the focused tree, which is then selected; undefined if there is none.
 *
 * Extensions can see the selection but not the focus, and selecting a row runs its command. Toggling the selection does
 * not: the row it adds or removes is the focused one.
 */
export async function focusedRow<Row>(view: vscode.TreeView<Row>): Promise<Row | undefined> {
  const before = view.selection;
  await vscode.commands.executeCommand("list.toggleSelection");
  const after = view.selection;
  const focused = after.find((row) => !before.includes(row)) ?? before.find((row) => !after.includes(row));
  if (focused !== undefined) await revealRow(view, focused, { select: true, focus: false });
  return focused;
}

/** Whether a keybinding means the focused row, which the editor does not pass. */
export function meansFocused(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null && "focused" in argument;
}
