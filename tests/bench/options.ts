import { parseArgs } from 'node:util';

/** Parses the command line's options; each value has the type of its default. */
export function optionsOf<T extends Readonly<Record<string, string | number | boolean>>>(defaults: T): T {
  const types = Object.entries(defaults).map(([name, value]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [name, { type }] as const;
  });
  const { values } = parseArgs({ args: process.argv.slice(3), options: Object.fromEntries(types) });
  const given = Object.entries(values).map(([name, value]) =>
    typeof defaults[name] === 'number' ? [name, Number(value)] : [name, value],
  );
  return { ...defaults, ...Object.fromEntries(given) };
}
