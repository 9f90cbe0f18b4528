import { useId, useState } from 'react';
import { settingsText } from '#blog/messages/settings.ts';
import { pictureSize } from '#blog/site-settings/pictures.ts';
import { LOGO_MAX_BYTES, SETTINGS } from '#blog/site-settings/settings.ts';
import type { LogoPicture } from '#blog/theme/theme.ts';
import { Button, buttonClass } from '#components/controls/Button.tsx';
import { Icon } from '#components/icons/Icon.tsx';
import type { SettingField } from './setting-field.ts';

export function LogoField({ value, effective, isFixed, help, error, onChange }: SettingField<'logo'>) {
  const shown = isFixed ? effective : value;
  const shared = { isFixed, error: undefined };
  return (
    <>
      <PictureField
        {...shared}
        label={settingsText.names.logo}
        help={help}
        error={error}
        picture={shown?.light}
        onChange={(light) => onChange(light && { ...value, light })}
      />
      {shown && (
        <PictureField
          {...shared}
          label={settingsText.logoDark}
          help={settingsText.logoDarkHelp}
          picture={shown.dark}
          onChange={(dark) => value && onChange(dark ? { ...value, dark } : { light: value.light })}
        />
      )}
    </>
  );
}

export function IconField({ value, effective, isFixed, help, error, onChange }: SettingField<'icon'>) {
  const picture = isFixed ? effective : value;
  return <PictureField label={settingsText.names.icon} {...{ help, error, isFixed, picture, onChange }} />;
}

interface PictureFieldProps {
  readonly label: string;
  readonly help: string | undefined;
  readonly error: string | undefined;
  readonly isFixed: boolean;
  readonly picture: LogoPicture | undefined;
  readonly onChange: (picture: LogoPicture | undefined) => void;
}

function PictureField({ label, help, error, isFixed, picture, onChange }: PictureFieldProps) {
  const id = useId();
  const [fault, setFault] = useState('');
  const shownFault = fault || error;
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const chosen = await pictureIn(file);
    setFault(typeof chosen === 'string' ? chosen : '');
    if (typeof chosen !== 'string') onChange(chosen);
  };
  return (
    <div className="mb-5">
      <p id={`${id}-label`} className="text-sm font-medium">
        {label}
      </p>
      {picture && (
        <div className="mt-2 grid grid-cols-2 overflow-hidden rounded-md border border-hairline">
          {/* Shows the picture on both themes' paper. */}
          {(['[color-scheme:light]', '[color-scheme:dark]'] as const).map((scheme) => (
            <div key={scheme} className={`${scheme} flex min-h-20 items-center justify-center bg-paper p-4`}>
              <img src={picture.src} width={picture.width} height={picture.height} alt="" className="h-7 w-auto" />
            </div>
          ))}
        </div>
      )}
      {picture && (
        <p className="mt-1.5 text-xs text-soft">
          {settingsText.pictureSize({
            width: picture.width,
            height: picture.height,
            kilobytes: kilobytesOf(picture.src),
          })}
        </p>
      )}
      {!isFixed && (
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <label className={buttonClass('quiet', 'has-focus-visible:outline-2')}>
            {settingsText.choosePicture}
            <input
              type="file"
              accept=".svg,.png,image/svg+xml,image/png"
              aria-labelledby={`${id}-label`}
              aria-describedby={`${id}-help ${id}-error`}
              aria-invalid={shownFault ? true : undefined}
              className="sr-only"
              onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
            />
          </label>
          {picture && (
            <Button tone="quiet" onClick={() => onChange(undefined)}>
              {settingsText.removePicture}
            </Button>
          )}
        </div>
      )}
      <p id={`${id}-help`} className="mt-1.5 text-xs text-soft">
        {help}
      </p>
      <p id={`${id}-error`} aria-live="polite" className="mt-1.5 flex items-start gap-1.5 text-xs text-danger">
        {shownFault && <Icon name="warning" className="mt-px size-4" />}
        {shownFault}
      </p>
    </div>
  );
}

const kilobytesOf = (src: string): number => Math.ceil(((src.length - src.indexOf(',')) * 3) / 4 / 1024);

/** Returns the picture of a file, or why it cannot be used. */
async function pictureIn(file: File): Promise<LogoPicture | string> {
  if (file.size > LOGO_MAX_BYTES) {
    return settingsText.pictureTooLarge({
      most: LOGO_MAX_BYTES / 1024,
      size: Math.ceil(file.size / 1024),
    });
  }
  const size = pictureSize(new Uint8Array(await file.arrayBuffer()));
  const picture = size && { src: await addressOf(file), ...size };
  return SETTINGS.icon.safeParse(picture).success && picture ? picture : settingsText.unsafePicture;
}

function addressOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
