import { $markSchema } from '@milkdown/kit/utils';

/** Members that Milkdown requires but never uses, because posts are stored as HTML. */
export const noMarkdown = {
  parseMarkdown: { match: () => false, runner: () => {} },
  toMarkdown: { match: () => false, runner: () => {} },
};

export const simpleMark = (id: string, tag: string) =>
  $markSchema(id, () => ({ parseDOM: [{ tag }], toDOM: () => [tag, 0], ...noMarkdown }));

export function present(attrs: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attrs).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
