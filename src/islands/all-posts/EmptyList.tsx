/** A list without posts: why, and what can be done. */

import { homeText, listText } from '#blog/messages.ts';
import { ADD_POST } from '#blog/routes/paths.ts';
import { Button, ButtonLink } from '#components/Button.tsx';
import { EmptyState } from '#components/EmptyState.tsx';
import type { ListChoice } from './list-choice.ts';

export function EmptyList({ choice, onShowAll }: { choice: ListChoice; onShowAll: () => void }) {
  if (choice.search) {
    return (
      <EmptyState title={listText.nothingFound(choice.search)} text={listText.nothingFoundHelp}>
        <Button tone="quiet" onClick={onShowAll}>
          {listText.showAll}
        </Button>
      </EmptyState>
    );
  }
  const [title, text, first] =
    choice.scope === 'all'
      ? [listText.noneActive, listText.noneActiveHelp, homeText.createFirst]
      : [listText.noneMine, listText.noneMineHelp, homeText.writePost];
  return (
    <EmptyState title={title} text={text}>
      <ButtonLink href={ADD_POST}>{first}</ButtonLink>
    </EmptyState>
  );
}
