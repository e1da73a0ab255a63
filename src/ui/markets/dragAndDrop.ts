import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { MarketRow, MarketRows } from "./marketRows.ts";
import { dropRow } from "./rowMoves.ts";

/** The editor's type for rows dragged inside this view. */
const MIME = `application/vnd.code.tree.${viewIds.markets.toLowerCase()}`;

/** Drag and drop of rows in the Markets view. */
export function marketDrag(rows: MarketRows): vscode.TreeDragAndDropController<MarketRow> {
  const { tickers } = rows;
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
        const dragged = typeof symbol === "string" ? tickers.ticker(symbol) : undefined;
        if (dragged) await dropRow(rows, dragged, target && tickers.ticker(target.symbol));
      } finally {
        rows.setDragged(false);
      }
    },
  };
}
