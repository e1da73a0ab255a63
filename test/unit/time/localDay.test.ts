import assert from "node:assert/strict";
import { localDate, localPeriod, startOfDay } from "../../../src/time/localDay.ts";

/** 04:30 on 1 January 2027 in Bangkok; still 2026 in UTC. */
const AT = Date.UTC(2026, 11, 31, 21, 30);

describe("a local day", () => {
  const usual = process.env["TZ"];
  afterEach(() => {
    if (usual === undefined) delete process.env["TZ"];
    else process.env["TZ"] = usual;
  });

  it("is the one on the user's calendar, as are month and year", () => {
    process.env["TZ"] = "Asia/Bangkok";
    assert.deepEqual(
      [localDate(AT), localPeriod(AT, "day"), localPeriod(AT, "month"), localPeriod(AT, "year")],
      ["2027-01-01", "2027-01-01", "2027-01", "2027"],
    );
    assert.equal(startOfDay(AT), Date.UTC(2026, 11, 31, 17));
    process.env["TZ"] = "America/New_York";
    assert.equal(localDate(AT), "2026-12-31");
  });

  it("of 23 hours in the spring is still one day", () => {
    process.env["TZ"] = "America/New_York";
    const [first, last] = [Date.UTC(2026, 2, 8, 5), Date.UTC(2026, 2, 9, 4) - 1];
    assert.deepEqual([startOfDay(first), startOfDay(last)], [first, first]);
    assert.deepEqual([localDate(first), localDate(last)], ["2026-03-08", "2026-03-08"]);
  });
});
