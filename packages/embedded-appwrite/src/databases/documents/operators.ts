/** Detects strings like `{"method":"increment","values":[1]}`, which Appwrite would apply to the stored value. */
import { type Data, structureFault } from './structure.ts';

const OPERATORS: ReadonlySet<string> = new Set([
  ...['increment', 'decrement', 'multiply', 'divide', 'modulo', 'power', 'toggle'],
  ...['Append', 'Prepend', 'Insert', 'Remove', 'Unique', 'Intersect', 'Diff', 'Filter'].map((name) => `array${name}`),
  ...['stringConcat', 'stringReplace', 'dateAddDays', 'dateSubDays', 'dateSetNow'],
]);

function operatorOf(text: string): string | undefined {
  if (!text.startsWith('{') || !text.endsWith('}') || !text.includes('"method"')) return undefined;
  try {
    const { method } = JSON.parse(text) as { method?: unknown };
    return typeof method === 'string' && OPERATORS.has(method) ? method : undefined;
  } catch {
    return undefined;
  }
}

/** Throws 400 for a string that Appwrite would execute as an operator. */
export function refuseOperators(data: Data): void {
  for (const [key, value] of Object.entries(data)) {
    const operator = typeof value === 'string' ? operatorOf(value.trim()) : undefined;
    if (operator) {
      throw structureFault(`Cannot apply ${operator} operator to field '${key}': operators are not supported`);
    }
  }
}
