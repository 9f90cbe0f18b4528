import { useRef } from 'react';
import { postFormText } from '#blog/messages.ts';
import { POST_STATUSES } from '#blog/post.ts';
import { postPath } from '#blog/routes/paths.ts';
import { pageAddress } from '#blog/routes/post-address.ts';
import { slugFromTitle } from '#blog/slug.ts';
import { Field } from '#components/controls/Field.tsx';
import { SelectField } from '#components/controls/SelectField.tsx';
import type { FieldProps } from '../../form.ts';
import { isComposing } from '../is-composing.ts';

interface Props {
  readonly field: FieldProps;
  readonly frozen: boolean;
}

export function TitleField({ field, frozen, slug, onEnter }: Props & { slug: Slug; onEnter: () => void }) {
  return (
    <Field label={postFormText.title} error={field.error}>
      {(wiring) => (
        <textarea
          {...wiring}
          name="title"
          rows={1}
          readOnly={frozen}
          value={field.value}
          onChange={(event) => {
            // Replaces line breaks in a pasted title with spaces.
            const value = event.currentTarget.value.replace(/\s*\n\s*/g, ' ');
            field.onChange({ currentTarget: { value } });
            slug.follow(value);
          }}
          onBlur={field.onBlur}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isComposing(event)) return;
            event.preventDefault();
            onEnter();
          }}
          placeholder={postFormText.titleExample}
          dir="auto"
          className="block w-full resize-none wrap-anywhere field-sizing-content border-0 border-b border-hairline bg-transparent pt-[0.3em] pb-3 font-serif text-4xl font-medium tracking-tight text-ink placeholder:text-soft/70 focus-visible:border-accent focus-visible:outline-none aria-invalid:border-danger"
        />
      )}
    </Field>
  );
}

/** `wasActive` is true if the stored post is public. */
export function StatusField({ field, frozen, wasActive }: Props & { wasActive: boolean }) {
  const whileInactive = wasActive ? postFormText.takenOffHelp : postFormText.inactiveHelp;
  const help = field.value === 'active' ? postFormText.activeHelp : whileInactive;
  return (
    <SelectField
      label={postFormText.status}
      help={help}
      error={field.error}
      name="status"
      value={field.value}
      onChange={field.onChange}
      inert={frozen}
      choices={POST_STATUSES.map((name) => [name, postFormText[name]])}
      className="bg-paper!"
    />
  );
}

interface SlugProps extends Props {
  readonly slug: Slug;
  readonly isLocked: boolean;
  readonly isOfPage: boolean;
}

export function SlugField({ field, frozen, slug, isLocked, isOfPage }: SlugProps) {
  const path = (isOfPage ? pageAddress : postPath)(field.value || '…');
  return (
    <Field
      label={postFormText.slug}
      swaps
      readOnly={frozen || isLocked}
      help={isLocked ? postFormText.slugLocked : postFormText.slugHelp({ path })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
      onFocus={() => slug.enter(true)}
      onBlur={(event) => {
        slug.enter(false);
        field.onBlur(event);
      }}
      onChange={(event) => {
        slug.take(true);
        field.onChange(event);
      }}
    />
  );
}

export type Slug = ReturnType<typeof useSlug>;

/** Passes slugs made from the title to `write`, unless the slug is `locked`, focused, or `edited` by the writer. */
export function useSlug(locked: boolean, edited: boolean | undefined, write: (slug: string) => void) {
  const state = useRef({ edited: locked || edited === true, inside: false, title: '', write }).current;
  state.write = write;
  const apply = () => {
    const { title } = state;
    slugFromTitle(title).then(
      (made) => state.title === title && !state.edited && !state.inside && state.write(made),
      (error: unknown) => console.error('The slug has to be written by hand:', error),
    );
  };
  return {
    isEdited: () => state.edited,
    follow: (title: string) => {
      state.title = title;
      apply();
    },
    take: (edited: boolean) => {
      state.edited = locked || edited;
    },
    /** Called with true on focus and false on blur. A focused field is never overwritten. */
    enter: (inside: boolean) => {
      state.inside = inside;
      if (!inside && state.title) apply();
    },
  };
}
