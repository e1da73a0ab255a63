// npm run pictures: takes new pictures for README and walkthrough, from the packaged extension in a real editor.
import { readCommandLine } from "./commandLine.ts";
import { takeMovingPicture } from "./pictures/moving.ts";
import { takeStills } from "./pictures/stills.ts";

const { values } = readCommandLine({
  usage: `Usage: npm run pictures [-- --moving]

Takes the pictures of README and walkthrough anew, in dark and light, and writes them into media/. Look at them afterwards.

  --moving takes only the moving picture
  --help   prints this`,
  options: { moving: { type: "boolean", default: false } },
});
if (!values.moving) {
  await takeStills("dark2026", "dark");
  await takeStills("light2026", "light");
}
await takeMovingPicture();
