import { OperatorError } from '#blog/errors.ts';

/** Returns the parsed JSON; undefined if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses the JSON of an export. @throws OperatorError that says whether the file is cut short or damaged */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const at = Number(/at position (\d+)/.exec(message)?.[1] ?? Number.NaN);
    const isCut = /end of JSON|Unterminated/.test(message) || at >= text.trimEnd().length;
    throw new OperatorError(
      isCut ? `${file} was cut short: the end of its JSON is missing.` : `${file} is damaged or not JSON: ${message}.`,
    );
  }
}
