/** Escape, then Tab leaves the text; Tab alone indents a list or goes to the next cell (WCAG 2.1.2). */

import { Plugin } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';

export const tabExit = $prose(() => {
  let leaving = false;
  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (_view, { key }) => {
          const leave = leaving && key === 'Tab';
          if (key !== 'Shift') leaving = key === 'Escape';
          return leave;
        },
      },
    },
  });
});
