import { type ReactNode, useId, useState } from 'react';

interface DisclosureProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A button that toggles its content. A closed `<details>` would slow down typing in Chromium (decision 007). */
export function Disclosure({ label, isOpen, onToggle, className, children }: DisclosureProps) {
  const id = useId();
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => onToggle(!isOpen)}
        className="py-2 text-start text-sm font-medium before:me-2 before:inline-block before:content-['▸'/''] pointer-coarse:py-3 aria-expanded:before:rotate-90"
      >
        {label}
      </button>
      {/* Opens when a control inside fails validation. */}
      <div id={id} hidden={!isOpen} onInvalidCapture={() => onToggle(true)}>
        {children}
      </div>
    </div>
  );
}

interface LazyFieldsProps {
  readonly label: string;
  /** If truthy, the fields are open initially. They open again whenever this changes to another truthy value. */
  readonly opensFor: object | boolean;
  readonly children: ReactNode;
}

export function LazyFields({ label, opensFor, children }: LazyFieldsProps) {
  // Undefined until the fields are opened for the first time.
  const [isOpen, setOpen] = useState<boolean>();
  const [before, setBefore] = useState<object | boolean>(false);
  if (opensFor !== before) {
    setBefore(opensFor);
    if (opensFor) setOpen(true);
  }
  return (
    <Disclosure label={label} isOpen={isOpen === true} onToggle={setOpen}>
      {isOpen !== undefined && children}
    </Disclosure>
  );
}
