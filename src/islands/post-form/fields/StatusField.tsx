import { postFormText } from '#blog/messages.ts';
import { POST_STATUSES } from '#blog/post.ts';
import { controlClass, Field } from '#components/controls/Field.tsx';
import type { FieldProps } from '../../form.ts';

interface StatusFieldProps {
  readonly field: FieldProps;
  /** True if the stored post is public. */
  readonly wasActive: boolean;
  readonly frozen: boolean;
}

export function StatusField({ field, wasActive, frozen }: StatusFieldProps) {
  return (
    <Field label={postFormText.status} error={field.error} help={statusHelp(field.value, wasActive)}>
      {(wiring) => (
        <select
          {...wiring}
          name="status"
          value={field.value}
          onChange={field.onChange}
          inert={frozen}
          className={`${controlClass} bg-paper!`}
        >
          {POST_STATUSES.map((name) => (
            <option key={name} value={name}>
              {postFormText[name]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function statusHelp(status: string, wasActive: boolean): string {
  if (status === 'active') return postFormText.activeHelp;
  return wasActive ? postFormText.takenOffHelp : postFormText.inactiveHelp;
}
