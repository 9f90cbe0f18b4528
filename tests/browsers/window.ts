/** One interface to the windows of all browsers, so that the journey is written once. */

/** Kinds of elements that are found by their accessible name. */
export type Role = 'button' | 'link' | 'field' | 'heading';

export interface PageElement {
  click(): Promise<void>;
  /** Types at the end of what a field has. */
  type(text: string): Promise<void>;
  /** Chooses a file of this machine in a file field. */
  choose(path: string): Promise<void>;
}

export interface BrowserWindow {
  /** Opens an address and waits until the page is loaded. */
  open(address: string): Promise<void>;
  /** Loads the page again; a question before it is left is answered with yes. */
  reload(): Promise<void>;
  address(): Promise<string>;
  /** Runs a function in the page; it cannot use variables of the test. */
  evaluate<Result>(script: () => Result): Promise<Result>;
  /** The shown element with that role and name, in the open dialog if there is one; undefined while there is none. */
  find(role: Role, name: string): Promise<PageElement | undefined>;
  /** Makes the page this large, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** The visible part of the page, as PNG. */
  screenshot(): Promise<Uint8Array>;
  /** Ends the browser. */
  close(): Promise<void>;
}

/** Runs in the page: finds an element as `BrowserWindow.find` does. */
export function elementNamed(role: string, name: string): Element | null {
  const roles: Record<string, string> = {
    button: 'button',
    link: 'a[href]',
    field: 'input, textarea, select, [contenteditable=true]',
    heading: 'h1, h2, h3',
  };
  const nameOf = (element: Element) => {
    const labels = 'labels' in element ? (element.labels as NodeListOf<HTMLLabelElement> | null) : null;
    const label = document.getElementById(element.getAttribute('aria-labelledby') ?? '');
    return element.getAttribute('aria-label') ?? label?.textContent ?? labels?.[0]?.textContent ?? element.textContent;
  };
  const dialogs = document.querySelectorAll('dialog[open]');
  const place = dialogs[dialogs.length - 1] ?? document;
  for (const element of place.querySelectorAll(roles[role] ?? role)) {
    if (nameOf(element).trim().replace(/\s+/g, ' ') === name && element.checkVisibility()) return element;
  }
  return null;
}
