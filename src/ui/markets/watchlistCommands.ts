import * as vscode from "vscode";
import { watchCommandIds } from "../../contributions.ts";
import type { WatchParts } from "./watchlistActions.ts";

/** Registers the commands of watching the market. Their code is loaded at the first call. */
export function registerWatchCommands(parts: WatchParts): vscode.Disposable {
  const names = Object.keys(watchCommandIds) as (keyof typeof watchCommandIds)[];
  return vscode.Disposable.from(
    ...names.map((name) =>
      vscode.commands.registerCommand(watchCommandIds[name], async (given: unknown) => {
        const { runWatchCommand } = await import("./watchlistActions.ts");
        await runWatchCommand(parts, name, given);
      }),
    ),
  );
}
