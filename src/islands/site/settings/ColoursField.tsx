import { useState } from 'react';
import { settingsText } from '#blog/messages/settings.ts';
import { COLOUR_NAMES, type ColourName, completed, contrastFaults } from '#blog/theme/colours.ts';
import { lookOf } from '#blog/theme/looks/index.ts';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { Disclosure } from '../../post-form/Disclosure.tsx';
import { type SettingField, withEntry } from './setting-field.tsx';

const SCHEMES = ['light', 'dark'] as const;

interface ColoursFieldProps extends SettingField<'colours'> {
  readonly look: string | undefined;
}

/** Fields for colours that override those of the chosen look, with warnings about pairs with too little contrast. */
export function ColoursField({ label, value = {}, isFixed, help, onChange, look }: ColoursFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const palettes = lookOf(look ?? '')?.palettes;
  return (
    <Disclosure label={label} isOpen={isOpen} onToggle={setOpen} className="mb-4">
      <p className="mt-1 mb-3 text-sm text-soft">{help}</p>
      {SCHEMES.map((scheme) => {
        const own = value[scheme] ?? {};
        const palette = completed(own, scheme, palettes);
        const set = (name: ColourName, colour?: string) =>
          onChange(withEntry(value, scheme, withEntry(own, name, colour)));
        return (
          <fieldset key={scheme} disabled={isFixed} className="mb-4 min-w-0">
            <legend className="mb-2 text-sm font-medium">{settingsText.schemes[scheme]}</legend>
            <div className="grid grid-cols-2 items-end gap-x-4 sm:grid-cols-3">
              {COLOUR_NAMES.map((name) => (
                <Field
                  key={name}
                  type="color"
                  label={settingsText.colours[name]}
                  value={palette[name]}
                  aside={
                    <Button
                      tone="quiet"
                      // The button keeps its space while it is hidden, so that the fields do not move.
                      className={`-mt-6 self-end ${own[name] === undefined || isFixed ? 'invisible' : ''}`}
                      aria-label={settingsText.resetColour({ name: settingsText.colours[name] })}
                      onClick={() => set(name)}
                    >
                      ×
                    </Button>
                  }
                  onChange={({ currentTarget }) => set(name, currentTarget.value)}
                />
              ))}
            </div>
            <ul aria-live="polite" className="list-none p-0 text-sm text-danger">
              {contrastFaults(palette).map(({ front, back, contrast, least }) => (
                <li key={front + back}>
                  {settingsText.lowContrast({
                    ...{ front: settingsText.colours[front], back: settingsText.colours[back] },
                    ...{ contrast: contrast.toFixed(2), least },
                  })}
                </li>
              ))}
            </ul>
          </fieldset>
        );
      })}
    </Disclosure>
  );
}
