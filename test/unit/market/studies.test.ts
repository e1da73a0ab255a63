import assert from "node:assert/strict";
import { parametersText, readParameters, studyIds, usualParameters } from "../../../src/market/studies.ts";

describe("the periods of a study", () => {
  it("are read as they are written", () => {
    for (const id of studyIds.filter((each) => usualParameters(each).length > 0))
      assert.deepEqual(readParameters(id, parametersText(usualParameters(id))), usualParameters(id));
    assert.deepEqual(readParameters("macd", " 3,10 ; 16 "), [3, 10, 16]);
    assert.deepEqual(readParameters("bollinger", "20, 2.5"), [20, 2.5]);
  });

  it("are read in the digits of any script, as keyboards of other languages type them", () => {
    for (const text of ["１４", "๑๔", "\u200B14"]) assert.deepEqual(readParameters("rsi", text), [14], text);
    assert.deepEqual(readParameters("bollinger", "２０，２．５"), [20, 2.5]);
  });

  it("are whole numbers of candles within bounds, and the fast average is faster than the slow one", () => {
    for (const text of ["", "1", "501", "20.5", "-3", "2e2", "20 candles", "20, 2"])
      assert.equal(readParameters("sma", text), undefined, text);
    for (const text of ["12, 26", "26, 12, 9", "12, 12, 9", "12, 26, 9, 9"])
      assert.equal(readParameters("macd", text), undefined, text);
    for (const text of ["20", "20, 0", "20, 11", "20, 1.234"])
      assert.equal(readParameters("bollinger", text), undefined, text);
  });
});
