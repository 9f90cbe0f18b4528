/** The fields for the times at which a post is published and unpublished, in the writer's time zone. */

import { useEffect, useRef, useState } from 'react';
import { language } from '#blog/messages/language.ts';
import { scheduleText } from '#blog/messages/schedule.ts';
import type { FormValues } from '#blog/post.ts';
import { momentsOf, ownZone, wallTimeAt, zoneNameAt } from '#blog/schedule/zoned-time.ts';
import { controlClass, Field } from '#components/controls/Field.tsx';

type HourName = 'publishAt' | 'unpublishAt';

interface HourFieldsProps {
  readonly values: Pick<FormValues, 'status' | HourName>;
  readonly errors: Readonly<Record<string, string>>;
  readonly frozen: boolean;
  readonly onChange: (change: Partial<Record<HourName, string>>) => void;
}

export function HourFields({ values, errors, frozen, onChange }: HourFieldsProps) {
  const isActive = values.status === 'active';
  const fields = useRef<HTMLDivElement>(null);
  // Focuses a field that was already invalid when the form was submitted, before these fields were loaded.
  useEffect(() => fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), []);
  const field = (name: HourName, help: string) => (
    <HourField
      {...{ name, help, frozen, value: values[name], error: errors[name] }}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <div ref={fields} className="grid grid-cols-1 gap-1">
      {isActive ? (
        <p className="pb-2 text-xs text-soft">{scheduleText.onlyInactive}</p>
      ) : (
        field('publishAt', scheduleText.publishHelp)
      )}
      {(isActive || values.publishAt) && field('unpublishAt', '')}
    </div>
  );
}

interface HourFieldProps {
  readonly name: HourName;
  readonly value: string;
  readonly error: string | undefined;
  readonly help: string;
  readonly frozen: boolean;
  readonly onChange: (value: string) => void;
}

function HourField({ name, value, error, help, frozen, onChange }: HourFieldProps) {
  const zone = ownZone();
  const [skipped, setSkipped] = useState('');
  const [isHalf, setHalf] = useState(false);
  const moment = Date.parse(value);
  const isSet = !Number.isNaN(moment);
  const wall = isSet ? wallTimeAt(moment, zone) : '';
  const { moments = [] } = momentsOf(wall, zone) ?? {};

  const change = (text: string) => {
    setHalf(false);
    const found = momentsOf(text, zone);
    const [first] = found?.moments ?? [];
    setSkipped(
      found?.isSkipped && first !== undefined
        ? scheduleText.skipped({ asked: text.slice(11), taken: wallTimeAt(first, zone).slice(11) })
        : '',
    );
    onChange(first === undefined ? '' : new Date(first).toISOString());
  };
  const zoneName = zoneNameAt(isSet ? moment : Date.now(), zone, language());
  return (
    <div>
      <Field
        label={scheduleText[name]}
        error={isHalf ? scheduleText.half : error}
        help={`${scheduleText.zone({ name: zoneName })}${help && ` ${help}`}`}
      >
        {(wiring) => (
          <input
            {...wiring}
            type="datetime-local"
            name={name}
            max="9999-12-31T23:59"
            value={wall}
            readOnly={frozen}
            onInvalid={() => setHalf(true)}
            onBlur={({ currentTarget }) => setHalf(currentTarget.validity.badInput)}
            onChange={(event) => change(event.currentTarget.value)}
            className={`${controlClass} bg-paper!`}
          />
        )}
      </Field>
      <p role="status" className="text-xs empty:hidden">
        {skipped}
      </p>
      {moments.length === 2 && (
        <fieldset className="grid gap-1 pb-2" disabled={frozen}>
          <legend className="pb-1 text-xs">{scheduleText.twice}</legend>
          {moments.map((each) => (
            <label key={each} className="flex min-h-11 items-center gap-2 text-sm">
              <input
                type="radio"
                name={`${name}-which`}
                checked={each === moment}
                onChange={() => onChange(new Date(each).toISOString())}
              />
              {zoneNameAt(each, zone, language())}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
