import * as vscode from "vscode";
import { parametersText, readParameters, type ShownStudy, type StudyId } from "../../market/studies.ts";
import { ask, choose } from "../quickInput.ts";
import { chosenStudies, saveStudyPeriods } from "../settings.ts";
import { studyNames } from "./studyNames.ts";

/** Lets the user pick a study, and type its periods. */
export async function editPeriods(): Promise<void> {
  const title = vscode.l10n.t("Periods");
  const names = studyNames();
  const studies = chosenStudies().all.filter(({ parameters }) => parameters.length > 0);
  const picked = await choose(
    studies.map((study) => ({
      label: names[study.id],
      description: parametersText(study.parameters),
      study,
    })),
    { title, placeHolder: vscode.l10n.t("Select a study") },
  );
  if (picked) await editPeriodsOf(picked.study);
}

async function editPeriodsOf({ id, parameters }: ShownStudy): Promise<void> {
  const name = studyNames()[id];
  const typed = await ask({
    title: vscode.l10n.t("Periods of {0}", name),
    prompt: promptOf(id),
    value: parametersText(parameters),
    problem: (text) => (readParameters(id, text) ? undefined : problemOf(id)),
    understood: (text) => understoodText(id, text),
  });
  const read = typed === undefined ? undefined : readParameters(id, typed);
  if (read) await saveStudyPeriods({ id, parameters: read });
}

/** What typed periods were understood as, if they are written in another way. */
function understoodText(id: StudyId, text: string): string | undefined {
  const shown = parametersText(readParameters(id, text) ?? []);
  return shown === text.trim() ? undefined : vscode.l10n.t("Read as {0}.", shown);
}

function promptOf(id: StudyId): string {
  if (id === "bollinger") {
    return vscode.l10n.t("Candles of the average, and width of the bands in standard deviations");
  }
  if (id === "macd") return vscode.l10n.t("Candles of the fast average, the slow average and the signal");
  return vscode.l10n.t("Number of candles");
}

function problemOf(id: StudyId): string {
  if (id === "bollinger")
    return vscode.l10n.t("Enter 2 to 500 candles and a width of 0.1 to 10, as in 20, 2.");
  if (id === "macd") {
    return vscode.l10n.t("Enter three numbers from 2 to 500, the first below the second, as in 12, 26, 9.");
  }
  return vscode.l10n.t("Enter a number from 2 to 500.");
}
