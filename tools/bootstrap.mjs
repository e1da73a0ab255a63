// Runs a project script on a computer that may have only Node 20 and npm:
//   node tools/bootstrap.mjs <script> [arguments]
// Installs the project's packages if they are missing or differ from package-lock.json, then runs the script with the
// Node 24 among them. This file and npm.mjs use only Node's own modules, because they run before anything is installed.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "./npm.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const tools = join(root, "node_modules/.bin");
const node24 = join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");

/** npm writes node_modules/.package-lock.json last, so that file lists what is really installed. */
function toolsAreInstalled() {
  const record = join(root, "node_modules/.package-lock.json");
  if (!existsSync(record) || !existsSync(node24)) return false;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === "" || installed[path]?.version === version || (optional && installed[path] === undefined),
  );
}

async function installTools() {
  console.log("Installing the tools (npm ci) …");
  const started = Date.now();
  try {
    await install(root, ["ci"], console.log);
    if (!toolsAreInstalled()) throw new Error("npm ended without an error, yet tools are missing.");
  } catch (error) {
    console.error(`The tools could not be installed. ${error.message}`);
    process.exit(1);
  }
  console.log(`Installing the tools took ${Math.round((Date.now() - started) / 1000)} s.`);
}

if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(`Bidside needs Node 20 or newer to build; this is Node ${process.versions.node}.`);
  process.exit(1);
}
if (!toolsAreInstalled()) await installTools();

const child = spawn(node24, process.argv.slice(2), {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    PATH: [tools, process.env.PATH].join(delimiter),
    // The sources are ES modules, but package.json cannot declare that, because the editor loads CommonJS bundles.
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --disable-warning=MODULE_TYPELESS_PACKAGE_JSON`.trim(),
  },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// npm signals only its shell, which may exit without forwarding the signal, so an orphaned script ends itself.
const parent = process.ppid;
const orphaned = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(orphaned);
  child.kill("SIGTERM");
}, 250);
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
