import { allPostsText } from '#blog/messages/all-posts.ts';
import { homeText } from '#blog/messages.ts';
import { ADD_POST } from '#blog/routes/paths.ts';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { EmptyState } from '#components/controls/EmptyState.tsx';
import type { ListChoice } from './list-choice.ts';

export function EmptyList({ choice, onShowAll }: { choice: ListChoice; onShowAll: () => void }) {
  if (choice.search) {
    return (
      <EmptyState title={allPostsText.nothingFound({ words: choice.search })} text={allPostsText.nothingFoundHelp}>
        <Button tone="quiet" onClick={onShowAll}>
          {allPostsText.showAll}
        </Button>
      </EmptyState>
    );
  }
  const [title, text, first] =
    choice.scope === 'all'
      ? [allPostsText.noneActive, allPostsText.noneActiveHelp, homeText.createFirst]
      : [allPostsText.noneMine, allPostsText.noneMineHelp, homeText.writePost];
  return (
    <EmptyState title={title} text={text}>
      <ButtonLink href={ADD_POST}>{first}</ButtonLink>
    </EmptyState>
  );
}
