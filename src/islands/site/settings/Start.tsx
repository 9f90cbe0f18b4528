import { type ReactNode, useEffect, useRef, useState } from 'react';
import { peopleText } from '#blog/messages/people.ts';
import { settingsText } from '#blog/messages/settings.ts';
import { homeText, shellText } from '#blog/messages.ts';
import type { SiteState } from '#blog/people.ts';
import { ADD_POST, MANAGE } from '#blog/routes/paths.ts';
import { type Settings, settingsSchema } from '#blog/site-settings/settings.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { saveSettings, settingsState } from '#stores/settings.ts';
import { usePart } from '../../use-part.tsx';
import { InviteForm, LinkDialog, type OneTimeLink } from '../InviteForm.tsx';
import { WhoWrites } from '../WhoWrites.tsx';
import { goToStep, stepNow } from './first-steps.ts';
import { SitePreview } from './SitePreview.tsx';
import { fieldsOf, LookField, settingsMessage, TextField } from './setting-field.tsx';
import { changedSettings } from './unsaved-settings.ts';

// `post` comes last: its link leaves the setup, and until the owner completes `people`, anyone can publish.
const STEPS = ['name', 'look', 'people', 'post'] as const;

interface StartProps {
  readonly site: SiteState;
  readonly onSite: (site: SiteState) => void;
  readonly onEnd: () => void;
}

/** Guides a new owner through the site's name, look, writers and first post. Completed steps are not shown again. */
export function Start({ site, onSite, onEnd }: StartProps) {
  const [at, setAt] = useState(() => stepNow() ?? 0);
  const { state, work } = usePart(settingsState, settingsMessage);
  const [edited, setEdited] = useState<Settings>();
  const settings = edited ?? state?.current.settings ?? {};
  const [hasAnswered, setAnswered] = useState(site.isWritersFixed);
  const [link, setLink] = useState<OneTimeLink>();
  const step = STEPS[at] ?? 'post';
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(at);
  // Moves the focus to the next step's heading, so that screen readers start there.
  useEffect(() => {
    if (shown.current !== at) heading.current?.focus();
    shown.current = at;
  }, [at]);

  const go = () => {
    const next = at + 1 < STEPS.length ? at + 1 : undefined;
    goToStep(next);
    if (next === undefined) onEnd();
    else setAt(next);
  };
  const fault = settingsSchema.safeParse(settings).error?.issues[0];
  const saveAndGo = () => {
    if (!state || fault) return;
    if (changedSettings(state.current.settings, settings).length === 0) return go();
    void work.run('save', async () => {
      await saveSettings({ base: state.current.version, settings });
      goToStep(at + 1);
      // Reloads the page, so that the next step shows the new name and look.
      location.reload();
    });
  };
  if (!state && !work.failure) return <Spinner label={peopleText.loading} className="py-16" />;

  const field = fieldsOf(state ?? {}, settings, { [String(fault?.path[0])]: fault?.message ?? '' }, setEdited);
  const parts: Readonly<Record<(typeof STEPS)[number], ReactNode>> = {
    name: (
      <>
        <TextField {...field('name')} />
        <TextField {...field('tagline', settingsText.start.taglineHelp)} label={settingsText.start.tagline} rows={3} />
      </>
    ),
    look: (
      <>
        <LookField {...field('look')} />
        <SitePreview settings={settings} />
      </>
    ),
    people: (
      <>
        <WhoWrites
          state={site}
          isUnanswered={!hasAnswered}
          onChanged={(changed) => {
            setAnswered(true);
            onSite(changed);
          }}
        />
        <div className="mt-4">
          <InviteForm onLink={setLink} onInvited={() => undefined} />
        </div>
      </>
    ),
    post: (
      <>
        <p className="mb-4 text-base text-soft">{settingsText.start.postHelp}</p>
        <ButtonLink href={ADD_POST} className="mb-8" onClick={() => goToStep(undefined)}>
          {homeText.writePost}
        </ButtonLink>
        <p className="text-base text-soft">
          {settingsText.start.more({
            site: shellText.theSite,
            account: shellText.account,
            address: location.origin + MANAGE,
          })}
        </p>
      </>
    ),
  };
  return (
    <section aria-labelledby="start" className="mx-auto mt-8 max-w-[40rem]">
      <p className="text-sm text-soft" role="status">
        {settingsText.start.step({ step: at + 1, steps: STEPS.length })}
      </p>
      <h2 id="start" ref={heading} tabIndex={-1} className="mt-1 mb-5 text-2xl outline-none">
        {settingsText.start[step]}
      </h2>
      <Banner message={work.failure} className="mb-4 empty:hidden" />
      {parts[step]}
      <div className="mt-6 flex flex-wrap gap-3">
        {step === 'people' && (
          <Button disabled={!hasAnswered} aria-describedby="first-answer" onClick={go}>
            {settingsText.start.next}
          </Button>
        )}
        {step === 'people' && !hasAnswered && (
          <p id="first-answer" className="self-center text-base text-soft">
            {settingsText.start.answerFirst}
          </p>
        )}
        {step === 'post' && (
          <Button tone="quiet" onClick={go}>
            {settingsText.start.finish}
          </Button>
        )}
        {(step === 'name' || step === 'look') && (
          <>
            <Button busy={work.busy !== ''} onClick={saveAndGo}>
              {settingsText.start.next}
            </Button>
            <Button
              tone="quiet"
              onClick={() => {
                setEdited(undefined);
                go();
              }}
            >
              {settingsText.start.skip}
            </Button>
          </>
        )}
      </div>
      {link && <LinkDialog link={link} onClose={() => setLink(undefined)} />}
    </section>
  );
}
