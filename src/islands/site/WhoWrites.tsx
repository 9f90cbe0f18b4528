import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import type { SiteState } from '#blog/people.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Choices } from '#components/controls/Choices.tsx';
import { letWrite } from '#stores/people.ts';
import { useWork } from '../use-work.ts';

const CHOICES = [
  ['everyone', peopleText.everyone, peopleText.everyoneHelp],
  ['members', peopleText.members, peopleText.membersHelp],
] as const;

interface WhoWritesProps {
  readonly state: SiteState;
  /** True to preselect nothing, so that a new owner has to make a choice. */
  readonly isUnanswered?: boolean;
  readonly onChanged: (state: SiteState) => void;
}

export function WhoWrites({ state, isUnanswered, onChanged }: WhoWritesProps) {
  const { busy, failure, said, run } = useWork(peopleMessage);
  const mayChange = state.role === 'owner' && !state.isWritersFixed;
  return (
    <section aria-labelledby="who-writes">
      <h2 id="who-writes" className="text-xl">
        {peopleText.writing}
      </h2>
      {state.isWritersFixed && <p className="mt-1 text-base text-soft">{peopleText.writersFixed}</p>}
      <Banner message={failure} className="mt-4 empty:hidden" />
      <fieldset className="mt-4 grid gap-3" disabled={!mayChange || busy !== ''}>
        <legend className="sr-only">{peopleText.writing}</legend>
        <Choices
          name="writers"
          choices={CHOICES}
          chosen={busy || (isUnanswered ? '' : state.writers)}
          onChoose={(each) => void run(each, async () => onChanged(await letWrite(each)), peopleText.writersSaved)}
        />
      </fieldset>
      <p role="status" className="mt-3 min-h-6 text-base text-soft">
        {said}
      </p>
    </section>
  );
}
