/** Puts the session's part of the navigation into the header that the server sent. */

import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { SessionNav } from './SessionNav.tsx';

export function mountHeader(element: HTMLElement): void {
  createRoot(element).render(createElement(SessionNav));
}
