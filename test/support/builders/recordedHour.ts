import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMarket } from "../../../src/practice/market/market.ts";
import { listPriceFiles, sourceFolder } from "../../../src/storage/prices/files.ts";
import { openPriceHistory } from "../../../src/storage/prices/history.ts";
import { thisSystem } from "../../../src/files/operatingSystem.ts";

/** An hour of eight pairs as recorded by Bidside, sampled every 5 s. `npm run record` recreates the file. */
export const RECORDED_HOUR = "test/fixtures/practice/hour.log";

const FROM = Date.UTC(2026, 1, 3, 4);
const MINUTE = 60_000;
const READ_MS = 5000;
const SYMBOLS = ["BTC", "ETH", "SOL", "XRP", "USDT", "ADA", "DOGE", "PEPE"].map((base) => `THB_${base}`);

/** The file's content: samples of a simulated market, passed through Bidside's recorder. */
export function recordHour(): Buffer {
  const directory = mkdtempSync(join(tmpdir(), "bidside-hour-"));
  try {
    const market = createMarket("hour");
    const history = openPriceHistory({ directory, maximumBytes: () => 2 ** 30 });
    for (let at = FROM; at < FROM + 60 * MINUTE; at += READ_MS)
      history.record(
        "practice",
        at,
        SYMBOLS.map((symbol) => {
          const { last, baseVolume, frozen } = market.tickerAt(symbol, at);
          const [quote = "", base = ""] = symbol.split("_");
          const unknown = {
            bestBid: undefined,
            bestAsk: undefined,
            high: undefined,
            low: undefined,
            quoteVolume: undefined,
            percentChange: undefined,
          };
          return { symbol, pair: { quote, base }, last, baseVolume, frozen, ...unknown };
        }),
      );
    history.pause();
    const { files } = thisSystem;
    const [file, ...others] = listPriceFiles(sourceFolder(directory, "practice"), files);
    if (!file || others.length > 0) throw new Error("The hour is not in one file.");
    return files.readFileSync(file.path);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
