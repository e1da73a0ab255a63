import type { FromChart } from "../../protocol/chart.ts";
import { element } from "../dom.ts";

interface PicturesOptions {
  /** The chart as it is drawn, without the page's texts over it. */
  readonly screenshot: () => HTMLCanvasElement;
  readonly send: (message: FromChart) => void;
}

const PNG = "image/png";

/** The menu's items for pictures of the chart: to a file, which the host writes, and to the clipboard. */
export function addPictures({ screenshot, send }: PicturesOptions): void {
  element("picture", HTMLButtonElement).addEventListener("click", () => {
    const png = screenshot()
      .toDataURL(PNG)
      .replace(/^[^,]*,/, "");
    send({ type: "picture", png });
  });
  element("copy-picture", HTMLButtonElement).addEventListener("click", async () => {
    try {
      // The browser allows it only in response to the click, so the picture may follow, but not the call.
      await navigator.clipboard.write([new ClipboardItem({ [PNG]: blobOf(screenshot()) })]);
      send({ type: "pictureCopied", isCopied: true });
    } catch {
      send({ type: "pictureCopied", isCopied: false });
    }
  });
}

function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The chart has no size"))), PNG);
  });
}
