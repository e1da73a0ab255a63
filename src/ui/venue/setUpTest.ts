import * as vscode from "vscode";
import { settingKeys } from "../../contributions.ts";
import { checksOf, type ConnectionCheck } from "../../desk/connectionTest.ts";
import type { Desk } from "../../desk/desk.ts";
import { mendingOf, type Mending, type SetupStep } from "../../desk/liveSetup.ts";
import type { ExchangeClient } from "../../exchange/client.ts";
import { NotSentError } from "../../exchange/errors.ts";
import type { Features } from "../../exchange/features.ts";
import { back, closeInput, openInput, showStep, type Step } from "../quickInput.ts";
import { missed, notOfferedText } from "./featureText.ts";
import { checkRow, mendingTitle, runChecks, someAnswered, type Results } from "./connectionPick.ts";

/** The exchange to be tested. */
export interface TestedExchange {
  readonly name: string;
  readonly client: ExchangeClient;
  readonly features: Features;
  /** Whether this window is on that exchange already. */
  readonly isInUse: boolean;
}

type Answer = SetupStep | "symbolOrder" | "import" | "use" | typeof back | undefined;

interface Entry extends vscode.QuickPickItem {
  readonly answer?: Mending | "import" | "use";
}

/**
 * Shows each check of an exchange and its result as soon as it is known, and then the person's choices: use the exchange,
 * or fix a failed check. Only reads are sent. Gives undefined if the person left.
 */
export async function showSetupTest(
  exchange: TestedExchange,
  desk: Pick<Desk, "timers" | "log">,
  step: Step,
): Promise<Answer> {
  const results: Results = new Map();
  const pick = vscode.window.createQuickPick<Entry>();
  pick.title = vscode.l10n.t("Test of {0}", exchange.name);
  pick.placeholder = vscode.l10n.t("Testing. Only reads are sent, no order.");
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  pick.busy = true;
  const checks = checksOf(exchange.client);
  const rows = (): Entry[] => checks.map((check) => row(check, results, exchange.name));
  pick.items = rows();
  let isOpen = true;
  const chosen = new Promise<Mending | "import" | "use" | typeof back | undefined>((resolve) => {
    showStep(pick, step, () => resolve(back));
    pick.onDidAccept(() => {
      const answer = pick.selectedItems[0]?.answer;
      if (answer !== undefined) resolve(answer);
    });
    pick.onDidHide(() => {
      isOpen = false;
      resolve(undefined);
    });
  });
  void openInput(pick);
  void runChecks(exchange.client, desk, results, () => {
    if (isOpen) pick.items = rows();
  }).then(() => {
    if (!isOpen) return;
    pick.busy = false;
    pick.placeholder = vscode.l10n.t("Choose what to do");
    const actions = nextActions(results, exchange);
    pick.items = [...actions, { label: "", kind: vscode.QuickPickItemKind.Separator }, ...rows()];
    pick.activeItems = actions.slice(0, 1);
  });
  const answer = await chosen;
  closeInput(pick);
  if (answer !== "settings") return answer;
  await vscode.commands.executeCommand("workbench.action.openSettings", settingKeys.paths);
  return undefined;
}

function row(check: ConnectionCheck, results: Results, name: string): Entry {
  const result = results.get(check);
  const mending =
    result && !result.ok && !result.isSkipped ? mendingOf(result.error, someAnswered(results)) : undefined;
  return { ...checkRow(check, result, name), ...(mending !== undefined && { answer: mending }) };
}

/** The actions after the test, the most helpful one first. */
function nextActions(results: Results, { name, isInUse, features }: TestedExchange): Entry[] {
  const failures = [...results.values()].flatMap((result) => (result.ok ? [] : [result.error]));
  const watchesOnly = failures.length > 0 && failures.every(isMissingKey);
  const mendings = new Set(failures.map((error) => mendingOf(error, someAnswered(results))));
  if (failures.length > 0) mendings.add("test");
  const mend = [...mendings].map((mending): Entry => {
    const icon = mending === "test" ? "sync" : "tools";
    return { label: `$(${icon}) ${mendingTitle(mending)}`, alwaysShow: true, answer: mending };
  });
  const use: Entry = isInUse
    ? { label: `$(check) ${vscode.l10n.t("Done")}`, alwaysShow: true, answer: "use" }
    : {
        label: `$(arrow-swap) ${vscode.l10n.t("Switch to Live: {0}", name)}`,
        detail: useDetail(failures.length > 0, watchesOnly),
        alwaysShow: true,
        answer: "use",
      };
  const missing = notOfferedText(features, missed);
  const more: Entry[] =
    missing === undefined
      ? []
      : [
          {
            label: `$(cloud-download) ${vscode.l10n.t("Import Exchange Profile…")}`,
            detail: `${missing} ${vscode.l10n.t("A profile file of the exchange turns on more.")}`,
            alwaysShow: true,
            answer: "import",
          },
        ];
  return failures.length === 0 || watchesOnly ? [use, ...more, ...mend] : [...mend, use, ...more];
}

function useDetail(hasFailed: boolean, watchesOnly: boolean): string {
  if (watchesOnly) return vscode.l10n.t("Prices only: there is no API key yet.");
  return hasFailed
    ? vscode.l10n.t("The test has failed. What failed does not work until you fix it.")
    : vscode.l10n.t("Your account on this exchange. Real money. Each order asks you first.");
}

function isMissingKey(error: unknown): boolean {
  return error instanceof NotSentError && error.reason === "noCredentials";
}
