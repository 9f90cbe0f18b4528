/** What the editor says: its tools, views and panels. */

import { de } from './messages/editor-de.ts';
import { en } from './messages/editor-en.ts';
import { inLanguage } from './messages/lazy-messages.ts';

export const editorText = inLanguage(en, de);
