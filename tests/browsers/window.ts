/** Roles of elements that are found by their accessible name. */
export type Role = 'button' | 'link' | 'field';

export interface PageElement {
  click(): Promise<void>;
  /** Types at the end of the field's value. */
  type(text: string): Promise<void>;
  choose(path: string): Promise<void>;
}

export interface BrowserWindow {
  open(address: string): Promise<void>;
  /** Reloads the page and accepts a beforeunload dialog. */
  reload(): Promise<void>;
  address(): Promise<string>;
  /** Runs a function in the page; it cannot use variables of the test. */
  evaluate<Result>(script: () => Result): Promise<Result>;
  /**
   * Finds the visible element with that role and name, within the open dialog if there is one. The page's scripts can
   * read it as `found` until the next search.
   */
  find(role: Role, name: string): Promise<PageElement | undefined>;
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

/** Implements `BrowserWindow.find`. Runs in the page, so it may not use anything defined outside this function. */
export function elementNamed(role: string, name: string): Element | null {
  const roles: Record<string, string> = {
    button: 'button',
    link: 'a[href]',
    field: 'input, textarea, select, [contenteditable=true]',
  };
  const nameOf = (element: Element) => {
    const labels = 'labels' in element ? (element.labels as NodeListOf<HTMLLabelElement> | null) : null;
    const label = document.getElementById(element.getAttribute('aria-labelledby') ?? '');
    return element.getAttribute('aria-label') ?? label?.textContent ?? labels?.[0]?.textContent ?? element.textContent;
  };
  const dialogs = document.querySelectorAll('dialog[open]');
  const place = dialogs[dialogs.length - 1] ?? document;
  for (const element of place.querySelectorAll(roles[role] ?? role)) {
    if (nameOf(element).trim().replace(/\s+/g, ' ') !== name || !element.checkVisibility()) continue;
    Object.assign(window, { found: element });
    return element;
  }
  return null;
}
