import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";

/** The only files of src that may name things that a simulated world replaces. */
const seams: Readonly<Record<string, readonly string[]>> = {
  "time/timers.ts": ["clock", "timer"],
  // The program for alerts. No world has one.
  "desk/notifications/program.ts": ["process"],
  // The real network. A world has a transport and connections of its own.
  "http/transport.ts": ["timer"],
  "http/connection.ts": ["network"],
  "exchange/stream/socket.ts": ["clock"],
  "files/operatingSystem.ts": ["chance", "file", "network", "process"],
  "files/isRunning.ts": ["process"],
  "ports.ts": ["chance"],
  // The editor itself.
  "ui/quickInput.ts": ["timer"],
  "ui/pages/pages.ts": ["timer"],
  // Pauses, so that the editor is not blocked.
  "ui/portfolio/recordedValues.ts": ["timer"],
  "ui/text/errorText.ts": ["clock"],
  "ui/pages/webviewPage.ts": ["chance"],
  "ui/ticket/ticketHtml.ts": ["chance"],
  // The region of the system, for times of day.
  "ui/text/hourCycle.ts": ["process"],
  "ui/assistant/assistants.ts": ["chance"],
  // The server for assistants, a program of its own.
  "mcp/cli.ts": ["file"],
  // The practice exchange as a server. A world runs its service only.
  "practice/cli.ts": ["clock", "file"],
  "practice/directoryLock.ts": ["file", "process"],
  "practice/embedded.ts": ["network"],
  "practice/http/resetAccount.ts": ["network", "timer"],
  "practice/http/server.ts": ["network", "process"],
  "practice/stream/upgrades.ts": ["network"],
  "practice/keyPair.ts": ["chance", "file"],
};

const kinds: Readonly<Record<string, RegExp>> = {
  clock: /\bDate\.now\b|new Date\(\)|\bperformance\./,
  timer: /(?<![.\w])set(?:Timeout|Immediate|Interval)\((?!ms: )|node:timers|AbortSignal\.timeout/,
  chance: /\bMath\.random\b|import \{[^}]*\brandom(?:Bytes|UUID|Int|FillSync)\b[^}]*\} from "node:crypto"/,
  file: /"(?:node:)?fs(?:\/promises)?"/,
  network: /"(?:node:)?(?:net|http|https|tls|dgram|http2)"|\bfetch\(/,
  process: /\bprocess\.(?:pid|kill|platform|getuid|uptime|hrtime)\b|node:child_process/,
};

/** The outside things that a source uses by itself. Type imports do not count. */
function takes(source: string): string[] {
  const code = source.replaceAll(/^import type .*?;$/gms, "").replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  return Object.keys(kinds).filter((kind) => kinds[kind]?.test(code));
}

describe("The seams", () => {
  const files = globSync("**/*.ts", { cwd: "src" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.endsWith(".d.ts") && !file.startsWith("webview/"));

  it("are the only places that name clock, timers, chance, files, network and process", () => {
    assert.ok(files.includes("desk/desk.ts"));
    const wrong = files.flatMap((file) =>
      takes(readFileSync(`src/${file}`, "utf8"))
        .filter((kind) => !seams[file]?.includes(kind))
        .map((kind) => `${file}: ${kind}`),
    );
    assert.deepEqual(wrong, []);
  });

  it("are all needed", () => {
    for (const [file, kinds] of Object.entries(seams))
      assert.deepEqual(
        kinds.filter((kind) => !takes(readFileSync(`src/${file}`, "utf8")).includes(kind)),
        [],
        file,
      );
  });

  for (const [source, kind] of [
    ["const now = Date.now();", "clock"],
    ["setTimeout(task, 10);", "timer"],
    ["const chance = Math.random();", "chance"],
    ['import { randomBytes } from "node:crypto";', "chance"],
    ['import { readFileSync } from "node:fs";', "file"],
    ['import { connect } from "node:net";', "network"],
    ["const name = process.pid;", "process"],
  ] as const)
    it(`would be broken by: ${source}`, () => {
      assert.deepEqual(takes(source), [kind]);
    });

  it("are not broken by a type, a comment or a port", () => {
    const source =
      'import type { Socket } from "node:net";\n// Date.now() would do.\ncomputer.randomBytes(8);\npoll.setInterval(5);';
    assert.deepEqual(takes(source), []);
  });
});
