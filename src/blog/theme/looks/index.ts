import { diary } from './diary.ts';
import { essay } from './essay.ts';
import { gallery } from './gallery.ts';
import { ink } from './ink.ts';
import { letters } from './letters.ts';
import type { Look } from './look.ts';
import { magazine } from './magazine.ts';
import { notebook } from './notebook.ts';

export const DEFAULT_LOOK = ink;
/** In the order in which an owner chooses among them. */
export const LOOKS: readonly Look[] = [ink, diary, magazine, notebook, gallery, essay, letters];

/** Returns undefined for an id that this version does not know. */
export const lookOf = (id: string): Look | undefined => LOOKS.find((look) => look.id === id);
