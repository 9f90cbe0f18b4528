/**
 * Limits the depth and number of values of a JSON body while it arrives. Parsing blocks the thread, and deep nesting or
 * many small values take a hundred times as long as one string of the same length.
 */

const [QUOTE, BACKSLASH, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = Buffer.from('"\\,[]{}') as unknown as number[];

export interface JsonLimits {
  readonly depth: number;
  readonly values: number;
}

export class JsonBounds {
  readonly #limits: JsonLimits;
  #depth = 0;
  #values = 0;
  #inText = false;
  #escaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Checks the next bytes. Returns the limit exceeded, e.g. `holds more than 9 values`. Does not validate the JSON. */
  fault(bytes: Uint8Array): string | undefined {
    const { depth, values } = this.#limits;
    // Avoids `for…of`, which creates an object per byte until V8 has optimized the function.
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inText = false;
      } else if (byte === QUOTE) {
        this.#inText = true;
      } else if (byte === LIST || byte === OBJECT) {
        this.#values++;
        if (++this.#depth > depth) return `is nested deeper than ${depth} levels`;
      } else if (byte === LIST_END || byte === OBJECT_END) {
        this.#depth--;
      } else if (byte === COMMA) {
        this.#values++;
      }
      if (this.#values > values) return `holds more than ${values} values`;
    }
    return undefined;
  }
}
