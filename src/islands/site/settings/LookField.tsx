import { language } from '#blog/messages/language.ts';
import { LOOKS } from '#blog/theme/looks/index.ts';
import type { SettingField } from './setting-field.ts';

/** The looks as radio buttons, each with its colours. */
export function LookField({ label, value, effective, isFixed, help, onChange }: SettingField<'look'>) {
  return (
    <fieldset disabled={isFixed} className="mb-5 min-w-0">
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      {help && <p className="mb-2 text-sm text-soft">{help}</p>}
      <div className="grid gap-3 sm:grid-cols-2">
        {LOOKS.map(({ id, texts, palettes }) => {
          const text = texts[language()];
          const { paper, well, ink, soft, accent } = palettes.light;
          return (
            <label
              key={id}
              className="flex items-start gap-3 rounded-md border border-hairline p-4 has-checked:border-accent"
            >
              <input
                type="radio"
                name="look"
                className="mt-1.5"
                checked={id === (value ?? effective)}
                onChange={() => onChange(id)}
              />
              <span className="min-w-0">
                <span className="block font-medium">{text.name}</span>
                <span className="block text-sm text-soft">{text.help}</span>
                <svg aria-hidden="true" viewBox="0 0 60 12" className="mt-2 h-3 w-15">
                  {[paper, well, ink, soft, accent].map((colour, at) => (
                    <rect key={colour} x={at * 12} width="12" height="12" fill={colour} />
                  ))}
                </svg>
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
