import * as vscode from "vscode";
import { exchangePanelType } from "../../contributions.ts";
import {
  readFromExchangePage,
  type ExchangeOffer,
  type ExchangePageSetup,
  type OfferAction,
  type ToExchangePage,
} from "../../protocol/exchangePage.ts";
import { onPageMessage } from "../pages/pages.ts";
import { pageHtml, preparePanel } from "../pages/webviewPage.ts";

/** Shows what an exchange offers on a page. Resolves to the chosen action; undefined if the page is closed. */
export async function showExchangeOffer(
  extensionUri: vscode.Uri,
  offer: ExchangeOffer,
): Promise<OfferAction | undefined> {
  const panel = vscode.window.createWebviewPanel(exchangePanelType, offer.title, vscode.ViewColumn.Active);
  preparePanel(panel, extensionUri);
  const chosen = new Promise<OfferAction | undefined>((resolve) => {
    panel.onDidDispose(() => resolve(undefined));
    onPageMessage(panel, (message) => {
      const read = readFromExchangePage(message);
      // A hidden page is reloaded when shown, and requests the offer again.
      if (read?.type === "ready")
        void panel.webview.postMessage({ type: "offer", offer } satisfies ToExchangePage);
      else if (read) resolve(read.id);
    });
  });
  panel.webview.html = await exchangeHtml(panel.webview, extensionUri, offer.title);
  const action = await chosen;
  if (action !== "export") panel.dispose();
  return action;
}

/** The page without its offer, which it requests. */
export function exchangeHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  title: string,
): Promise<string> {
  return pageHtml(webview, extensionUri, {
    name: "exchange",
    words: { title },
    setup: {
      states: {
        works: vscode.l10n.t("Works"),
        untried: vscode.l10n.t("Not tested yet"),
        off: vscode.l10n.t("Off"),
      },
    } satisfies ExchangePageSetup,
  });
}
