// Gives a process the paths of Windows, on any system: node --import test/world/windowsPaths.mjs …
import { registerHooks } from "node:module";

registerHooks({
  resolve: (name, context, next) =>
    name === "node:path" ? { url: "node:path/win32", shortCircuit: true } : next(name, context),
});
