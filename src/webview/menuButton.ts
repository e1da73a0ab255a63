import { element } from "./dom.ts";

/**
 * Opens the page's menu by its button, with the keys of the ARIA pattern for menu buttons: arrows, Home and End move, Escape
 * and Tab close. A chosen item closes the menu; the focus returns to the button unless the item moved it.
 */
export function addMenu(): void {
  const button = element("menu-button", HTMLButtonElement);
  const menu = element("menu", HTMLElement);

  const items = (): HTMLButtonElement[] =>
    [...menu.querySelectorAll("button")].filter((item) => item.checkVisibility());
  /** `index` of the item with the focus; negative: from the end. */
  const open = (index: number): void => {
    menu.hidden = false;
    button.ariaExpanded = "true";
    items().at(index)?.focus();
  };
  const close = (): void => {
    menu.hidden = true;
    button.ariaExpanded = "false";
  };
  const leave = (): void => {
    if (menu.contains(document.activeElement)) button.focus();
    close();
  };
  const press = (event: KeyboardEvent): void => {
    // The browser moves on from the button.
    if (event.key === "Tab") return leave();
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const indexes: Record<string, number> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: at - 1,
      Home: 0,
      End: -1,
    };
    const index = indexes[event.key];
    if (event.key !== "Escape" && index === undefined) return;
    event.preventDefault();
    if (index === undefined) leave();
    else all.at(index)?.focus();
  };

  button.addEventListener("click", () => (menu.hidden ? open(0) : close()));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open(event.key === "ArrowDown" ? 0 : -1);
  });
  menu.addEventListener("keydown", press);
  menu.addEventListener("click", leave);
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    const stays =
      relatedTarget instanceof Node && [menu, button].some((each) => each.contains(relatedTarget));
    if (!stays) close();
  });
}
