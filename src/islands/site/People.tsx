import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { PEOPLE_PER_PAGE, type PeopleAction, type Person } from '#blog/people.ts';
import { Choices } from '#components/controls/Choices.tsx';
import { ConfirmDialog } from '#components/controls/Dialog.tsx';
import { $auth } from '#stores/account/auth.ts';
import { changePeople, listPeople, storageByPerson } from '#stores/people.ts';
import { useLoaded } from '../use-loaded.ts';
import { useWork } from '../use-work.ts';
import { InviteForm, LinkDialog, type OneTimeLink } from './InviteForm.tsx';
import { PersonItem } from './PersonItem.tsx';
import { SearchList, usePages } from './SearchList.tsx';

const peoplePage = async (search: string, next: string) => {
  const page = Number(next || 1);
  const { people, total } = await listPeople(search, page);
  return { items: people, total, next: page * PEOPLE_PER_PAGE < total ? `${page + 1}` : undefined };
};

export function People({ isOwner }: { isOwner: boolean }) {
  const { user } = useStore($auth);
  const list = usePages(peoplePage, peopleMessage);
  const { shown } = list;
  const work = useWork(peopleMessage);
  const [link, setLink] = useState<OneTimeLink>();
  const [removing, setRemoving] = useState<Person>();
  // Loaded separately, because it is slow: the server lists every file to add up the sizes.
  const { value: stored = {} } = useLoaded(storageByPerson);

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
        <SearchList
          label={peopleText.searchPeople}
          list={list}
          work={work}
          status={shown && (shown.total ? peopleText.count({ count: shown.total }) : peopleText.nobodyFound)}
        >
          {shown?.items.map((person) => (
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
        </SearchList>
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
