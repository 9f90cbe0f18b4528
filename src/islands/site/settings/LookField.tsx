import { language } from '#blog/messages/language.ts';
import { LOOKS, type Look } from '#blog/theme/looks/index.ts';
import { Choices } from '#components/controls/Choices.tsx';
import type { SettingField } from './setting-field.ts';

export function LookField({ label, value, effective, isFixed, help, onChange }: SettingField<'look'>) {
  return (
    <fieldset disabled={isFixed} className="mb-5 min-w-0">
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      {help && <p className="mb-2 text-sm text-soft">{help}</p>}
      <div className="grid gap-3 sm:grid-cols-2">
        <Choices
          name="look"
          choices={LOOKS.map((look) => [look.id, look.texts[language()].name, <Description key={look.id} {...look} />])}
          chosen={value ?? effective ?? ''}
          onChoose={onChange}
        />
      </div>
    </fieldset>
  );
}

function Description({ texts, palettes: { light } }: Look) {
  return (
    <>
      {texts[language()].help}
      <svg aria-hidden="true" viewBox="0 0 60 12" className="mt-2 h-3 w-15">
        {[light.paper, light.well, light.ink, light.soft, light.accent].map((colour, at) => (
          <rect key={colour} x={at * 12} width="12" height="12" fill={colour} />
        ))}
      </svg>
    </>
  );
}
