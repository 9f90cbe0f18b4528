/** Newer notices appear above older ones. The list grows upwards, so the buttons of older notices do not move. */

import { type ComponentProps, useState } from 'react';

let said = 0;

export function Notice(props: ComponentProps<'section'>) {
  const [order] = useState(() => {
    said -= 1;
    return said;
  });
  return (
    <section {...props} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2" style={{ order }} />
  );
}
