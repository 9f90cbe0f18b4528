export type Agent = ReturnType<typeof parseAgent>;

type Row = readonly [pattern: RegExp, code: string, name: string, engine?: string];

/** User-agent patterns. The first match wins; its first capture group is the version. */
const SYSTEMS: readonly Row[] = [
  [/(?:iPhone|iPad|iPod).*? OS (\d+(?:_\d+)*)/, 'IOS', 'iOS'],
  [/Android (\d+(?:\.\d+)*)/, 'AND', 'Android'],
  [/Windows NT (\d+\.\d+)/, 'WIN', 'Windows'],
  [/Mac OS X (\d+(?:[._]\d+)*)/, 'MAC', 'Mac'],
  [/CrOS \S+ (\d+(?:\.\d+)*)/, 'COS', 'Chrome OS'],
  [/(?:Linux|X11)()/, 'LIN', 'GNU/Linux'],
];
const BROWSERS: readonly Row[] = [
  [/Edg(?:e|A|iOS)?\/(\d+(?:\.\d+)*)/, 'PS', 'Microsoft Edge', 'Blink'],
  [/OPR\/(\d+(?:\.\d+)*)/, 'OP', 'Opera', 'Blink'],
  [/SamsungBrowser\/(\d+(?:\.\d+)*)/, 'SB', 'Samsung Browser', 'Blink'],
  [/(?:Firefox|FxiOS)\/(\d+(?:\.\d+)*)/, 'FF', 'Firefox', 'Gecko'],
  [/(?:Chrome|CriOS)\/(\d+(?:\.\d+)*)/, 'CH', 'Chrome', 'Blink'],
  [/Version\/(\d+(?:\.\d+)*).* Safari\//, 'SF', 'Safari', 'WebKit'],
];
const LONGEST = 512;

function first(rows: readonly Row[], text: string) {
  for (const [pattern, code, name, engine = ''] of rows) {
    const match = pattern.exec(text);
    if (match) return { code, name, engine, version: (match[1] ?? '').replaceAll('_', '.') };
  }
  return undefined;
}

export function parseAgent(header: string) {
  const text = header.slice(0, LONGEST);
  const system = first(SYSTEMS, text);
  const browser = first(BROWSERS, text);
  const handheld = system?.code === 'IOS' || system?.code === 'AND';
  const tablet = handheld && (/iPad/.test(text) || (system.code === 'AND' && !/Mobile/.test(text)));
  const device = handheld ? (tablet ? 'tablet' : 'smartphone') : 'desktop';
  return {
    osCode: system?.code ?? '',
    osName: system?.name ?? '',
    osVersion: system?.version ?? '',
    clientType: browser ? 'browser' : '',
    clientCode: browser?.code ?? '',
    clientName: browser?.name ?? '',
    clientVersion: browser?.version ?? '',
    clientEngine: browser?.engine ?? '',
    clientEngineVersion: browser?.version ?? '',
    deviceName: system && browser ? device : '',
    deviceBrand: system?.code === 'IOS' || system?.code === 'MAC' ? 'Apple' : '',
    deviceModel: '',
  };
}
