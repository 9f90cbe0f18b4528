import { type FormEvent, useEffect, useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { tagSchema } from '#blog/post-details.ts';
import { tagPath } from '#blog/routes/paths.ts';
import { foldedTag } from '#blog/tags/folded-tag.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { moderate } from '#stores/people.ts';
import { type TagInUse, tagsInUse } from '#stores/posts/tags-in-use.ts';
import { useWork } from '../use-work.ts';

export function Tags() {
  const [tags, setTags] = useState<readonly TagInUse[]>();
  const [asked, setAsked] = useState('');
  const work = useWork(peopleMessage);
  useEffect(() => void tagsInUse().then(setTags), []);

  const rename = async (tag: TagInUse, name: string) => {
    const done = await work.run(
      tag.slug,
      async () => {
        await moderate({ action: 'rename-tag', slug: tag.slug, name });
        setTags(await tagsInUse());
      },
      peopleText.tagRenamed({ before: tag.name, after: name }),
    );
    if (done) setAsked('');
  };

  return (
    <section aria-label={peopleText.tags} className="min-w-0">
      <p className="text-base text-soft">{peopleText.tagsHelp}</p>
      <p role="status" className="mt-3 min-h-6 text-base text-soft wrap-anywhere">
        {work.said || (tags?.length === 0 && peopleText.noTags)}
      </p>
      <Banner message={work.failure} className="my-3 empty:hidden" />
      <ul className="list-none divide-y divide-hairline border-t border-hairline p-0">
        {tags?.map((tag) => (
          <li key={tag.slug} className="grid gap-x-6 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
            <div className="min-w-0 wrap-anywhere">
              <a href={tagPath(tag.slug)} className="font-medium hover:text-accent">
                <bdi>{tag.name}</bdi>
              </a>
              <p className="text-sm text-soft">
                {peopleText.postCount({ count: tag.posts })}
                {tag.names.length > 1 && `, ${peopleText.alsoWritten({ names: tag.names.slice(1).join(', ') })}`}
              </p>
            </div>
            {asked !== tag.slug && (
              <Button
                tone="quiet"
                className="justify-self-start"
                aria-label={peopleText.renameTagOf({ name: tag.name })}
                onClick={() => setAsked(tag.slug)}
              >
                {peopleText.renameTag}
              </Button>
            )}
            {asked === tag.slug && (
              <RenameForm
                tag={tag}
                tags={tags}
                isBusy={work.busy !== ''}
                onRename={(name) => void rename(tag, name)}
                onCancel={() => setAsked('')}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RenameFormProps {
  readonly tag: TagInUse;
  readonly tags: readonly TagInUse[];
  readonly isBusy: boolean;
  readonly onRename: (name: string) => void;
  readonly onCancel: () => void;
}

function RenameForm({ tag, tags, isBusy, onRename, onCancel }: RenameFormProps) {
  const [name, setName] = useState(tag.name);
  const [fault, setFault] = useState('');
  const other = tags.find(
    ({ slug, names }) => slug !== tag.slug && names.some((known) => foldedTag(known) === foldedTag(name)),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const result = tagSchema.safeParse(name);
    if (result.success) onRename(result.data);
    else setFault(result.error.issues[0]?.message ?? '');
  };
  return (
    <form onSubmit={submit} noValidate className="sm:col-span-2">
      <Field
        label={peopleText.newTagName}
        value={name}
        error={fault}
        help={other && peopleText.mergesWith({ name: other.name })}
        autoFocus
        dir="auto"
        autoComplete="off"
        onChange={({ currentTarget }) => {
          setFault('');
          setName(currentTarget.value);
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy}>
          {other ? peopleText.mergeTags : peopleText.renameTag}
        </Button>
        <Button tone="quiet" onClick={onCancel}>
          {peopleText.cancel}
        </Button>
      </div>
    </form>
  );
}
