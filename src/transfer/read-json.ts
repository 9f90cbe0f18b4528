import { OperatorError } from '#blog/errors.ts';

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
