import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { portfolioPanelType } from "../../contributions.ts";
import { Disposable } from "../../desk/disposable.ts";
import { readPortfolioChoices } from "../../protocol/portfolioPage.ts";
import { valuesExportText } from "../../storage/valuesExport.ts";
import { registerCommands } from "../commands.ts";
import { saveFile } from "../saveFile.ts";
import { csvFormat } from "../settings.ts";
import { PortfolioPanel } from "./portfolioPanel.ts";

/** The Portfolio page, which is opened once, and the export of its values. */
export function showPortfolio({ extensionUri }: vscode.ExtensionContext, desk: Desk): Disposable {
  let open: PortfolioPanel | undefined;
  const attach = (panel: vscode.WebviewPanel, state?: unknown): void => {
    const page = new PortfolioPanel(panel, desk, extensionUri, readPortfolioChoices(state));
    open = page;
    panel.onDidDispose(() => {
      if (open === page) open = undefined;
      page.dispose();
    });
  };
  const openPortfolio = (): void => {
    if (open) return open.panel.reveal();
    const title = vscode.l10n.t("Portfolio");
    attach(vscode.window.createWebviewPanel(portfolioPanelType, title, vscode.ViewColumn.Active));
  };
  const restore = async (panel: vscode.WebviewPanel, state: unknown): Promise<void> => {
    // The editor restores a hidden page when its tab is first shown: another may have been opened meanwhile.
    if (!open) return attach(panel, state);
    panel.dispose();
    open.panel.reveal();
  };
  return new Disposable(
    vscode.window.registerWebviewPanelSerializer(portfolioPanelType, { deserializeWebviewPanel: restore }),
    registerCommands({ openPortfolio, exportValues: () => exportValues(desk) }),
    () => open?.dispose(),
  );
}

/** Command "Export Values…": every recorded value of the window's account. */
async function exportValues({ values, accounts, venue, log }: Desk): Promise<void> {
  await saveFile(log, {
    title: vscode.l10n.t("Export Values"),
    filters: { CSV: ["csv"] },
    content: () => {
      const { id } = venue.account;
      return valuesExportText(values.read(), accounts.get(id)?.label ?? id, csvFormat());
    },
    saved: (path) => vscode.l10n.t("Values exported: {0}", path),
    failed: (path) =>
      vscode.l10n.t(
        "The values could not be exported to {0}. Close it if another program uses it, or choose another folder.",
        path,
      ),
  });
}
