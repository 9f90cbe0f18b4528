/** Parses system, browser and device from a User-Agent header; unknown fields are empty. */

export interface Agent {
  readonly osCode: string;
  readonly osName: string;
  readonly osVersion: string;
  readonly clientType: string;
  readonly clientCode: string;
  readonly clientName: string;
  readonly clientVersion: string;
  readonly clientEngine: string;
  readonly clientEngineVersion: string;
  readonly deviceName: string;
  readonly deviceBrand: string;
  readonly deviceModel: string;
}

type Row = readonly [pattern: RegExp, code: string, name: string, engine?: string];

/** The first match wins; the first capture group is the version. */
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

function first(rows: readonly Row[], text: string): { row: Row; version: string } | undefined {
  for (const row of rows) {
    const match = row[0].exec(text);
    if (match) return { row, version: (match[1] ?? '').replaceAll('_', '.') };
  }
  return undefined;
}

export function parseAgent(header: string): Agent {
  const text = header.slice(0, LONGEST);
  const system = first(SYSTEMS, text);
  const browser = first(BROWSERS, text);
  const handheld = system?.row[1] === 'IOS' || system?.row[1] === 'AND';
  const tablet = handheld && (/iPad/.test(text) || (system.row[1] === 'AND' && !/Mobile/.test(text)));
  const device = handheld ? (tablet ? 'tablet' : 'smartphone') : 'desktop';
  return {
    osCode: system?.row[1] ?? '',
    osName: system?.row[2] ?? '',
    osVersion: system?.version ?? '',
    clientType: browser ? 'browser' : '',
    clientCode: browser?.row[1] ?? '',
    clientName: browser?.row[2] ?? '',
    clientVersion: browser?.version ?? '',
    clientEngine: browser?.row[3] ?? '',
    clientEngineVersion: browser?.version ?? '',
    deviceName: system && browser ? device : '',
    deviceBrand: system?.row[1] === 'IOS' || system?.row[1] === 'MAC' ? 'Apple' : '',
    deviceModel: '',
  };
}
