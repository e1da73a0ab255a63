import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelMessage } from "../../../../src/desk/notifications/message.ts";
import { programChannel, runProgram } from "../../../../src/desk/notifications/program.ts";
import { isRunning } from "../../../../src/files/isRunning.ts";
import { waitFor } from "../../../support/waitFor.ts";

/** What a shell would run, expand or redirect. */
const HOSTILE = "$(touch owned) `touch owned`; touch owned & | > owned \"' %PATH% *";

const message: ChannelMessage = {
  id: "alert-1",
  pair: "BTC/THB",
  rule: HOSTILE,
  price: "3000001.5",
  time: "2026-11-28T08:00:00.000Z",
  text: "-e BTC/THB rose",
};

describe("the program for alerts", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "program-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const path = (name: string): string => join(folder, name);
  const node = (code: string, ...args: readonly string[]) => [process.execPath, "-e", code, "--", ...args];
  const record = `require("fs").writeFileSync(process.argv[1], JSON.stringify([process.argv.slice(2), process.env.BIDSIDE_TEXT, process.env.ELECTRON_RUN_AS_NODE]))`;

  it("gets the values as arguments and variables, without a shell", async () => {
    const program = node(record, path("seen"), "${pair}", "at ${price}: ${rule}", "${time}", "${HOME}");
    assert.deepEqual(await runProgram(program, message), { kind: "sent" });
    assert.deepEqual(JSON.parse(readFileSync(path("seen"), "utf8")), [
      ["BTC/THB", `at 3000001.5: ${HOSTILE}`, message.time, "${HOME}"],
      message.text,
      null,
    ]);
    assert.deepEqual(readdirSync(folder), ["seen"]);
  });

  it("that fails, crashes or is missing is refused, with the reason", async () => {
    const problems: unknown[] = [];
    for (const program of [
      node("process.exit(3)"),
      node(`process.kill(process.pid, "SIGKILL")`),
      [path("nothing")],
      [folder],
      [""],
      [],
    ]) {
      const outcome = await runProgram(program, message);
      problems.push(outcome.kind === "refused" && outcome.problem);
    }
    assert.deepEqual(problems, [
      { kind: "programFailed", exitCode: 3 },
      { kind: "programFailed", exitCode: undefined },
      ...Array.from({ length: 4 }, () => ({ kind: "programMissing" })),
    ]);
  });

  it("that hangs is killed", async () => {
    const program = node(
      `require("fs").writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000)`,
      path("pid"),
    );
    const limit = Promise.withResolvers<() => void>();
    const outcome = runProgram(program, message, (ms, task) => {
      assert.equal(ms, 10_000);
      limit.resolve(task);
      return () => undefined;
    });
    const isStarted = () => existsSync(path("pid")) && readFileSync(path("pid"), "utf8") !== "";
    await waitFor("the program to start", isStarted);
    (await limit.promise)();
    assert.deepEqual(await outcome, { kind: "refused", problem: { kind: "programHung" } });
    const pid = Number(readFileSync(path("pid"), "utf8"));
    await waitFor("the program to end", () => !isRunning(pid));
  });

  it("is off without a program", () => {
    const channelOf = (program: readonly string[]) =>
      programChannel({ program: () => program, isOn: () => true, messageOf: () => message });
    const firing = {
      kind: "fills",
      key: "fills-1",
      at: 0,
      venue: "live",
      symbol: "THB_BTC",
      side: "buy",
      isFilled: true,
    } as const;
    assert.deepEqual([channelOf([]).isOn(firing), channelOf(["beep"]).isOn(firing)], [false, true]);
  });
});
