declare module 'parse-prometheus-text-format' {
  /** Gives the families of the text. */
  export default function parseText(text: string): unknown;
}
