import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import type { PeopleAction, Person } from '#blog/people.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Choices } from '#components/controls/Choices.tsx';
import { ConfirmDialog } from '#components/controls/Dialog.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { $auth } from '#stores/account/auth.ts';
import { changePeople, listPeople, storageByPerson } from '#stores/people.ts';
import { useWork } from '../use-work.ts';
import { InviteForm, LinkDialog, type OneTimeLink } from './InviteForm.tsx';
import { PersonItem } from './PersonItem.tsx';
import { SearchField } from './SearchField.tsx';

export function People({ isOwner }: { isOwner: boolean }) {
  const { user } = useStore($auth);
  const list = usePeople();
  const work = useWork(peopleMessage);
  const [link, setLink] = useState<OneTimeLink>();
  const [removing, setRemoving] = useState<Person>();
  const [stored, setStored] = useState<Readonly<Record<string, number>>>({});
  useEffect(() => {
    // Loaded separately, because the server reads every file to compute it.
    storageByPerson().then(setStored, () => undefined);
  }, []);

  const act = (person: Person, action: PeopleAction, done: string) =>
    work.run(
      person.id,
      async () => {
        const { link: url } = await changePeople(action);
        const time = action.action === 'role' ? peopleText.aWeek : peopleText.anHour;
        if (url) setLink({ url, name: person.name || person.email, time });
        await list.reload();
      },
      done,
    );

  return (
    <div className="grid gap-8">
      {isOwner && <InviteForm onLink={setLink} onInvited={() => void list.reload()} />}
      <section aria-label={peopleText.people} className="min-w-0">
        <SearchField
          label={peopleText.searchPeople}
          onSearch={(text) => {
            work.clear();
            list.search(text);
          }}
        />
        <p role="status" className="mt-3 min-h-6 text-base text-soft wrap-anywhere">
          {work.said ||
            (list.people && (list.total > 0 ? peopleText.count({ count: list.total }) : peopleText.nobodyFound))}
        </p>
        <Banner message={work.failure || list.failure} className="my-3 empty:hidden" />
        {!list.people && !list.failure && <Spinner label={peopleText.loading} />}
        <ul className="list-none divide-y divide-hairline border-t border-hairline p-0">
          {list.people?.map((person) => (
            <PersonItem
              key={person.id}
              person={person}
              stored={stored[person.id]}
              isOneself={person.id === user?.id}
              isOwner={isOwner}
              busy={work.busy === person.id}
              onAct={(action, done) => void act(person, action, done)}
              onRemove={() => setRemoving(person)}
            />
          ))}
        </ul>
        {list.people && list.people.length < list.total && (
          <Button tone="quiet" className="mt-6" busy={list.loading} onClick={() => void list.more()}>
            {peopleText.more}
          </Button>
        )}
      </section>
      {link && <LinkDialog link={link} onClose={() => setLink(undefined)} />}
      {removing && (
        <RemoveDialog
          name={removing.name || removing.email}
          busy={work.busy !== ''}
          onClose={() => setRemoving(undefined)}
          onConfirm={async (posts) => {
            const action = { action: 'delete', userId: removing.id, posts } as const;
            await act(removing, action, peopleText.done.removed({ name: removing.name || removing.email }));
            setRemoving(undefined);
          }}
        />
      )}
    </div>
  );
}

interface RemoveDialogProps {
  readonly name: string;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (posts: 'delete' | 'hand-over') => Promise<void>;
}

const CHOICES = [
  ['hand-over', peopleText.handOverPosts],
  ['delete', peopleText.removePosts],
] as const;

function RemoveDialog({ name, onConfirm, ...dialog }: RemoveDialogProps) {
  const [posts, setPosts] = useState<'delete' | 'hand-over'>('hand-over');
  return (
    <ConfirmDialog
      title={peopleText.removeTitle({ name })}
      description={peopleText.removeQuestion}
      cancel={peopleText.cancel}
      confirm={peopleText.removeConfirm}
      working={peopleText.working}
      onConfirm={() => void onConfirm(posts)}
      {...dialog}
    >
      <fieldset className="grid gap-1">
        <legend className="sr-only">{peopleText.removeQuestion}</legend>
        <Choices name="posts" choices={CHOICES} chosen={posts} onChoose={setPosts} />
      </fieldset>
    </ConfirmDialog>
  );
}

function usePeople() {
  const [people, setPeople] = useState<readonly Person[]>();
  const [total, setTotal] = useState(0);
  const [failure, setFailure] = useState('');
  const [loading, setLoading] = useState(false);
  const asked = useRef({ search: '', pages: 1 });

  /** Reloads all shown pages, because an action may move people between them. */
  const load = async (search: string, pages: number) => {
    asked.current = { search, pages };
    setLoading(true);
    setFailure('');
    try {
      const parts = await Promise.all(Array.from({ length: pages }, (_, i) => listPeople(search, i + 1)));
      // Drops the result, because a newer search has started.
      if (asked.current.search !== search) return;
      setPeople(parts.flatMap((part) => part.people));
      setTotal(parts[0]?.total ?? 0);
    } catch (error) {
      setFailure(peopleMessage(error));
    } finally {
      setLoading(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the list is shown.
  useEffect(() => void load('', 1), []);
  return {
    people,
    total,
    failure,
    loading,
    search: (text: string) => void load(text, 1),
    more: () => load(asked.current.search, asked.current.pages + 1),
    reload: () => load(asked.current.search, asked.current.pages),
  };
}
