/** The slug field: follows the title until it is edited (`use-slug.ts`), and is locked once the post exists. */

import { postFormText } from '#blog/messages.ts';
import { postPath } from '#blog/routes/paths.ts';
import { Field } from '#components/controls/Field.tsx';
import type { FieldProps } from '../../form.ts';
import type { Slug } from './use-slug.ts';

interface SlugFieldProps {
  readonly field: FieldProps;
  readonly slug: Slug;
  readonly isLocked: boolean;
  readonly frozen: boolean;
}

export function SlugField({ field, slug, isLocked, frozen }: SlugFieldProps) {
  return (
    <Field
      label={postFormText.slug}
      swaps
      readOnly={frozen || isLocked}
      help={isLocked ? postFormText.slugLocked : postFormText.slugHelp({ path: postPath(field.value || '…') })}
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
