type Area = 'localStorage' | 'sessionStorage';

/** Returns a stored value; null if nothing is stored or the browser forbids storage. */
export function stored(area: Area, key: string): string | null {
  try {
    return globalThis[area].getItem(key);
  } catch {
    return null;
  }
}

/** Returns the keys of all stored values; none if the browser forbids storage. */
export function storedKeys(area: Area): string[] {
  try {
    return Object.keys(globalThis[area]);
  } catch {
    return [];
  }
}

/** Stores a value, or removes it if it is null. Does nothing if storage is forbidden or full. */
export function store(area: Area, key: string, value: string | null): void {
  try {
    if (value === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, value);
  } catch {
    // Callers can do without the value: drafts are also written to IndexedDB, and the rest is only a convenience.
  }
}
