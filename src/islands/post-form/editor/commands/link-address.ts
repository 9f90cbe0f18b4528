/** Returns the address for the typed text; undefined for none. */
export function linkAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return undefined;
  if (/^(https?:\/\/[^/]|mailto:.+@|(?:tel|sms):.|[/#?])/i.test(text))
    return text.startsWith('//') ? `https:${text}` : text;
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^:/]+\.[a-z]{2,}(:\d+)?(\/|$)/i.test(text)) return undefined;
  if (/^[^@/]+@[^@/]+\.[^@/]+$/.test(text)) return `mailto:${text}`;
  return /^[^/]+\.[^/.]{2,}/.test(text) || /^localhost\b/.test(text) ? `https://${text}` : undefined;
}
