/** What other programs say of an element in its `style`, which stands in `data-css` while a paste is read. */

/** Whether a property has such a value. By its own name: Word has others that end like it. */
export function styleOf(css: string, property: string, value: RegExp): boolean {
  const [, found] = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, 'i').exec(css) ?? [];
  return found !== undefined && value.test(found);
}
