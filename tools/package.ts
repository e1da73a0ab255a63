import { readCommandLine } from "./commandLine.ts";
import { buildAndPackage } from "./packageExtension.ts";

readCommandLine({
  usage: `Usage: npm run package

Builds the extension and packages it as dist/bidside-<version>.vsix.

  --help   prints this`,
});
console.log(`Packaged ${await buildAndPackage()}`);
