/** What the editor says: its tools, views and panels. */

import { inLanguage } from './messages/apart.ts';
import { de } from './messages/editor-de.ts';
import { en } from './messages/editor-en.ts';

export const editorText = inLanguage(en, de);
