import { useEffect, useRef, useState } from 'react';
import { peopleMessage } from '#blog/messages/people.ts';
import { settingsText } from '#blog/messages/settings.ts';
import { HOME, postPath } from '#blog/routes/paths.ts';
import type { Settings } from '#blog/site-settings/settings.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { listPosts } from '#stores/posts/post-lists.ts';
import { $theme } from '#stores/theme.ts';
import { postIntoFrame } from '../../post-into-frame.ts';
import { useWork } from '../../use-work.ts';

const WIDTHS = { phone: '[--preview-width:390px]', desktop: '[--preview-width:1280px]' } as const;
type Device = keyof typeof WIDTHS;
const FRAME = 'settings-preview';

/** Shows the home page or a post with unsaved settings, in a frame without scripts. */
export function SitePreview({ settings }: { settings: Settings }) {
  const [path, setPath] = useState('');
  const [device, setDevice] = useState<Device>(() => (innerWidth < 700 ? 'phone' : 'desktop'));
  const work = useWork(peopleMessage);
  const frame = useRef<HTMLIFrameElement>(null);

  const show = (kind: 'home' | 'post') =>
    work.run(kind, async () => {
      const newest = kind === 'post' ? (await listPosts({ limit: 1 })).posts[0] : undefined;
      const shown = newest ? postPath(newest.id) : HOME;
      setPath(shown);
      const action = `/api/settings/preview?${new URLSearchParams({ path: shown })}`;
      await postIntoFrame(FRAME, action, { settings: JSON.stringify(settings) });
    });

  const followTheme = () =>
    frame.current?.contentDocument?.documentElement.classList.toggle('dark', $theme.get() === 'dark');
  useEffect(() => $theme.listen(followTheme));

  return (
    <section aria-labelledby="settings-preview-title" className="min-w-0">
      <h2 id="settings-preview-title" className="text-xl">
        {settingsText.preview}
      </h2>
      <p className="mt-1 mb-4 text-base text-soft">{settingsText.previewHelp}</p>
      <Banner message={work.failure} className="mb-4 empty:hidden" />
      <div className="flex flex-wrap gap-2">
        {(['home', 'post'] as const).map((kind) => (
          <Button key={kind} tone="quiet" busy={work.busy !== ''} onClick={() => void show(kind)}>
            {settingsText.previewOf[kind]}
          </Button>
        ))}
        {path &&
          (['phone', 'desktop'] as const).map((name) => (
            <Button
              key={name}
              tone="quiet"
              aria-pressed={device === name}
              className="aria-pressed:border-ink aria-pressed:bg-well"
              onClick={() => setDevice(name)}
            >
              {settingsText.devices[name]}
            </Button>
          ))}
      </div>
      <div
        hidden={!path}
        className="@container mt-4 h-(--preview-height) overflow-hidden border border-hairline [--preview-height:70dvh]"
      >
        <iframe
          ref={frame}
          name={FRAME}
          title={settingsText.preview}
          sandbox="allow-same-origin"
          // Scales the device's width to the frame's. CSS divides lengths only with a trick: tan(atan2(a, b)) is a / b.
          className={`mx-auto block h-[calc(var(--preview-height)/var(--preview-scale))] w-(--preview-width) origin-top-left scale-(--preview-scale) [--preview-scale:min(1,tan(atan2(100cqw,var(--preview-width))))] ${WIDTHS[device]}`}
          onLoad={followTheme}
        />
      </div>
    </section>
  );
}
