import { useState } from 'react';
import { settingsText } from '#blog/messages/settings.ts';
import { pictureSize } from '#blog/site-settings/pictures.ts';
import { LOGO_MAX_BYTES, SETTINGS } from '#blog/site-settings/settings.ts';
import type { LogoPicture } from '#blog/theme/theme.ts';
import { Button, buttonClass } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import type { SettingField } from './setting-field.tsx';

export function LogoField({ value, effective: _, onChange, ...field }: SettingField<'logo'>) {
  return (
    <>
      <PictureField {...field} value={value?.light} onChange={(light) => onChange(light && { ...value, light })} />
      {value && (
        <PictureField
          label={settingsText.logoDark}
          help={settingsText.logoDarkHelp}
          error={undefined}
          isFixed={field.isFixed}
          value={value.dark}
          onChange={(dark) => onChange({ ...value, dark })}
        />
      )}
    </>
  );
}

/** A field for the site's icon, or for the light or dark picture of its logo. */
export function PictureField(field: Omit<SettingField<'icon'>, 'effective'>) {
  const { label, help, error, isFixed, value: picture, onChange } = field;
  const [fault, setFault] = useState('');
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const chosen = await pictureIn(file);
    setFault(typeof chosen === 'string' ? chosen : '');
    if (typeof chosen !== 'string') onChange(chosen);
  };
  return (
    <Field label={label} help={help} error={fault || error}>
      {(wiring) => (
        <>
          {picture && (
            <>
              <div className="grid grid-cols-2 overflow-hidden rounded-md border border-hairline">
                {/* Shows the picture on the backgrounds of both the light and the dark theme. */}
                {(['[color-scheme:light]', '[color-scheme:dark]'] as const).map((scheme) => (
                  <div key={scheme} className={`${scheme} flex min-h-20 items-center justify-center bg-paper p-4`}>
                    <img
                      src={picture.src}
                      width={picture.width}
                      height={picture.height}
                      alt=""
                      className="h-7 w-auto object-contain"
                    />
                  </div>
                ))}
              </div>
              <p className="mt-1.5 text-xs text-soft">
                {settingsText.pictureSize({ ...picture, kilobytes: kilobytesOf(picture.src) })}
              </p>
            </>
          )}
          {!isFixed && (
            <div className="mt-2 flex flex-wrap items-center gap-3">
              <label className={buttonClass('quiet', 'has-focus-visible:outline-2')}>
                {settingsText.choosePicture}
                <input
                  {...wiring}
                  type="file"
                  accept=".svg,.png,image/svg+xml,image/png"
                  aria-label={label}
                  className="sr-only"
                  onChange={({ currentTarget }) => {
                    void choose(currentTarget.files?.[0]);
                    // Lets the owner choose the same file again after editing it.
                    currentTarget.value = '';
                  }}
                />
              </label>
              {picture && (
                <Button tone="quiet" onClick={() => onChange(undefined)}>
                  {settingsText.removePicture}
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </Field>
  );
}

const kilobytesOf = (src: string): number => Math.ceil(((src.length - src.indexOf(',')) * 3) / 4 / 1024);

/** Returns the picture in a file, or the reason why it cannot be used. */
async function pictureIn(file: File): Promise<LogoPicture | string> {
  if (file.size > LOGO_MAX_BYTES) {
    return settingsText.pictureTooLarge({ most: LOGO_MAX_BYTES / 1024, size: Math.ceil(file.size / 1024) });
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const src = `data:${file.type};base64,${btoa(String.fromCharCode(...bytes))}`;
  const { data } = SETTINGS.icon.safeParse({ src, ...pictureSize(bytes) });
  return data ?? settingsText.unsafePicture;
}
