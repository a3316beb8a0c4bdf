// The viewer by keyboard. What each key does is told in the page, beneath the viewer.

export interface KeyActions {
  moveCursor(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  fit(): void;
  actualSize(): void;
  moveDivider(by: number): void;
  clearCursor(): void;
}

const panStep = 48;
const zoomStep = 1.25;
const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function act(event: KeyboardEvent, actions: KeyActions): boolean {
  const arrow = arrows[event.key];
  if (arrow && event.shiftKey) actions.pan(-arrow[0] * panStep, -arrow[1] * panStep);
  else if (arrow) actions.moveCursor(...arrow);
  else if (event.key === '+' || event.key === '=') actions.zoom(zoomStep);
  else if (event.key === '-' || event.key === '_') actions.zoom(1 / zoomStep);
  else if (event.key === '0') actions.fit();
  else if (event.key === '1') actions.actualSize();
  else if (event.key === '[') actions.moveDivider(-0.02);
  else if (event.key === ']') actions.moveDivider(0.02);
  else if (event.key === 'Escape') actions.clearCursor();
  else return false;
  return true;
}

/** Whether the key is a command to the browser. Many keyboards have brackets behind AltGr, which some
 *  systems tell as Control with Alt, and those of Macs behind Option, which is told as Alt. */
function isCommand({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  const isBracket = key === '[' || key === ']';
  return metaKey || (isBracket ? ctrlKey && !altKey : ctrlKey || altKey);
}

export function listenForKeys(element: HTMLElement, actions: KeyActions): void {
  element.addEventListener('keydown', (event) => {
    if (event.target !== element || isCommand(event)) return;
    if (act(event, actions)) event.preventDefault();
  });
}
