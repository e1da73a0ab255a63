// Stryker loads this plugin to run the tests against a mutant, with mocha 12 and TypeScript whose types Node strips.
// Stryker's own mocha runner imports modules that mocha 12 no longer has.
import { globSync } from "node:fs";
import { basename, resolve } from "node:path";
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from "@stryker-mutator/api/core";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import {
  determineHitLimitReached,
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  TestStatus,
  toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import fc from "fast-check";
import Mocha from "mocha";

/**
 * The tests of the mutated code. Stryker's own option does not work with a runner that identifies tests by their
 * titles.
 */
const TESTS = [
  "test/unit/exchange/signing/signature.test.ts",
  "test/unit/exchange/wire/{account,history,receipt,tickers}.test.ts",
  "test/unit/exchange/wire/orders/*.test.ts",
  "test/unit/market/**/*.test.ts",
  "test/unit/storage/appendLog.test.ts",
  "test/unit/storage/orders/*.test.ts",
  "test/unit/desk/{orders,tracking,unknown}/*.test.ts",
  "test/unit/desk/session.test.ts",
  "test/safety/{06,10,11,12,13,41,48}-*.test.ts",
];
/** All tests except those that start processes, which do not run the mutant and would only take time. */
const EVERY_TEST = /^(?!.*\bkill)/;
/** Seed of property tests that set none, so that scores are reproducible. */
const SEED = 2611;

/** Through this object, instrumented code reads the active mutant and reports which mutants a test reached. */
const context: InstrumenterContext = {};
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: context });

class MutationRunner {
  #loaded: Mocha | undefined;

  /** Modules cannot be imported again, so a mutant in code that runs on import needs a new process. */
  capabilities(): { reloadEnvironment: boolean } {
    return { reloadEnvironment: false };
  }

  async dryRun({ coverageAnalysis, disableBail }: DryRunOptions): Promise<DryRunResult> {
    const result = await this.#run(EVERY_TEST, !disableBail);
    if (result.status !== DryRunStatus.Complete || coverageAnalysis === "off") return result;
    return { ...result, ...(context.mutantCoverage && { mutantCoverage: context.mutantCoverage }) };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter, hitLimit, disableBail } = options;
    if (hitLimit !== undefined) Object.assign(context, { hitLimit, hitCount: 0 });
    // Set before the tests are loaded, because some mutants are in code that runs on import.
    context.activeMutant = activeMutant.id;
    const source = basename(activeMutant.fileName, ".ts");
    const result = await this.#run(testFilter ? exactly(testFilter) : EVERY_TEST, !disableBail, source);
    return toMutantRunResult(determineHitLimitReached(context.hitCount, hitLimit) ?? result);
  }

  async #run(wanted: RegExp, bail: boolean, source = ""): Promise<DryRunResult> {
    try {
      this.#loaded ??= await load(source);
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: String(error) };
    }
    return run(this.#loaded, wanted, bail);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "bidside", MutationRunner)];

/**
 * Loads the tests, those of `source` first, because they are the most likely to detect a mutant that needs a new
 * process, which ends its run.
 */
async function load(source: string): Promise<Mocha> {
  fc.configureGlobal({ seed: SEED, endOnFailure: true });
  // No timeout, because Stryker has its own and counts timeouts.
  const mocha = new Mocha({ ui: "bdd", timeout: 0, reporter: Mocha.reporters.Base });
  mocha.cleanReferencesAfterRun(false);
  mocha.suite.beforeEach(function () {
    context.currentTestId = this.currentTest?.fullTitle() ?? "";
  });
  const files = TESTS.flatMap((pattern) => globSync(pattern).sort());
  const isOwn = (file: string): boolean => basename(file).startsWith(source);
  for (const file of [...files.filter(isOwn), ...files.filter((each) => !isOwn(each))])
    mocha.addFile(resolve(file));
  await mocha.loadFilesAsync();
  return mocha;
}

function run(mocha: Mocha, wanted: RegExp, bail: boolean): Promise<DryRunResult> {
  const tests: TestResult[] = [];
  mocha.grep(wanted);
  setBail(mocha.suite, bail);
  return new Promise((done) => {
    const runner = mocha.run(() => done({ status: DryRunStatus.Complete, tests }));
    runner.on("pass", (test) => {
      const title = test.fullTitle();
      tests.push({ id: title, name: title, status: TestStatus.Success, timeSpentMs: test.duration ?? 0 });
    });
    runner.on("fail", (test, { message }) => {
      // A failed hook counts as a failure of its test.
      const title = (test.ctx?.currentTest ?? test).fullTitle();
      tests.push({
        id: title,
        name: title,
        status: TestStatus.Failed,
        timeSpentMs: test.duration ?? 0,
        failureMessage: message,
      });
    });
  });
}

function exactly(titles: readonly string[]): RegExp {
  return new RegExp(`^(?:${titles.map((title) => title.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})$`);
}

function setBail(suite: Mocha.Suite, bail: boolean): void {
  suite.bail(bail);
  for (const inner of suite.suites) setBail(inner, bail);
}
