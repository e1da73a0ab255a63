import * as vscode from "vscode";
import { type LinkProblem, readLink } from "../../assistant/links.ts";
import { findTicker, refreshPrices } from "../../assistant/marketTools.ts";
import type { PreparedDrafts, DraftRefusal } from "../../assistant/preparedDrafts.ts";
import type { Desk } from "../../desk/desk.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { offersAsks } from "../../desk/venue.ts";
import { executeCommand } from "../commands.ts";

type LinkParts = Pick<vscode.Uri, "path" | "query">;

/**
 * Opens a link `vscode://bidside.bidside/…` to a chart or to a filled-in order ticket. Nothing else is allowed.
 */
export async function openLink(desk: Desk, drafts: PreparedDrafts, link: LinkParts): Promise<void> {
  const problem = await problemOf(desk, drafts, link).catch((error: unknown) => {
    desk.log.warn(`Link: ${errorLine(error)}`);
    return vscode.l10n.t("The log shows the reason.");
  });
  if (problem === undefined) return;
  await vscode.window.showWarningMessage(vscode.l10n.t("The link was not opened. {0}", problem));
}

/** Why the link was not opened; undefined if it was. */
async function problemOf(
  desk: Desk,
  drafts: PreparedDrafts,
  { path, query }: LinkParts,
): Promise<string | undefined> {
  const link = readLink(path, query);
  if (link.kind !== "pair" && link.kind !== "order") return problemText(link);
  const { venue } = desk.venue;
  if (!venue) return vscode.l10n.t("No exchange is active.");
  await refreshPrices(desk);
  const ticker = findTicker(desk, link.pair);
  if (!ticker) return vscode.l10n.t("{0} does not list the pair {1}.", venue.name, link.pair);
  const { symbol } = ticker;
  if (link.kind === "pair") {
    await executeCommand("openChart", { symbol });
    return undefined;
  }
  const { side, amount, rate } = link;
  if (side === "sell" && !offersAsks(desk.venue.venue))
    return vscode.l10n.t("This exchange does not offer sell orders.");
  const opened = await drafts.prepare({ by: "link", side, symbol, amount, rate, postOnly: false });
  return typeof opened === "string" ? refusalText(opened) : undefined;
}

function problemText(problem: LinkProblem): string {
  switch (problem.kind) {
    case "unknownPath":
      return vscode.l10n.t("Bidside only supports links to a pair or an order.");
    case "unknownPart":
      return vscode.l10n.t("Unknown in the link: {0}", problem.part);
    case "repeatedPart":
      return vscode.l10n.t("Repeated in the link: {0}", problem.part);
    case "missingPart":
      return vscode.l10n.t("Missing from the link: {0}", problem.part);
    case "wrongPart":
      return vscode.l10n.t("Invalid in the link: {0}", problem.part);
  }
}

function refusalText(refusal: DraftRefusal): string {
  switch (refusal) {
    case "anotherIsOpen":
      return vscode.l10n.t(
        "Another prepared order is in the order ticket of this or another window. Submit or close the ticket first.",
      );
    case "tooSoon":
      return vscode.l10n.t("An order was prepared less than 10 seconds ago. Try again in a moment.");
    case "ticketInUse":
      return vscode.l10n.t("The order ticket already has figures. Submit or clear them first.");
  }
}
