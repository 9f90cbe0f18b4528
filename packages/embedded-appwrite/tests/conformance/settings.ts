/** Settings for a run, which `scripts/conformance.ts` passes to Vitest in environment variables. */
import { CHECKLIST, DEFAULT_SECTIONS, type Section } from './checklist.ts';

export type Settings = ReturnType<typeof readSettings>;
const PREFIX = 'COMMON_INK_CONFORMANCE_';

/** An error in the run's parameters, worded for the user. */
export class SettingsError extends Error {}

/** @throws SettingsError for an invalid value */
export function readSettings() {
  const value = (name: string) => process.env[PREFIX + name]?.trim() || undefined;
  const only = (value('ONLY') ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((id) => id.toUpperCase());
  for (const id of only) {
    if (!Object.values(CHECKLIST).some((ids) => ids.includes(id))) {
      throw new SettingsError(`The checklist has no line ${id}. Lines are named like C14.`);
    }
  }
  const letters = only.map((id) => id.charAt(0)).join('') || (value('SECTIONS') ?? DEFAULT_SECTIONS);
  const sections = [...new Set(letters.toUpperCase().replace(/[,\s]/g, ''))];
  for (const letter of sections) {
    if (!(letter in CHECKLIST)) {
      throw new SettingsError(`There is no section ${letter}. Sections are ${Object.keys(CHECKLIST).join('')}.`);
    }
  }
  const endpoint = endpointOf(value('ENDPOINT'));
  const projectId = value('PROJECT');
  const key = value('KEY');
  if (endpoint && !(projectId && key)) {
    throw new SettingsError('An endpoint needs --project ID and --key KEY; the key with every scope.');
  }
  return {
    /** Base URL with `/v1`. If undefined, the run starts embedded backends. */
    endpoint,
    projectId: projectId ?? 'p1',
    key: key ?? '',
    /** Base URL of a server that has the same project and enforces rate limits. */
    limitsEndpoint: endpointOf(value('LIMITS_ENDPOINT')),
    /** Folder with the attached server's emails, one file each; undefined if they cannot be read. */
    mailbox: value('MAILBOX'),
    /** A public name of this machine, because an attached server may refuse to send webhooks to private addresses. */
    webhookHost: value('WEBHOOK_HOST'),
    sections: sections as Section[],
    /** Checklist ids; if empty, all ids in the sections are tested. */
    only,
  };
}

/** Passes the command's options to Vitest in environment variables. */
export function writeSettings(options: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) process.env[PREFIX + name.toUpperCase().replaceAll('-', '_')] = value;
  }
}

function endpointOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  if (!/^https?:\/\/[^/]+\/v1\/?$/.test(url)) {
    throw new SettingsError(`The endpoint is the address with /v1, like http://localhost:8080/v1, not ${url}.`);
  }
  return url.replace(/\/$/, '');
}
