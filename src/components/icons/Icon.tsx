import { ICON_PATHS, type IconName } from './icon-paths.ts';

/** A decorative line icon in the text colour; the control around it has the accessible name. */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className={`icon ${className}`}>
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
