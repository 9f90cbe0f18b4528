import type { ComponentProps, ReactNode } from 'react';
import { controlClass, Field } from './Field.tsx';

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'children' | 'id'> {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly choices: readonly (readonly [value: string, text: string])[];
}

export function SelectField({ label, help, error, choices, className = '', ...select }: SelectFieldProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(wiring) => (
        <select {...wiring} {...select} className={`${controlClass} ${className}`}>
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
