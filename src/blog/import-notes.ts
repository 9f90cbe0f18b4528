/** Groups the notes of an import's report: a repeated note becomes one line with a count. */

import type { ImportEntry } from './import.ts';

type Noted = Pick<ImportEntry, 'path' | 'notes' | 'losses'>;

/** Returns the notes shared by at least two entries, each once, and the entries with their remaining notes. */
export function groupNotes<Entry extends Noted>(entries: readonly Entry[]) {
  const groups = new Map<string, { text: string; isLoss: boolean; entries: Entry[] }>();
  const keyOf = (text: string, isLoss: boolean) => `${isLoss} ${text}`;
  for (const entry of entries)
    for (const [isLoss, texts] of [[true, entry.losses ?? []] as const, [false, entry.notes] as const])
      for (const text of new Set(texts)) {
        const group = groups.get(keyOf(text, isLoss)) ?? { text, isLoss, entries: [] };
        group.entries.push(entry);
        groups.set(keyOf(text, isLoss), group);
      }
  const isShared = (text: string, isLoss: boolean) => (groups.get(keyOf(text, isLoss))?.entries.length ?? 0) > 1;
  return {
    shared: [...groups.values()]
      .filter(({ text, isLoss }) => isShared(text, isLoss))
      .sort((one, other) => Number(other.isLoss) - Number(one.isLoss)),
    entries: entries.map((entry) => ({
      ...entry,
      notes: counted(entry.notes.filter((text) => !isShared(text, false))),
      ...(entry.losses && { losses: counted(entry.losses.filter((text) => !isShared(text, true))) }),
    })),
  };
}

function counted(texts: readonly string[]): string[] {
  return [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) =>
    length === 1 ? text : `${text} (${length} times)`,
  );
}
