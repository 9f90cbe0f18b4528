import { preferences } from '../account/params.ts';
import { list, type Validator, validator } from '../http/params.ts';
import { idRule } from '../identifiers.ts';

const MOST_ROLES = 100;

/** Accepts role names of up to `length` characters of `[A-Za-z0-9._-]`, the first one alphanumeric. */
export function teamRoles(length: number): Validator<string[]> {
  const form = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${length - 1}}$`);
  const role = validator(idRule(length), (raw) => (typeof raw === 'string' && form.test(raw) ? raw : undefined));
  return list(role, MOST_ROLES);
}

/** Accepts a team's preferences; PHP clients send an empty list for an empty object. */
export function teamPreferences(): Validator<Record<string, unknown>> {
  const { description, read } = preferences();
  return {
    description,
    read: (raw, caller) => read(Array.isArray(raw) && raw.length === 0 ? {} : raw, caller),
  };
}
