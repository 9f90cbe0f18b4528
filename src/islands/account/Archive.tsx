import { accountMessage, accountText } from '#blog/messages/account.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { ownArchive } from '#stores/account/account.ts';
import { currentSite } from '#stores/site.ts';
import { saveFile } from '../save-file.ts';
import { useWork } from '../use-work.ts';
import { Section } from './Section.tsx';

export function Archive({ user }: { user: User }) {
  const { busy, said, failure, run, setSaid, setFailure } = useWork(accountMessage);
  const download = async () => {
    const { file, missing, ...counts } = await ownArchive(user, (count) => setSaid(accountText.downloading({ count })));
    saveFile(file, `${currentSite().name}.zip`);
    const posts = accountText.posts({ count: counts.posts });
    const pictures = accountText.pictures({ count: counts.pictures });
    setSaid(accountText.downloaded({ posts, pictures }));
    if (missing.length > 0) setFailure(accountText.missingPictures({ ids: missing.join(', ') }));
  };
  return (
    <Section title={accountText.archive} help={accountText.archiveHelp}>
      <Banner message={failure} className="mb-5 empty:hidden" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button tone="quiet" busy={busy !== ''} onClick={() => void run('download', download)}>
          {accountText.download}
        </Button>
        <p role="status" className="min-w-0 flex-1 text-base text-soft wrap-anywhere">
          {said}
        </p>
      </div>
    </Section>
  );
}
