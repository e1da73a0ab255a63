import { createMarket, DEFAULT_SEED } from "../../src/practice/market/market.ts";
import { againstSync, ratioFigure, type Figure } from "./measure.ts";

const START = Date.UTC(2026, 0, 1);
const MOST_RATIO = 8;

/** The time to compute one ticker answer of the practice exchange. The floor is writing that answer. */
export function listingFigures(): Figure[] {
  const market = createMarket(DEFAULT_SEED);
  const listed = market.tickersAt(START);
  let second = 0;
  const result = againstSync(
    () => market.tickersAt(START + (second += 1) * 1000),
    () => JSON.stringify(listed),
    { rounds: 61, times: 100 },
  );
  return [
    ratioFigure(
      "prices",
      `practice: the prices of all ${listed.length} pairs (floor: writing them as JSON)`,
      result,
      MOST_RATIO,
    ),
  ];
}
