/** Newer messages appear above older ones, so that buttons do not move under the pointer. */

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
