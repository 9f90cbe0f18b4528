/** What the parts of the editor's schema are made of. */

import { $markSchema } from '@milkdown/kit/utils';

/** Content never goes through Markdown; Milkdown wants these members all the same. */
export const noMarkdown = {
  parseMarkdown: { match: () => false, runner: () => {} },
  toMarkdown: { match: () => false, runner: () => {} },
};

/** A mark that is one element and nothing else. */
export const plainMark = (id: string, tag: string) =>
  $markSchema(id, () => ({ parseDOM: [{ tag }], toDOM: () => [tag, 0], ...noMarkdown }));

/** The attributes that are there, so that the element carries no empty ones. */
export function present(attrs: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attrs).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
