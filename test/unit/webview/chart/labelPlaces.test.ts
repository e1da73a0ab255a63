import assert from "node:assert/strict";
import { labelPlaces } from "../../../../src/webview/chart/labelPlaces.ts";

describe("the labels of a price scale", () => {
  it("stay at their prices if there is room", () => {
    assert.deepEqual(labelPlaces([100, 20, 180], 18, 200), [100, 20, 180]);
    assert.deepEqual(labelPlaces([], 18, 200), []);
  });

  it("move away from the middle if they would overlap", () => {
    assert.deepEqual(labelPlaces([90, 85, 60, 70], 18, 200), [90, 72, 54, 36]);
    assert.deepEqual(labelPlaces([110, 115, 150], 18, 200), [110, 128, 150]);
    assert.deepEqual(labelPlaces([95, 105], 18, 200), [95, 113], "the one above the middle stays");
  });
});
