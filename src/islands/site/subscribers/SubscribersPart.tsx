import { dayText } from '#blog/dates.ts';
import { newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { type NewsletterState, SUBSCRIBER_STATES } from '#blog/newsletter/newsletter.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { newsletterState } from '#stores/newsletter.ts';
import { settingsState } from '#stores/settings.ts';
import { usePart } from '../../use-part.tsx';
import { Issues } from './Issues.tsx';
import { NewsletterForm } from './NewsletterForm.tsx';
import { SubscriberList } from './SubscriberList.tsx';

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

function SubscriberNumbers({ state: { counts, growth } }: { state: NewsletterState }) {
  return (
    <section aria-labelledby="subscriber-numbers" className="min-w-0">
      <h2 id="subscriber-numbers" className="text-xl">
        {newsletterText.subscribers}
      </h2>
      <dl className="mt-4 grid grid-cols-1 gap-4 sm:grid-cols-3">
        {SUBSCRIBER_STATES.map((state) => (
          <div key={state} className="flex flex-col-reverse justify-end">
            <dt className="text-sm text-soft">{newsletterText.states[state]}</dt>
            <dd className="font-serif text-2xl tabular-nums">{counts[state].toLocaleString()}</dd>
          </div>
        ))}
      </dl>
      <GrowthLine growth={growth} />
    </section>
  );
}

/** Draws a line chart, starting at 0, of how many of today's active subscribers had joined by each day. */
function GrowthLine({ growth }: Pick<NewsletterState, 'growth'>) {
  const [first, last] = [growth[0], growth.at(-1)];
  if (!first || !last || growth.length < 2) return null;
  const most = Math.max(1, ...growth.map(({ active }) => active));
  const points = growth.map(({ active }, at) => `${at},${most - active}`);
  const label = newsletterText.growth({
    ...{ first: dayText(new Date(first.day)), last: dayText(new Date(last.day)) },
    ...{ before: first.active, after: last.active },
  });
  return (
    <figure className="mt-6 max-w-[40rem]">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${growth.length - 1} ${most}`}
        preserveAspectRatio="none"
        className="block h-24 w-full overflow-visible border-b border-hairline fill-none stroke-accent stroke-2"
      >
        <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="mt-2 text-sm text-soft">{label}</figcaption>
    </figure>
  );
}
