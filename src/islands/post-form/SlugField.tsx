/** The slug, which follows the title until it is written by hand (`use-slug.ts`) and is locked once the post is there. */

import { postFormText } from '#blog/messages.ts';
import { Field } from '#components/Field.tsx';
import type { FieldProps } from '../form.ts';
import type { Slug } from './use-slug.ts';

interface SlugFieldProps {
  readonly field: FieldProps;
  readonly slug: Slug;
  readonly isLocked: boolean;
  /** It is being sent. */
  readonly frozen: boolean;
}

export function SlugField({ field, slug, isLocked, frozen }: SlugFieldProps) {
  return (
    <Field
      label={postFormText.slug}
      swaps
      readOnly={frozen || isLocked}
      help={isLocked ? postFormText.slugLocked : postFormText.slugHelp(field.value || '…')}
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
