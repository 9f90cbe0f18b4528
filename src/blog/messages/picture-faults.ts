import de from './de/picture-faults.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  imageBroken: 'This image cannot be read; it may be damaged. Open it in another program and save it again.',
  imageTooManyPixels: 'Choose a smaller image. {width} × {height} pixels are more than a browser can handle.',
} as const;

export const pictureFaultText = textsOf(en, de);
