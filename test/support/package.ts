// npm run package: builds the extension and packages it as dist/bidside-<version>.vsix.
import { buildAndPackage } from "./packageExtension.ts";

console.log(`Packaged ${await buildAndPackage()}`);
