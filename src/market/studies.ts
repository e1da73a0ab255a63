import { plainSigns } from "./numbers/typedDecimal.ts";

/** A figure that a person may choose for a study, such as the number of candles of an average. */
interface StudyParameter {
  readonly usual: number;
  readonly least: number;
  readonly most: number;
  /** Decimals that it may have; default none. */
  readonly places?: number;
}

/** Two candles at least: of one, an average is the price itself, and a deviation nothing. */
const candles = (usual: number): StudyParameter => ({ usual, least: 2, most: 500 });

/**
 * The studies that a chart can show, in their order, with their parameters. How they are computed and drawn is in
 * `src/webview/chart/studies/registry.ts`.
 */
const studyParameters = {
  sma: [candles(20)],
  ema: [candles(50)],
  /** Candles of the average, and width of the bands in standard deviations. */
  bollinger: [candles(20), { usual: 2, least: 0.1, most: 10, places: 2 }],
  vwap: [],
  volume: [],
  rsi: [candles(14)],
  /** Candles of the fast and the slow average, and of the signal. */
  macd: [candles(12), candles(26), candles(9)],
} as const satisfies Readonly<Record<string, readonly StudyParameter[]>>;

export type StudyId = keyof typeof studyParameters;

export const studyIds = Object.keys(studyParameters) as readonly StudyId[];

/** A study that is shown, with a figure for each of its parameters. */
export interface ShownStudy {
  readonly id: StudyId;
  readonly parameters: readonly number[];
}

/** The usual figures of a study. */
export function usualParameters(id: StudyId): readonly number[] {
  return studyParameters[id].map(({ usual }) => usual);
}

/** Reads figures such as `12, 26, 9`; undefined if they are none of this study. */
export function readParameters(id: StudyId, text: string): readonly number[] | undefined {
  const expected: readonly StudyParameter[] = studyParameters[id];
  const words = plainSigns(text).split(/\s*[,; ]\s*/);
  if (words.length !== expected.length) return undefined;
  const figures = words.map((word) => (/^\d{1,4}(?:\.\d{1,2})?$/.test(word) ? Number(word) : Number.NaN));
  return isParameters(id, figures) ? figures : undefined;
}

/** Whether each figure is within its bounds; of MACD, also whether the fast average is faster than the slow one. */
function isParameters(id: StudyId, figures: readonly number[]): boolean {
  const expected: readonly StudyParameter[] = studyParameters[id];
  const areWithin = expected.every(({ least, most, places = 0 }, index) => {
    const figure = figures[index] ?? Number.NaN;
    return figure >= least && figure <= most && Number(figure.toFixed(places)) === figure;
  });
  return areWithin && (id !== "macd" || (figures[0] ?? 0) < (figures[1] ?? 0));
}

/** Writes figures as `readParameters` reads them. */
export function parametersText(parameters: readonly number[]): string {
  return parameters.join(", ");
}
