import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { install } from "../npm.mjs";
import { toolsFolder } from "../paths.ts";
import { installOnce, type Progress } from "./installOnce.ts";

const VERSION = "153.0.0";
/**
 * The packaged Chromium has one font, configures font folders that do not exist here, and crashes on characters that no
 * font has.
 */
const FONTS_VERSION = "2.37.3";

/** A Chromium-based browser, and the environment variables it needs. */
export interface Browser {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Finds a browser to drive: the one in BIDSIDE_BROWSER, else an installed Chrome, Chromium or Edge, else one that it
 * installs from npm under .vscode-test/ (Linux x64 only). Throws if BIDSIDE_BROWSER does not exist, or if no browser
 * can be found or installed.
 */
export async function findBrowser(progress: Progress): Promise<Browser> {
  const named = process.env["BIDSIDE_BROWSER"];
  if (named !== undefined) {
    if (!existsSync(named)) throw new Error(`BIDSIDE_BROWSER names ${named}, which does not exist.`);
    return { executable: named, env: {} };
  }
  const installed = usualPlaces().find((path) => existsSync(path));
  if (installed !== undefined) return { executable: installed, env: {} };
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("No Chrome, Chromium or Edge was found. Install one, or name it in BIDSIDE_BROWSER.");
  return installChromium(progress);
}

function usualPlaces(): string[] {
  if (process.platform === "darwin")
    return ["Google Chrome", "Chromium", "Microsoft Edge"].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  if (process.platform === "win32")
    return ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"]
      .flatMap((variable) => process.env[variable] ?? [])
      .flatMap((folder) => [
        join(folder, "Google", "Chrome", "Application", "chrome.exe"),
        join(folder, "Microsoft", "Edge", "Application", "msedge.exe"),
      ]);
  const names = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "microsoft-edge"];
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">unpacked/fonts/fonts</dir>
  <dir prefix="relative">node_modules/dejavu-fonts-ttf/ttf</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
`;

async function installChromium(progress: Progress): Promise<Browser> {
  const folder = await installOnce(
    join(toolsFolder, `chromium-${VERSION}-fonts-${FONTS_VERSION}`),
    "a browser for the tests",
    progress,
    async (temporary) => {
      writeFileSync(join(temporary, "package.json"), '{ "private": true }\n');
      const packages = [`@sparticuz/chromium@${VERSION}`, `dejavu-fonts-ttf@${FONTS_VERSION}`];
      await install(temporary, ["install", ...packages, "--ignore-scripts"], progress);
      const unpacked = join(temporary, "unpacked");
      mkdirSync(unpacked);
      // The package unpacks into TMPDIR, and unpacks its system libraries only if it seems to run on AWS Lambda.
      const unpack = 'import("@sparticuz/chromium").then((module) => module.default.executablePath())';
      execFileSync(process.execPath, ["--eval", unpack], {
        cwd: temporary,
        stdio: "pipe",
        env: { ...process.env, TMPDIR: unpacked, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" },
      });
      writeFileSync(join(temporary, "fonts.conf"), fonts);
    },
  );
  const unpacked = join(folder, "unpacked");
  return {
    executable: join(unpacked, "chromium"),
    env: { LD_LIBRARY_PATH: join(unpacked, "al2023", "lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}
