// npm test: every check there is, one stage after the other; a failed stage does not keep the next from running.
//   node test/support/runTests.ts [stage …] [--grep TEXT] [test files …]
// The last line is "N passed, N failed".
import { parseArgs } from "node:util";
import type { Outcome } from "./outcome.ts";
import { type Filter, stages } from "./stages.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: "string" } } });
const named = positionals.filter((word) => stages.has(word));
const files = positionals.filter((word) => word.endsWith(".test.ts"));
const strange = positionals.filter((word) => !named.includes(word) && !files.includes(word));
if (strange.length > 0) {
  console.error(
    `"${strange.join(" ")}" is neither a test file nor a stage; stages are ${[...stages.keys()].join(", ")}.`,
  );
  process.exit(2);
}
const filter: Filter = { files, ...(values.grep === undefined ? {} : { grep: values.grep }) };

let passed = 0;
const failures: string[] = [];
for (const [name, run] of stages) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.log(`\n── ${name}`);
  const started = Date.now();
  const outcome = await run(filter).catch(failedBy);
  passed += outcome.passed;
  failures.push(...outcome.failures.map((failure) => `${name}: ${failure}`));
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(
    `${outcome.failed === 0 ? "✔" : "✘"} ${name}: ${outcome.passed} passed, ${outcome.failed} failed (${seconds} s)`,
  );
}
if (passed + failures.length === 0) failures.push("no test ran at all");
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join("\n")}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

function failedBy(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  console.log(message);
  return { passed: 0, failed: 1, failures: [message.split("\n", 1)[0] ?? message] };
}
