import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { TooManyHoldingsError } from "../../desk/portfolio/heldElsewhereList.ts";
import {
  type HeldElsewhere,
  isPlace,
  MAX_HELD_ELSEWHERE,
  MAX_PLACE,
} from "../../market/holdings/heldElsewhere.ts";
import { Decimal, parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import { unitNames } from "../../market/numbers/unitNames.ts";
import { assetPattern, typedName } from "../../market/pair.ts";
import { fieldOf, offer, showLogLink } from "../commands.ts";
import { askStep, back, choose } from "../quickInput.ts";
import { amountsAreHidden } from "../settings.ts";
import { shownAmounts } from "../text/amountText.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { diskAdvice } from "../text/diskText.ts";
import { sanitizeText } from "../text/sanitizeText.ts";
import { figureProblemText, readFigure, understoodText } from "../text/typedFigure.ts";
import { unreadableElsewhereText } from "./elsewhereRows.ts";
import { shownValueAsset } from "./portfolioText.ts";

/** Command "Add Holding…". */
export async function addHolding(desk: Desk): Promise<void> {
  if (await isUnreadable(desk)) return;
  await askAndSave(desk, undefined);
}

/** Command "Edit Holding…": without a row, the user picks a holding first. */
export async function editHolding(desk: Desk, row: unknown): Promise<void> {
  if (await isUnreadable(desk)) return;
  const entry = await entryOf(desk, row, vscode.l10n.t("Edit Holding"));
  if (entry) await askAndSave(desk, entry);
}

/** Command "Remove Holding": the message has a button that brings it back. */
export async function removeHolding(desk: Desk, row: unknown): Promise<void> {
  if (await isUnreadable(desk)) return;
  const entry = await entryOf(desk, row, vscode.l10n.t("Remove Holding"));
  if (!entry || !(await change(desk, () => desk.elsewhere.remove(entry.id)))) return;
  const undo = vscode.l10n.t("Undo");
  const text = vscode.l10n.t("The holding {0} was removed.", nameOf(entry));
  const answer = await vscode.window.showInformationMessage(text, undo);
  if (answer === undo) await change(desk, () => desk.elsewhere.put(entry));
}

async function askAndSave(desk: Desk, entry: HeldElsewhere | undefined): Promise<void> {
  const answer = await askFields(desk, entry);
  if (!answer) return;
  const { id = desk.newId(), venue = desk.venue.account.kind } = entry ?? {};
  const holding = { id, venue, ...answer };
  if (await change(desk, () => desk.elsewhere.put(holding)))
    showStatusMessage(vscode.l10n.t("The holding {0} was saved.", nameOf(holding)));
}

type Fields = Omit<HeldElsewhere, "id" | "venue">;

/** Asks for asset, quantity, cost and place; undefined if cancelled. */
async function askFields(desk: Desk, entry: HeldElsewhere | undefined): Promise<Fields | undefined> {
  const title = entry ? vscode.l10n.t("Edit Holding") : vscode.l10n.t("Add Holding");
  // Amounts that are hidden are not filled in; an empty field then keeps them.
  const kept = entry && amountsAreHidden() ? entry : undefined;
  const costAsset = entry?.cost?.asset ?? shownValueAsset(desk) ?? "";
  const typed = {
    asset: entry?.asset ?? "",
    quantity: entry && !kept ? plainText(entry.quantity) : "",
    cost: entry?.cost && !kept ? plainText(entry.cost.amount) : "",
    place: entry?.place ?? "",
  };
  const asset = (): string => typedName(typed.asset);
  const keepHint = kept ? vscode.l10n.t("Leave empty to keep it") : "";
  const steps: readonly { readonly field: keyof typeof typed; readonly ask: Question }[] = [
    {
      field: "asset",
      ask: {
        prompt: () => vscode.l10n.t("Which asset do you hold?"),
        placeHolder: "BTC",
        problem: (text) =>
          assetPattern.test(typedName(text))
            ? undefined
            : vscode.l10n.t("Enter the short name of an asset, such as BTC."),
        understood: (text) => unlistedText(desk, typedName(text)),
      },
    },
    {
      field: "quantity",
      ask: {
        prompt: () => vscode.l10n.t("How much {0} do you hold?", asset()),
        placeHolder: keepHint,
        problem: (text) => (kept && text === "" ? undefined : quantityProblem(text, asset())),
        understood: (text) => understoodText(text, { units: unitNames(asset()) }),
      },
    },
    {
      field: "cost",
      ask: {
        prompt: () =>
          vscode.l10n.t(
            "What did you pay for all of it, in {0}, fees included? Leave empty if you do not know.",
            costAsset,
          ),
        placeHolder: keepHint,
        problem: (text) => (text === "" ? undefined : figureProblem(text, costAsset)),
        understood: (text) =>
          text === "" ? undefined : understoodText(text, { units: unitNames(costAsset) }),
      },
    },
    {
      field: "place",
      ask: {
        prompt: () => vscode.l10n.t("Where is it?"),
        placeHolder: vscode.l10n.t("cold wallet"),
        problem: (text) =>
          isPlace(text.trim())
            ? undefined
            : vscode.l10n.t("Use up to {0} letters, digits and signs.", MAX_PLACE),
      },
    },
  ];
  // Without a market there is no asset to state a cost in.
  const asked = steps.filter(({ field }) => field !== "cost" || costAsset !== "");
  for (let at = 0; at < asked.length;) {
    const step = asked[at];
    if (!step) break;
    const { prompt, ...question } = step.ask;
    const answer = await askStep(
      { title, prompt: prompt(), value: typed[step.field], ...question },
      { number: at + 1, of: asked.length },
    );
    if (answer === undefined) return undefined;
    if (answer === back) at -= 1;
    else {
      typed[step.field] = answer;
      at += 1;
    }
  }
  return {
    asset: asset(),
    quantity: typed.quantity === "" && kept ? kept.quantity : figure(typed.quantity, asset()),
    cost: typed.cost === "" ? kept?.cost : { asset: costAsset, amount: figure(typed.cost, costAsset) },
    place: typed.place.trim(),
  };
}

interface Question {
  readonly prompt: () => string;
  readonly placeHolder: string;
  readonly problem: (text: string) => string | undefined;
  readonly understood?: (text: string) => string | undefined;
}

function figureProblem(text: string, unit: string): string | undefined {
  const field = { units: unitNames(unit) };
  return parseDecimal(readFigure(text, field)) ? undefined : figureProblemText(text, field);
}

function figure(text: string, unit: string): Decimal {
  return new Decimal(readFigure(text, { units: unitNames(unit) }));
}

function quantityProblem(text: string, asset: string): string | undefined {
  const problem = figureProblem(text, asset);
  if (problem !== undefined) return problem;
  return figure(text, asset).gt("0") ? undefined : vscode.l10n.t("Enter more than 0.");
}

/** Says that an asset will have no value; undefined if a pair trades it, or before the market is known. */
function unlistedText({ tickers }: Desk, asset: string): string | undefined {
  const market = [...tickers.state.tickers.values()];
  if (!assetPattern.test(asset) || market.length === 0) return undefined;
  return market.some(({ pair }) => pair.base === asset || pair.quote === asset)
    ? undefined
    : vscode.l10n.t("The exchange lists no pair of {0}, so it will have no value.", asset);
}

/** The holding of a row, or the one that the user picks. */
async function entryOf({ elsewhere }: Desk, row: unknown, title: string): Promise<HeldElsewhere | undefined> {
  const { list } = elsewhere;
  const id = fieldOf(fieldOf(fieldOf(row, "held"), "entry"), "id");
  if (id !== undefined) return list.find((each) => each.id === id);
  if (list.length === 0) {
    showStatusMessage(vscode.l10n.t("No holdings yet. Add one with Bidside: Add Holding…."));
    return undefined;
  }
  const amounts = shownAmounts();
  const items = list.map((entry) => ({
    label: entry.asset,
    description: [amounts.holding(entry.quantity, entry.asset, undefined), sanitizeText(entry.place)]
      .filter(Boolean)
      .join(" · "),
    entry,
  }));
  const chosen = await choose(items, {
    title,
    placeHolder: vscode.l10n.t("Choose a holding"),
    matchOnDescription: true,
  });
  return chosen?.entry;
}

/** The asset and, if it has one, the place. */
function nameOf({ asset, place }: HeldElsewhere): string {
  return place === "" ? asset : `${asset} (${sanitizeText(place)})`;
}

/** Refuses before anything is typed. */
async function isUnreadable({ elsewhere }: Desk): Promise<boolean> {
  elsewhere.reread();
  if (elsewhere.problem === undefined) return false;
  await offer("showErrorMessage", unreadableElsewhereText(), showLogLink());
  return true;
}

/** Returns whether the change was stored. */
async function change({ log }: Desk, edit: () => void): Promise<boolean> {
  try {
    edit();
    return true;
  } catch (error) {
    log.error(`Holdings elsewhere: ${errorLine(error)}`);
    const why =
      error instanceof TooManyHoldingsError
        ? vscode.l10n.t("There are {0} already.", MAX_HELD_ELSEWHERE)
        : diskAdvice(error);
    const text = vscode.l10n.t("The holding could not be saved. Nothing changed. {0}", why);
    await offer("showErrorMessage", text, showLogLink());
    return false;
  }
}
