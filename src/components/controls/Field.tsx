import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { Icon } from '../icons/Icon.tsx';

interface FieldWiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface Frame {
  readonly label: string;
  readonly error?: string | undefined;
  readonly help?: ReactNode;
  /** True if an error replaces the help text and also takes up its space, so that nothing below moves. */
  readonly swaps?: boolean;
  readonly aside?: ReactNode;
}

interface InputFieldProps extends Frame, Omit<InputHTMLAttributes<HTMLInputElement>, 'children' | 'className' | 'id'> {
  readonly ref?: Ref<HTMLInputElement>;
  readonly children?: undefined;
}

/** Props for a control other than an input. `children` receives the id and ARIA attributes to put on the control. */
interface CustomFieldProps extends Frame {
  readonly children: (wiring: FieldWiring) => ReactNode;
}

export const controlClass =
  'block w-full min-h-11 rounded-md border border-edge bg-paper px-3.5 py-2 font-sans text-base text-ink placeholder:text-soft hover:border-ink focus-visible:border-accent focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-60 [&[readonly]]:bg-well';

const fileClass =
  'file:mr-3 file:rounded-sm file:border-0 file:bg-well file:px-3 file:py-1 file:font-medium file:text-ink';

export function Field(props: InputFieldProps | CustomFieldProps) {
  const id = useId();
  const { label, error, help: told, swaps, aside, children, ...input } = props;
  const isSwapped = Boolean(error && swaps);
  const help = isSwapped ? undefined : told;
  const wiring: FieldWiring = {
    id,
    'aria-describedby': [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
    'aria-invalid': error ? true : undefined,
  };
  const className = 'type' in input && input.type === 'file' ? `${controlClass} ${fileClass}` : controlClass;
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children ? children(wiring) : <input {...input} {...wiring} className={className} />}
      {help && (
        <p id={`${id}-help`} className="mt-1.5 text-xs text-soft">
          {help}
        </p>
      )}
      {/* Reserves a line for the error, so that nothing below moves. */}
      <p
        id={`${id}-error`}
        aria-live="polite"
        className={`mt-1.5 flex items-start gap-1.5 text-xs text-danger ${isSwapped ? 'min-h-[2.7625rem]' : 'min-h-5'}`}
      >
        {error && <Icon name="warning" className="mt-px size-4" />}
        {error}
      </p>
    </div>
  );
}
