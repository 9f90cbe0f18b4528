/** The notice for an empty list of pages. The site's owner can start a common page from a template. */
import { allPostsText } from '#blog/messages/all-posts.ts';
import { PAGE_SUGGESTIONS, pageText } from '#blog/messages/page-suggestions.ts';
import { suggestedPagePath } from '#blog/routes/paths.ts';
import { ButtonLink } from '#components/controls/Button.tsx';
import { EmptyState } from '#components/controls/EmptyState.tsx';
import { useSiteRole } from '../use-site-role.ts';

export function NoPages({ userId }: { userId: string }) {
  const isOwner = useSiteRole(userId) === 'owner';
  return (
    <EmptyState title={allPostsText.nonePages} text={allPostsText.nonePagesHelp}>
      <ButtonLink href={suggestedPagePath('page')}>{allPostsText.writePage}</ButtonLink>
      {isOwner &&
        PAGE_SUGGESTIONS.map((name) => (
          <ButtonLink key={name} tone="quiet" href={suggestedPagePath(name)}>
            {pageText[name].title}
          </ButtonLink>
        ))}
    </EmptyState>
  );
}
