/** Reads the original `style` of pasted elements, which is kept in `data-css`. */

/** True if the property has such a value. The name is matched whole, because Word has properties that end alike. */
export function styleOf(css: string, property: string, value: RegExp): boolean {
  const [, found] = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, 'i').exec(css) ?? [];
  return found !== undefined && value.test(found);
}
