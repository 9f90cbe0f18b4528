import { expect, test } from 'vitest';
import { parseAgent } from './agent.ts';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 'WIN', 'CH', 'desktop'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/140.0.0.0`, 'WIN', 'PS', 'desktop'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`, 'MAC', 'SF', 'desktop'],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) ${SAFARI} Mobile/15E148 Safari/604.1`, 'IOS', 'SF', 'smartphone'],
  [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${CHROME} Mobile Safari/537.36`, 'AND', 'CH', 'smartphone'],
  [`Mozilla/5.0 (Linux; Android 15; SM-X200) ${CHROME} Safari/537.36`, 'AND', 'CH', 'tablet'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'LIN', 'FF', 'desktop'],
  ['node', '', '', ''],
  ['', '', '', ''],
])('parses %s', (header, osCode, clientCode, deviceName) =>
  expect(parseAgent(header)).toMatchObject({ osCode, clientCode, deviceName }),
);
