/** Rarely used fields, rendered once they are opened. */

import { type ReactNode, useState } from 'react';
import { Disclosure } from '../Disclosure.tsx';

interface LazyFieldsProps {
  readonly label: string;
  /** Opens the fields initially and on each change to another value except false. */
  readonly opensFor: object | boolean;
  readonly children: ReactNode;
}

export function LazyFields({ label, opensFor, children }: LazyFieldsProps) {
  const [isOpen, setOpen] = useState(Boolean(opensFor));
  const [wasOpened, setOpened] = useState(isOpen);
  const [before, setBefore] = useState(opensFor);
  const toggle = (opens: boolean) => {
    setOpen(opens);
    setOpened(true);
  };
  if (opensFor !== before) {
    setBefore(opensFor);
    if (opensFor) toggle(true);
  }
  return (
    <Disclosure label={label} isOpen={isOpen} onToggle={toggle}>
      {wasOpened && children}
    </Disclosure>
  );
}
