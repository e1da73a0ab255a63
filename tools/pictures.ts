// npm run pictures: retakes the images of README and walkthrough, from the packaged extension in a real editor.
import { readCommandLine } from "./commandLine.ts";
import { takeMovingPictures } from "./pictures/moving.ts";
import { takeStills } from "./pictures/stills.ts";

const { values } = readCommandLine({
  usage: `Usage: npm run pictures [-- --moving]

Retakes the images of README and walkthrough, in dark and light, and writes them to media/. Review them afterwards.

  --moving takes only the moving pictures
  --help   prints this`,
  options: { moving: { type: "boolean", default: false } },
});
if (!values.moving) {
  await takeStills("dark2026", "dark");
  await takeStills("light2026", "light");
}
await takeMovingPictures();
