/** Fields that few posts have, loaded when they are opened. */

import { type ComponentType, useState } from 'react';
import { Disclosure } from '../Disclosure.tsx';
import { TryAgain } from './TryAgain.tsx';
import { useLazyComponent } from './use-lazy-component.ts';

interface LazyFieldsProps<Name extends string, Props> {
  readonly label: string;
  /** Opens them at first, and each time it changes to something else that is not false. */
  readonly opensFor: object | boolean;
  readonly load: () => Promise<Record<Name, ComponentType<Props>>>;
  /** The component among what `load` imports. */
  readonly name: Name;
  /** Given to the component. */
  readonly fields: Props;
}

export function LazyFields<Name extends string, Props extends object>({
  label,
  opensFor,
  load,
  name,
  fields,
}: LazyFieldsProps<Name, Props>) {
  const [isOpen, setOpen] = useState(Boolean(opensFor));
  const [wasOpened, setOpened] = useState(isOpen);
  const [before, setBefore] = useState(opensFor);
  const lazy = useLazyComponent(wasOpened, load, name);
  const Component: ComponentType<Props> | undefined = lazy.Component;
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
      {Component && <Component {...fields} />}
      {lazy.retry && <TryAgain onAgain={lazy.retry} />}
    </Disclosure>
  );
}
