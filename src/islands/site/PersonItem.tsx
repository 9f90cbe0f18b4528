import { dayText } from '#blog/dates.ts';
import { peopleText } from '#blog/messages/people.ts';
import { type PeopleAction, type Person, SITE_ROLES, type SiteRole } from '#blog/people.ts';
import { authorPath } from '#blog/routes/paths.ts';
import { Button } from '#components/controls/Button.tsx';
import { controlClass } from '#components/controls/Field.tsx';

interface PersonItemProps {
  readonly person: Person;
  /** Total bytes of the person's stored pictures; undefined until loaded, or if there are none. */
  readonly stored: number | undefined;
  readonly isOneself: boolean;
  readonly isOwner: boolean;
  readonly busy: boolean;
  readonly onAct: (action: PeopleAction, done: string) => void;
  readonly onRemove: () => void;
}

const MEGABYTE = 1_000_000;
const sizeText = (bytes: number): string =>
  bytes < MEGABYTE ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;

export function PersonItem({ person, stored, isOneself, isOwner, busy, onAct, onRemove }: PersonItemProps) {
  const { id, email, role, isBlocked, hasJoined, lastSeen, posts } = person;
  const name = person.name || email;
  const blocking = { action: 'block', userId: id, isBlocked: !isBlocked } as const;
  const [block, done] = isBlocked
    ? [peopleText.unblock, peopleText.done.unblocked({ name })]
    : [peopleText.block, peopleText.done.blocked({ name })];
  const ended = peopleText.done.ended({ name });
  const tools = [
    ['link', isOneself || role !== 'owner', peopleText.link, () => onAct({ action: 'link', userId: id }, '')],
    ['end', true, peopleText.endSessions, () => onAct({ action: 'end-sessions', userId: id }, ended)],
    ['block', !isOneself, block, () => onAct(blocking, done)],
    ['remove', !isOneself, peopleText.remove, onRemove],
  ] as const;
  const marks = [isOneself && peopleText.you, !hasJoined && peopleText.invited, isBlocked && peopleText.blocked];
  return (
    <li className="grid gap-x-6 gap-y-2 py-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {posts > 0 ? (
            <a href={authorPath(id)} className="underline decoration-hairline underline-offset-4 hover:text-accent">
              {name}
            </a>
          ) : (
            name
          )}
          {marks.filter(Boolean).map((mark) => (
            <span key={`${mark}`} className="rounded-sm border border-edge px-1.5 text-sm font-normal text-soft">
              {mark}
            </span>
          ))}
        </p>
        {name !== email && <p className="text-sm text-soft">{email}</p>}
        <p className="text-sm text-soft">
          {peopleText.postCount({ count: posts })}
          {stored ? `, ${peopleText.stored({ size: sizeText(stored) })}` : ''},{' '}
          {lastSeen ? peopleText.lastSeen({ day: dayText(new Date(lastSeen)) }) : peopleText.neverSeen}
        </p>
      </div>
      {isOwner ? (
        <RoleChoice person={person} name={name} busy={busy} onAct={onAct} />
      ) : (
        <p className="text-base text-soft">{person.role ? peopleText.roles[person.role] : peopleText.noRole}</p>
      )}
      {isOwner && (
        <details className="sm:col-span-2">
          <summary
            aria-label={peopleText.manage({ name })}
            className="inline-flex min-h-11 cursor-pointer items-center text-base font-medium text-accent"
          >
            {peopleText.manageShort}
          </summary>
          <div className="mt-1 flex flex-wrap gap-2">
            {tools.map(
              ([key, isFor, label, onClick]) =>
                isFor && (
                  <Button key={key} tone="quiet" busy={busy} onClick={onClick}>
                    {label}
                  </Button>
                ),
            )}
          </div>
        </details>
      )}
    </li>
  );
}

type RoleChoiceProps = Pick<PersonItemProps, 'person' | 'busy' | 'onAct'> & { readonly name: string };

function RoleChoice({ person, name, busy, onAct }: RoleChoiceProps) {
  return (
    <select
      aria-label={peopleText.roleOf({ name })}
      value={person.role ?? ''}
      disabled={busy}
      className={`${controlClass} self-start sm:w-40`}
      onChange={({ target }) => {
        const role = target.value === '' ? null : (target.value as SiteRole);
        const words = role ? peopleText.roles[role] : peopleText.noRole;
        onAct({ action: 'role', userId: person.id, role }, peopleText.done.role({ name, role: words }));
      }}
    >
      <option value="">{peopleText.noRole}</option>
      {SITE_ROLES.map((role) => (
        <option key={role} value={role}>
          {peopleText.roles[role]}
        </option>
      ))}
    </select>
  );
}
