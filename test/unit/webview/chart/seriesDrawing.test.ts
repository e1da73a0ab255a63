import assert from "node:assert/strict";
import type { IChartApi, Time } from "lightweight-charts";
import type { Candle } from "../../../../src/market/candle.ts";
import type { ChartSeries } from "../../../../src/webview/chart/series.ts";
import { SeriesDrawing } from "../../../../src/webview/chart/seriesDrawing.ts";
import { StudiedCandles } from "../../../../src/webview/chart/studies/studiedCandles.ts";

const COLOURS = {
  background: "black",
  text: "white",
  up: "green",
  down: "red",
  volumeUp: "pale green",
  volumeDown: "pale red",
  blue: "blue",
  yellow: "yellow",
  purple: "purple",
};

const candle = (time: number, close: number, volume?: number): Candle => ({
  time,
  open: 10,
  high: 20,
  low: 5,
  close,
  volume,
});
const CANDLES = [candle(0, 11, 3), candle(60_000, 9, 4), candle(120_000, 12)];

/** Candles above their volumes. */
const studied = new StudiedCandles();
studied.setShown([{ id: "volume", parameters: [] }]);
studied.setCandles(CANDLES, "1m");

/** A study of these prices. */
const averageOf = (values: readonly number[]): ChartSeries => ({
  id: "average",
  kind: "line",
  pane: 0,
  unit: "price",
  colour: "text",
  points: values.map((value, index) => ({ time: index * 60_000, value })),
});

interface Drawn {
  readonly type: string;
  readonly pane: number | undefined;
  data: readonly unknown[];
}

/** A chart that only keeps the data of its series. */
function fakeChart(): { readonly chart: IChartApi; readonly drawn: Drawn[] } {
  const drawn: Drawn[] = [];
  const chart = {
    addSeries: ({ type }: { readonly type: string }, _options: unknown, pane: number) => {
      const added = {
        type,
        pane,
        data: [] as readonly unknown[],
        applyOptions: () => undefined,
        priceLines: () => [],
        priceScale: () => ({ applyOptions: () => undefined }),
        setData: (data: readonly unknown[]) => (added.data = data),
        update: (datum: unknown) => (added.data = [...added.data.slice(0, -1), datum]),
      };
      drawn.push(added);
      return added;
    },
    removeSeries: (removed: Drawn) => drawn.splice(drawn.indexOf(removed), 1),
    panes: () => [],
  };
  return { chart: chart as unknown as IChartApi, drawn };
}

describe("the series of a chart", () => {
  const open = () => {
    const { chart, drawn } = fakeChart();
    const drawing = new SeriesDrawing(
      chart,
      (time) => (time / 1000) as Time,
      () => ({}),
    );
    return { drawing, drawn };
  };

  it("are candles above volumes, which have their candle's colour, or nothing if unknown", () => {
    const { drawing, drawn } = open();
    drawing.draw(studied.series, COLOURS);
    assert.deepEqual(
      drawn.map(({ type, pane }) => [type, pane]),
      [
        ["Candlestick", 0],
        ["Histogram", 1],
      ],
    );
    assert.deepEqual(drawn[0]?.data[1], { time: 60, open: 10, high: 20, low: 5, close: 9 });
    assert.deepEqual(drawn[1]?.data, [
      { time: 0, value: 3, color: "pale green" },
      { time: 60, value: 4, color: "pale red" },
      { time: 120 },
    ]);
  });

  it("may have lines, which come and go while the others stay", () => {
    const { drawing, drawn } = open();
    drawing.draw([...studied.series, averageOf([10, 11, 12])], COLOURS);
    const [prices, , average] = drawn;
    assert.deepEqual([average?.type, average?.pane], ["Line", 0]);
    drawing.drawNewest([...studied.series, averageOf([10, 11, 13])], COLOURS);
    assert.deepEqual(average?.data, [
      { time: 0, value: 10, color: "white" },
      { time: 60, value: 11, color: "white" },
      { time: 120, value: 13, color: "white" },
    ]);
    drawing.draw(studied.series, COLOURS);
    assert.deepEqual(
      drawn.map(({ type }) => type),
      ["Candlestick", "Histogram"],
    );
    assert.equal(drawn[0], prices);
  });
});
