import * as vscode from "vscode";
import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { mainQuote } from "../../market/holdings/mainQuote.ts";
import { choose } from "../quickInput.ts";
import { save, valuesIn } from "../settings.ts";

interface AssetEntry extends vscode.QuickPickItem {
  readonly asset: string;
}

/** Command "Show Values In…": lets the user pick the asset that values are shown in, or leave it to the account. */
export async function chooseValueAsset({ tickers, balances, watchLists }: Desk): Promise<void> {
  const market = tickers.state.tickers;
  const automatic = mainQuote(market, balances.state.wallet, watchLists.state.lists[0].pairs);
  const chosen = valuesIn();
  const pairs = [...market.values()].map(({ pair }) => pair);
  const quotes = new Set(pairs.map(({ quote }) => quote));
  const bases = new Set(pairs.map(({ base }) => base).filter((base) => !quotes.has(base)));
  const others = chosen === "" || quotes.has(chosen) || bases.has(chosen) ? [] : [chosen];
  const notListed = vscode.l10n.t("not listed");
  const entries: AssetEntry[] = [
    { asset: "", label: vscode.l10n.t("Automatic"), description: automatic ?? "" },
    ...[...quotes].sort().map((asset) => ({ asset, label: asset })),
    ...[...bases].sort().map((asset) => ({ asset, label: asset })),
    ...others.map((asset) => ({ asset, label: asset, description: notListed })),
  ];
  const picked = await choose(entries, {
    title: vscode.l10n.t("Show Values In"),
    placeHolder: vscode.l10n.t("Choose the asset, or let the account decide"),
    active: entries.find(({ asset }) => asset === chosen),
  });
  if (picked) await save(settingKeys.valuesIn, picked.asset === "" ? undefined : picked.asset);
}
