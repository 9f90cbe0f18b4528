/**
 * Something that the form says by itself, between the text and its word count. A newer one stands above: the place grows
 * upwards, so that no button moves which a pointer is on its way to.
 */

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
