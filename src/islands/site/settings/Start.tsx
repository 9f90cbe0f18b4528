import { type ReactNode, useEffect, useState } from 'react';
import { peopleText } from '#blog/messages/people.ts';
import { settingsText } from '#blog/messages/settings.ts';
import { homeText } from '#blog/messages.ts';
import { ADD_POST } from '#blog/routes/paths.ts';
import { type Settings, type SettingsState, settingsSchema } from '#blog/site-settings/settings.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { saveSettings, settingsState } from '#stores/settings.ts';
import { useWork } from '../../use-work.ts';
import { InviteForm, LinkDialog, type OneTimeLink } from '../InviteForm.tsx';
import { goToStep, stepNow } from './first-steps.ts';
import { LookField } from './LookField.tsx';
import { fieldsOf, settingsMessage } from './setting-field.ts';
import { TextField } from './TextField.tsx';

const STEPS = ['name', 'look', 'post', 'people'] as const;

/** Leads a new owner through name, look, first post and invitation. Completed steps are not shown again. */
export function Start({ onEnd }: { onEnd: () => void }) {
  const [at, setAt] = useState(() => stepNow() ?? 0);
  const [state, setState] = useState<SettingsState>();
  const [settings, setSettings] = useState<Settings>({});
  const [link, setLink] = useState<OneTimeLink>();
  const work = useWork(settingsMessage);
  const step = STEPS[at] ?? 'people';

  const take = (found: SettingsState) => {
    setState(found);
    setSettings(found.current.settings);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the steps begin.
  useEffect(() => void work.run('load', async () => take(await settingsState())), []);

  const go = () => {
    const next = at + 1 < STEPS.length ? at + 1 : undefined;
    goToStep(next);
    if (next === undefined) onEnd();
    else setAt(next);
  };
  const fault = settingsSchema.safeParse(settings).error?.issues[0]?.message;
  const saveAndGo = () => {
    if (!state || fault) return;
    if (JSON.stringify(settings) === JSON.stringify(state.current.settings)) return go();
    const save = async () => take(await saveSettings({ base: state.current.version, settings }));
    void work.run('save', save).then((isSaved) => isSaved && go());
  };
  if (!state && !work.failure) return <Spinner label={peopleText.loading} className="py-16" />;

  const field = fieldsOf(state ?? {}, settings, { name: fault ?? '' }, setSettings);
  const parts: Readonly<Record<(typeof STEPS)[number], ReactNode>> = {
    name: <TextField {...field('name')} />,
    look: <LookField {...field('look')} />,
    post: (
      <>
        <p className="mb-4 text-base text-soft">{settingsText.start.postHelp}</p>
        <ButtonLink href={ADD_POST} tone="quiet" className="mb-4" onClick={() => goToStep(at + 1)}>
          {homeText.writePost}
        </ButtonLink>
      </>
    ),
    people: <InviteForm onLink={setLink} onInvited={() => undefined} />,
  };
  return (
    <section aria-labelledby="start" className="mx-auto mt-8 max-w-[40rem]">
      <p className="text-sm text-soft" role="status">
        {settingsText.start.step({ step: at + 1, steps: STEPS.length })}
      </p>
      <h2 id="start" className="mt-1 mb-5 text-2xl">
        {settingsText.start[step]}
      </h2>
      <Banner message={work.failure} className="mb-4 empty:hidden" />
      {parts[step]}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button busy={work.busy !== ''} onClick={step === 'name' || step === 'look' ? saveAndGo : go}>
          {settingsText.start[step === 'people' ? 'finish' : 'next']}
        </Button>
        {step !== 'people' && (
          <Button tone="quiet" onClick={go}>
            {settingsText.start.skip}
          </Button>
        )}
      </div>
      {link && <LinkDialog link={link} onClose={() => setLink(undefined)} />}
    </section>
  );
}
