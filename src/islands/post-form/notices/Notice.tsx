/**
 * A message of the form between the text and its word count. Newer messages stand above older ones, so that no button
 * moves away from a pointer.
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
