// Small helpers for elements.

/** The element of the page with this id, which must be of the given kind. */
export function byId<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} '${id}'.`);
  return found;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Array<Node | string>
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function svgElement(
  tag: string,
  attributes: Record<string, string | number> = {},
  ...children: Array<Node | string>
): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Where the focus goes when what has it is about to be hidden or taken away: without this it would go
 *  back to the beginning of the page. */
export function handOverFocus(from: Element, next: HTMLElement): void {
  if (from.contains(document.activeElement)) next.focus();
}

/** Does what a button asks for, once at a time. A button that were `disabled` meanwhile would lose the focus. */
export async function whileBusy(button: HTMLButtonElement, act: () => Promise<void>): Promise<void> {
  if (button.getAttribute('aria-disabled') === 'true') return;
  button.setAttribute('aria-disabled', 'true');
  try {
    await act();
  } finally {
    button.removeAttribute('aria-disabled');
  }
}
