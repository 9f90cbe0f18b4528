import { newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { newsletterState } from '#stores/newsletter.ts';
import { settingsState } from '#stores/settings.ts';
import { usePart } from '../use-part.tsx';
import { Issues } from './Issues.tsx';
import { NewsletterForm } from './NewsletterForm.tsx';
import { SubscriberList } from './SubscriberList.tsx';
import { SubscriberNumbers } from './SubscriberNumbers.tsx';

async function loadPart() {
  const [newsletter, settings] = await Promise.all([newsletterState(), settingsState()]);
  return { newsletter, settings };
}

export function SubscribersPart() {
  const { state, setState, waiting } = usePart(loadPart, newsletterMessage);
  if (!state) return waiting;
  const { newsletter, settings } = state;
  const reload = async () => {
    const loaded = await newsletterState();
    setState((shown) => shown && { ...shown, newsletter: loaded });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
      {!newsletter.sendsMail && <Banner message={newsletterText.needsMail} />}
      <NewsletterForm
        saved={settings.current}
        onSaved={(saved) => setState((shown) => shown && { ...shown, settings: saved })}
      />
      <SubscriberNumbers state={newsletter} />
      <SubscriberList
        canAdd={newsletter.sendsMail && settings.current.settings.newsletter !== undefined}
        onChanged={reload}
      />
      <Issues issues={newsletter.issues} onChanged={reload} />
    </div>
  );
}
