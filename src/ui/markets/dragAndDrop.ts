import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { MarketRow, MarketRows } from "./marketRows.ts";
import { dropOnRow } from "./rowMoves.ts";

/** The editor's type for rows dragged inside this view. */
const MIME = `application/vnd.code.tree.${viewIds.markets.toLowerCase()}`;

/** Drag and drop of rows in the Markets view. */
export function marketDrag(rows: MarketRows): vscode.TreeDragAndDropController<MarketRow> {
  return {
    dragMimeTypes: [MIME],
    dropMimeTypes: [MIME],
    handleDrag: ([row], data, token) => {
      if (!row) return;
      data.set(MIME, new vscode.DataTransferItem(row.symbol));
      rows.setDragged(true);
      token.onCancellationRequested(() => rows.setDragged(false));
    },
    handleDrop: async (target, data) => {
      try {
        const symbol: unknown = data.get(MIME)?.value;
        if (typeof symbol === "string" && rows.order.has(symbol))
          await dropOnRow(rows, symbol, target?.symbol);
      } finally {
        rows.setDragged(false);
      }
    },
  };
}
