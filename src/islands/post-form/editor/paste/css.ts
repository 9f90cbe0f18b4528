/** Reads the original `style` of pasted elements, which is kept in `data-css`. */

/**
 * Returns true if the property has a matching value. The name is matched whole, because Word has properties with the
 * same ending.
 */
export function styleOf(css: string, property: string, value: RegExp): boolean {
  const [, found] = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, 'i').exec(css) ?? [];
  return found !== undefined && value.test(found);
}
