import { useState } from 'react';
import { accountMessage, accountText } from '#blog/messages/account.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { ownArchive } from '#stores/account/account.ts';
import { currentSite } from '#stores/site.ts';
import { Section } from './Section.tsx';
import { saveFile } from './save-file.ts';

export function Archive({ user }: { user: User }) {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState('');

  const download = async () => {
    setBusy(true);
    setFailure('');
    try {
      const { file, posts, pictures, missing } = await ownArchive(user, (done) =>
        setSaid(accountText.downloading({ count: done })),
      );
      saveFile(file, `${currentSite().name}.zip`);
      setSaid(
        accountText.downloaded({
          posts: accountText.posts({ count: posts }),
          pictures: accountText.pictures({ count: pictures }),
        }),
      );
      if (missing.length > 0) setFailure(accountText.missingPictures({ ids: missing.join(', ') }));
    } catch (error) {
      setSaid('');
      setFailure(accountMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={accountText.archive} help={accountText.archiveHelp}>
      <Banner message={failure} className="mb-5 empty:hidden" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button tone="quiet" busy={busy} onClick={() => void download()}>
          {accountText.download}
        </Button>
        <p role="status" className="min-w-0 flex-1 text-base text-soft wrap-anywhere">
          {said}
        </p>
      </div>
    </Section>
  );
}
