import { controlClass, Field } from '#components/controls/Field.tsx';
import type { SettingField } from './setting-field.ts';

interface TextFieldProps extends SettingField<'name' | 'tagline' | 'introduction' | 'mailName' | 'css'> {
  readonly rows?: number;
  readonly isCode?: boolean;
}

export function TextField({ value, effective, isFixed, onChange, rows, isCode, ...frame }: TextFieldProps) {
  const control = {
    value: value ?? '',
    readOnly: isFixed,
    autoComplete: 'off',
    ...(isCode ? { dir: 'ltr', spellCheck: false } : { dir: 'auto', placeholder: effective }),
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value || undefined),
  } as const;
  if (!rows) return <Field {...frame} {...control} />;
  const className = isCode ? `${controlClass} font-mono text-sm` : controlClass;
  return (
    <Field {...frame}>{(wiring) => <textarea {...wiring} {...control} rows={rows} className={className} />}</Field>
  );
}
