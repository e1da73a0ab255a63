// Installs packages with npm, even on a computer without network. Uses only Node's own modules, because it runs before
// anything is installed.
import { spawn } from "node:child_process";

/** Timeout for a response of the registry, in ms. */
const REGISTRY_MS = Number(process.env.BIDSIDE_REGISTRY_MS ?? 20_000);
/** A small package that every registry has, because the project depends on it. */
const PROBE = "@types/big.js";

const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];

/**
 * Runs `npm` in a folder to install packages. Probes the registry first, because npm itself waits for minutes without a
 * network; if the registry does not respond, installs from npm's cache, and `progress` reports that. Rejects with an
 * error whose message says what to do.
 *
 * @param {string} folder
 * @param {readonly string[]} args
 * @param {(sentence: string) => void} progress
 */
export async function install(folder, args, progress) {
  const probe = await npm(
    folder,
    ["view", PROBE, "version", "--prefer-online", "--fetch-retries=0"],
    REGISTRY_MS,
  );
  if (probe.code === 0) {
    const { code, output } = await npm(folder, args);
    if (code !== 0) throw new Error(`npm ${args.join(" ")} failed in ${folder}:\n${output}`);
    return;
  }
  progress("The npm registry does not answer. Trying the packages that npm keeps on this machine …");
  const { code } = await npm(folder, [...args, "--offline"]);
  if (code === 0) return;
  throw new Error(
    `The npm registry does not answer, and npm does not keep every package on this machine.\n` +
      `Check the network, and npm's registry and proxy settings (npm config list); then run the command again.\n` +
      `npm's output: ${probe.output === "" ? `none within ${REGISTRY_MS / 1000} s` : probe.output}`,
  );
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 * @param {number} [limitMs]
 * @returns {Promise<{ code: number, output: string }>}
 */
function npm(folder, args, limitMs) {
  const script = process.env.npm_execpath;
  // Uses the Node that started npm, because process.execPath may be in a folder that npm is about to replace.
  const [program, first] =
    script === undefined ? ["npm", []] : [process.env.npm_node_execpath ?? process.execPath, [script]];
  const child = spawn(program, [...first, ...args, ...quiet], {
    cwd: folder,
    shell: script === undefined && process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
    ...(limitMs !== undefined && { timeout: limitMs, killSignal: "SIGKILL" }),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code: code ?? 1, output: output.trim() }));
  });
}
