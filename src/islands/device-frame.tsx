/** The frame of a preview: as wide as a phone or a desktop, scaled down to its container. */

import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Button } from '#components/controls/Button.tsx';
import { $theme } from '#stores/theme.ts';

const WIDTHS = { phone: '[--preview-width:390px]', desktop: '[--preview-width:1280px]' } as const;
type Device = keyof typeof WIDTHS;

/** Returns the selected device and the buttons to select it. The initial device depends on the window's width. */
export function useDevice(names: Readonly<Record<Device, string>>) {
  const [device, setDevice] = useState<Device>(() => (innerWidth < 700 ? 'phone' : 'desktop'));
  const buttons = (['phone', 'desktop'] as const).map((name) => (
    <Button
      key={name}
      tone="quiet"
      aria-pressed={device === name}
      className="aria-pressed:border-ink aria-pressed:bg-well"
      onClick={() => setDevice(name)}
    >
      {names[name]}
    </Button>
  ));
  return { device, buttons };
}

interface DeviceFrameProps extends Omit<ComponentProps<'iframe'>, 'onLoad'> {
  readonly device: Device;
  readonly onPage?: (page: Document) => void;
}

/** Renders the frame without scripts, in this page's theme. The container must set `--preview-height`. */
export function DeviceFrame({ device, onPage, className, ...rest }: DeviceFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const followTheme = () => frame.current?.contentDocument && applyTheme(frame.current.contentDocument);
  useEffect(() => $theme.listen(followTheme));
  return (
    <iframe
      sandbox="allow-same-origin"
      {...rest}
      ref={frame}
      // Scales the device's width down to the container's. In CSS, `tan(atan2(a, b))` divides one length by another.
      className={`mx-auto block h-[calc(var(--preview-height)/var(--preview-scale))] w-(--preview-width) origin-top-left scale-(--preview-scale) [--preview-scale:min(1,tan(atan2(100cqw,var(--preview-width))))] ${WIDTHS[device]} ${className ?? ''}`}
      onLoad={({ currentTarget: { contentDocument } }) => {
        followTheme();
        if (contentDocument) onPage?.(contentDocument);
      }}
    />
  );
}

/** Applies this page's theme to `page`. */
export const applyTheme = (page: Document): void =>
  void page.documentElement.classList.toggle('dark', $theme.get() === 'dark');
