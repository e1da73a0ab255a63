// Replaces @vscode/spdlog in the installed server, which lacks the native part of that package because it needs a
// compiler. Without a log writer the editor drops all log lines, including those of extensions.
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

const LEVELS = ["trace", "debug", "info", "warning", "error", "critical"];

/** The logger that VS Code expects: levels are indexes of LEVELS, 6 is off. */
class Logger {
  #file;
  #level = 2;
  #hasFormat = true;

  constructor(_type, _name, file) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, "");
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  setPattern() {
    this.#hasFormat = true;
  }

  clearFormatters() {
    this.#hasFormat = false;
  }

  flush() {}

  drop() {}

  write(level, message) {
    if (level < this.#level) return;
    const time = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString();
    const stamp = time.replace("T", " ").replace("Z", "");
    appendFileSync(this.#file, this.#hasFormat ? `${stamp} [${LEVELS[level]}] ${message}\n` : message);
  }
}
for (const [level, name] of ["trace", "debug", "info", "warn", "error", "critical"].entries()) {
  Logger.prototype[name] = function (message) {
    this.write(level, message);
  };
}

// Exported one by one, because the editor imports this file as an ES module, which finds only such exports.
exports.version = 1;
exports.Logger = Logger;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.createRotatingLogger = async (name, file) => new Logger("rotating", name, file);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
