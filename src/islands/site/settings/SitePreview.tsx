import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { peopleMessage } from '#blog/messages/people.ts';
import { settingsText } from '#blog/messages/settings.ts';
import { HOME, postPath } from '#blog/routes/paths.ts';
import type { Settings } from '#blog/site-settings/settings.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { listPosts } from '#stores/posts/post-lists.ts';
import { DeviceFrame, useDevice } from '../../device-frame.tsx';
import { postIntoFrame } from '../../post-into-frame.ts';
import { useWork } from '../../use-work.ts';

const FRAME = 'settings-preview';
const QUIET_MS = 400;

/** Previews the home page or a post with the unsaved settings, in a frame that runs no scripts. */
export function SitePreview({ settings }: { settings: Settings }) {
  const [kind, setKind] = useState<'home' | 'post'>();
  const [frames, setFrames] = useState(0);
  const shown = useRef<Settings>(undefined);
  const { device, buttons } = useDevice(settingsText.devices);
  const work = useWork(peopleMessage);

  const show = (chosen: 'home' | 'post') =>
    work.run(chosen, async () => {
      shown.current = settings;
      const newest = chosen === 'post' ? (await listPosts({ limit: 1 })).posts[0] : undefined;
      // Creates a new frame each time, because loading another page in the same frame would add a history entry.
      flushSync(() => {
        setKind(chosen);
        setFrames(frames + 1);
      });
      const action = `/api/settings/preview?${new URLSearchParams({ path: newest ? postPath(newest.id) : HOME })}`;
      await postIntoFrame(FRAME, action, { settings: JSON.stringify(settings) });
    });

  // Runs after each render, so that a change made during a request is shown once the request has finished.
  useEffect(() => {
    if (!kind || work.busy || shown.current === settings) return;
    const timer = setTimeout(() => void show(kind), QUIET_MS);
    return () => clearTimeout(timer);
  });

  return (
    <section aria-labelledby="settings-preview-title" className="min-w-0">
      <h2 id="settings-preview-title" className="text-xl">
        {settingsText.preview}
      </h2>
      <p className="mt-1 mb-4 text-base text-soft">{settingsText.previewHelp}</p>
      <Banner message={work.failure} className="mb-4 empty:hidden" />
      <div className="flex flex-wrap gap-2">
        {(['home', 'post'] as const).map((each) => (
          <Button
            key={each}
            tone="quiet"
            busy={work.busy !== ''}
            aria-pressed={each === kind}
            className="aria-pressed:border-ink aria-pressed:bg-well"
            onClick={() => void show(each)}
          >
            {settingsText.previewOf[each]}
          </Button>
        ))}
        {kind && buttons}
      </div>
      <div
        hidden={!kind}
        className="@container mt-4 h-(--preview-height) overflow-hidden border border-hairline [--preview-height:70dvh]"
      >
        <DeviceFrame key={frames} device={device} name={FRAME} title={settingsText.preview} />
      </div>
    </section>
  );
}
