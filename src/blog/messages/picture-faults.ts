/** Why a picture is not taken, where that is found by looking into it. Apart from the other catalogues, because what looks into pictures is loaded with the first one. */

import { language, textsOf } from '../messages.ts';
import type { Translation } from './lazy-messages.ts';

const count = (value: number): string => value.toLocaleString(language() === 'de' ? 'de-DE' : 'en-US');

const en = {
  imageBroken: 'This image cannot be read; it may be damaged. Open it in another program and save it again.',
  imageTooManyPixels: (width: number, height: number) =>
    `Choose a smaller image: ${count(width)} × ${count(height)} pixels are more than a browser can work on.`,
};

const de: Translation<typeof en> = {
  imageBroken:
    'Dieses Bild lässt sich nicht lesen; vielleicht ist es beschädigt. Bitte in einem anderen Programm öffnen und neu speichern.',
  imageTooManyPixels: (width, height) =>
    `Bitte ein kleineres Bild wählen: ${count(width)} × ${count(height)} Pixel sind mehr, als ein Browser bearbeiten kann.`,
};

export const { pictureFaultText } = textsOf({ en: { pictureFaultText: en }, de: { pictureFaultText: de } });
