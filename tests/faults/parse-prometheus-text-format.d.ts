declare module 'parse-prometheus-text-format' {
  export default function parseText(text: string): unknown;
}
