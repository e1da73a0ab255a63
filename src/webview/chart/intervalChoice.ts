import { intervalNames, type Interval } from "../../market/intervals.ts";
import type { ChartStrings } from "../../protocol/chart.ts";
import { element, make } from "../dom.ts";

/**
 * Adds the intervals to the header, as radio buttons and as a list for a narrow page; the page's style shows one of them.
 * `changed` is called with the user's choice.
 */
export function addIntervals(
  chosen: Interval,
  strings: ChartStrings["intervals"],
  changed: (interval: Interval) => void,
): void {
  const list = element("interval", HTMLSelectElement);
  const radios = element("intervals", HTMLFieldSetElement);
  const show = (interval: Interval): void => {
    list.value = interval;
    for (const radio of radios.querySelectorAll("input")) radio.checked = radio.value === interval;
  };
  const choose = (interval: Interval): void => {
    show(interval);
    changed(interval);
  };
  for (const interval of intervalNames) {
    const { label, spoken } = strings[interval];
    const radio = make("input", { type: "radio", name: "interval", value: interval, ariaLabel: spoken });
    radio.addEventListener("change", () => choose(interval));
    const choice = make("label", {});
    choice.append(radio, make("span", { textContent: label }));
    radios.append(choice);
    list.append(make("option", { value: interval, textContent: label }));
  }
  list.addEventListener("change", () => choose(list.value as Interval));
  show(chosen);
}
