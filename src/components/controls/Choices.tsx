import type { ReactNode } from 'react';

interface ChoicesProps<Value extends string | boolean> {
  readonly name: string;
  readonly choices: readonly (readonly [value: Value, label: string, help?: ReactNode])[];
  readonly chosen: string | boolean;
  readonly onChoose: (value: Value) => void;
}

/** Renders radio buttons, with a frame around each choice that has a help text. */
export function Choices<Value extends string | boolean>({ name, choices, chosen, onChoose }: ChoicesProps<Value>) {
  return choices.map(([value, label, help]) => (
    <label
      key={label}
      className={`flex gap-3 ${help ? 'items-start rounded-md border border-hairline p-4 has-checked:border-accent' : 'min-h-11 items-center text-base'}`}
    >
      <input
        type="radio"
        name={name}
        className={help ? 'mt-1.5' : undefined}
        checked={value === chosen}
        onChange={() => onChoose(value)}
      />
      <span>
        <span className={help ? 'block font-medium' : undefined}>{label}</span>
        {help && <span className="block text-base text-soft">{help}</span>}
      </span>
    </label>
  ));
}
