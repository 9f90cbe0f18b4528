import { useMemo, useState } from 'react';
import { textLanguageOf } from '#blog/content/code/language.ts';
import { languageName, POST_LANGUAGES } from '#blog/content/code/languages.ts';
import { language as siteLanguage } from '#blog/messages/language.ts';
import { detailText } from '#blog/messages/post-details.ts';
import { type FormValues, formValues, PAGE_KINDS, POST_FIELDS } from '#blog/post.ts';
import { pageAddress } from '#blog/routes/post-address.ts';
import { controlClass, Field } from '#components/controls/Field.tsx';
import { SelectField } from '#components/controls/SelectField.tsx';
import { inertPage } from '../editor/html/inert-document.ts';
import { isTypographyOn, setTypographyOn } from '../editor/typography/typography-setting.ts';
import { TagsField } from './TagsField.tsx';

interface PostDetailsProps {
  readonly values: Pick<FormValues, 'tags' | 'excerpt' | 'language' | 'featuredImageAlt' | 'kind'> & {
    readonly slug: string;
  };
  readonly onChange: (change: Partial<FormValues>) => void;
  readonly html: () => string;
  readonly frozen: boolean;
}

export function PostDetails({ values, onChange, html, frozen }: PostDetailsProps) {
  const { tags, excerpt, language, featuredImageAlt, kind, slug } = values;
  return (
    <div className="grid gap-3 pt-3" inert={frozen}>
      <TagsField tags={tags} onChange={(changed) => onChange({ tags: changed })} />
      <Field
        label={detailText.excerpt}
        help={detailText.excerptHelp({ length: excerpt.length, most: POST_FIELDS.excerpt.size })}
      >
        {(wiring) => (
          <textarea
            {...wiring}
            value={excerpt}
            maxLength={POST_FIELDS.excerpt.size}
            rows={4}
            dir="auto"
            onChange={({ currentTarget }) => onChange({ excerpt: currentTarget.value })}
            className={controlClass}
          />
        )}
      </Field>
      <LanguageField value={language} html={html} onChange={(code) => onChange({ language: code })} />
      <TypographyField />
      <Field
        label={detailText.alternative}
        help={detailText.alternativeHelp}
        value={featuredImageAlt}
        maxLength={POST_FIELDS.featuredImageAlt.size}
        dir="auto"
        autoComplete="off"
        onChange={({ currentTarget }) => onChange({ featuredImageAlt: currentTarget.value })}
      />
      <SelectField
        label={detailText.kind}
        help={detailText.kindHelp({ path: pageAddress(slug || '…') })}
        value={kind}
        onChange={({ currentTarget }) => onChange({ kind: formValues({ kind: currentTarget.value }).kind })}
        choices={[['', detailText.kinds.post], ...PAGE_KINDS.map((name) => [name, detailText.kinds[name]] as const)]}
        className="bg-paper!"
      />
    </div>
  );
}

function TypographyField() {
  const [isOn, setOn] = useState(isTypographyOn);
  return (
    <div>
      <label className="flex items-start gap-2.5 text-sm font-medium">
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby="typography-help"
          onChange={(event) => {
            // Hides the change event from the surrounding form, because this setting is not part of the post.
            event.stopPropagation();
            setOn(event.currentTarget.checked);
            setTypographyOn(event.currentTarget.checked);
          }}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        {detailText.typography}
      </label>
      <p id="typography-help" className="mt-1.5 mb-4 text-xs text-soft">
        {detailText.typographyHelp}
      </p>
    </div>
  );
}

interface LanguageFieldProps extends Pick<PostDetailsProps, 'html'> {
  readonly value: string;
  readonly onChange: (code: string) => void;
}

function LanguageField({ value, html, onChange }: LanguageFieldProps) {
  const own = siteLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: detected once, when the fields are opened.
  const told = useMemo(() => textLanguageOf(inertPage(html()).textContent ?? '')?.code ?? own, []);
  // Includes a stored language that is not offered here but was set by another client of the backend.
  const codes = new Set([...POST_LANGUAGES, ...(value ? [value] : [])]);
  const names = Array.from(codes, (code) => [code, languageName(code, own)] as const);
  names.sort(([, one], [, other]) => one.localeCompare(other, own));
  return (
    <SelectField
      label={detailText.language}
      help={detailText.languageHelp}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      choices={[['', detailText.automatic({ name: languageName(told, own) })], ...names]}
      className="bg-paper!"
    />
  );
}
