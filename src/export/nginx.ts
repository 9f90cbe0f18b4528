/** Writes an nginx configuration to include in the `http` block: a `server` block and the maps that it needs. */

import { crc32 } from 'node:zlib';
import { routeOf } from '#blog/routes/canonical.ts';
import { editPostPath, HOME, numberedPath, postPath } from '#blog/routes/paths.ts';
import { securityHeaders } from '#blog/routes/security-headers.ts';
import { ANY, fixedPaths, groupPrefixes, isFile, numberedLists } from '#blog/routes/table.ts';
import { partsOf } from '#redirects/redirects-file.ts';
import { SAME } from './file-paths.ts';
import { EDIT_FILE, errorRules, type Hosting, missingPostPageOf, paired, type Rule } from './hosting.ts';

/** Stands for a dollar sign, which nginx cannot escape; `dollarMap` defines the variable. */
const DOLLAR = '$' + '{dollar}';

const quoted = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('$', DOLLAR)}"`;

const block = (head: string, lines: readonly string[]): string =>
  `${head} {\n${lines.map((line) => (line ? `    ${line.replaceAll('\n', '\n    ')}\n` : '\n')).join('')}}`;

const headerLines = (headers: Rule['headers'], always = ''): string[] =>
  headers.map(([name, value]) => `add_header ${name} ${quoted(value)}${always};`);

export function nginxFile(hosting: Hosting, rules: readonly Rule[]): string {
  const { site, directory, server, pages, fixed, redirects } = hosting;
  const byQuery = redirectsByQuery(redirects, site.url);
  const errors = errorRules(hosting);
  const hasIslands = fixed.some(({ file }) => file === EDIT_FILE);
  const common = securityHeaders(site.url)('/');
  const proxy = server
    ? [
        ...common.map(([name]) => `proxy_hide_header ${name};`),
        `proxy_pass ${server};`,
        'proxy_http_version 1.1;',
        'proxy_set_header Host $host;',
        'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
        'proxy_set_header X-Forwarded-Proto $scheme;',
        'proxy_set_header Upgrade $http_upgrade;',
        'proxy_set_header Connection $http_connection;',
      ]
    : [];

  const types = fileTypes(pages);
  const locations = rules
    .filter(({ pattern }) => !pattern.startsWith('/v1/'))
    .map(({ pattern, headers }) => {
      const prefix = pattern.endsWith('*') ? pattern.slice(0, -1) : undefined;
      if (pattern === '/_astro/*')
        return block(`location ^~ ${prefix}`, ['try_files $uri =404;', ...headerLines(headers)]);
      const type = types.get(formOf(pattern) ?? '');
      const isOwnFile = /\.[a-z]+$/.test(pattern);
      return block(prefix === undefined ? `location = ${pattern}` : `location ^~ ${prefix}`, [
        ...(prefix === undefined ? [] : ONE_IN_GROUP),
        ...(type === undefined ? [] : typeLines(type)),
        ...(prefix === undefined ? [] : filesInGroup(prefix, types)),
        prefix === editPostPath('') && hasIslands
          ? `try_files /${EDIT_FILE} =404;`
          : isOwnFile
            ? 'try_files $uri =404;'
            : 'try_files $uri/index.html $uri =404;',
        ...(prefix === postPath('') ? [`error_page 404 ${missingPostPageOf(fixed)};`] : []),
        ...headerLines(headers),
      ]);
    });
  const pictures = ['view', 'download'].map((kind) =>
    block(`location ~ ^/v1/storage/buckets/[^/]+/files/[^/]+/${kind}$`, [
      'types { }',
      // Browsers detect the real type from the bytes.
      'default_type image/jpeg;',
      ...(kind === 'download' ? ['add_header Content-Disposition attachment;'] : []),
      'add_header Cache-Control "public, max-age=86400";',
      ...headerLines(common),
      `try_files $uri ${server ? '@server' : '=404'};`,
    ]),
  );
  const preview = block('location ~ ^/v1/storage/buckets/[^/]+/files/[^/]+/preview$', [
    'if ($arg_width !~ "^[0-9]+$") { return 404; }',
    'if ($arg_height !~ "^[0-9]*$") { return 404; }',
    'if ($arg_output !~ "^[a-z]*$") { return 404; }',
    'set $form $arg_output;',
    `if ($form = "") { set $form "${SAME}"; }`,
    'default_type image/jpeg;',
    'add_header Cache-Control "public, max-age=86400";',
    ...headerLines(common),
    `try_files "\${uri}-\${arg_width}x\${arg_height}.$form" ${server ? '@server' : '=404'};`,
  ]);

  return `# Made by npm run export. Include it from nginx's http block: include ${directory}/.common-ink/nginx.conf;
${dollarMap(rules, redirects)}${byQuery.maps}${block('server', [
  `listen ${listenOf(site.url)};`,
  `server_name ${new URL(site.url).hostname};`,
  `root ${quoted(directory)};`,
  'absolute_redirect off;',
  'charset utf-8;',
  'gzip_static on;',
  '# With the module ngx_brotli: brotli_static on;',
  'error_page 404 /404.html;',
  '# For responses without headers of their own.',
  ...headerLines(common, ' always'),
  '',
  ...byQuery.lines,
  'rewrite ^/index(\\.html?)?$ / permanent;',
  ...numberedLists('[^/]+').map((list) => `rewrite ^(${list})${numberedPath(HOME, 1)}$ $1 permanent;`),
  `location = ${numberedPath(HOME, 1)} { return 301 ${HOME}; }`,
  'location ~ /\\. { return 404; }',
  '# Old addresses are matched before these, so that one redirect is enough.',
  block('location ~ ^/(?!v1/|api/).+(?:/|/index|/index\\.html?)$', ONE_ADDRESS),
  ...errors.map(({ pattern, headers }) =>
    block(`location = ${pattern}`, ['internal;', ...headerLines(headers, ' always')]),
  ),
  '',
  'location / { try_files $uri =404; }',
  ...redirectLines(redirects),
  ...locations,
  '',
  preview,
  ...pictures,
  ...(server
    ? [
        block('location /v1/', ['client_max_body_size 12m;', ...proxy]),
        block('location /api/', proxy),
        block('location @server', proxy),
      ]
    : []),
])}
`;
}

/** Returns the route pattern, with `*` for its parameter, if the path is a file such as a feed; otherwise undefined. */
function formOf(path: string): string | undefined {
  const route = /\.[a-z]+$/.test(path) ? routeOf(path)?.route : undefined;
  return route && isFile(route) ? route.path(ANY) : undefined;
}

function fileTypes(pages: Hosting['pages']): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const { path, headers } of pages) {
    const form = formOf(path);
    if (form === undefined || types.has(form)) continue;
    const type = paired(headers).find(([name]) => name === 'Content-Type')?.[1];
    if (type !== undefined) types.set(form, type);
  }
  return types;
}

const typeLines = (type: string): string[] => ['types { }', `default_type ${quoted(type)};`];

function filesInGroup(prefix: string, types: ReadonlyMap<string, string>): string[] {
  const inside = [...types].filter(([pattern]) => pattern.startsWith(prefix));
  return inside.map(([pattern, type]) => {
    const expression = pattern.split(ANY).map(RegExp.escape).join('[^/]+');
    return block(`location ~ "^${expression}$"`, [...typeLines(type), 'try_files $uri =404;']);
  });
}

const WITHOUT_SLASH = 'rewrite ^(/.+)/$ $1 permanent;';
/** Redirects variants of a path to its canonical form. `ONE_IN_GROUP` leaves out `/post/index`, which may be a post. */
const ONE_ADDRESS = ['rewrite ^(/.+)/index(\\.html?)?$ $1 permanent;', WITHOUT_SLASH];
const GROUPS = groupPrefixes('stored');
const LISTS_OF_GROUPS = fixedPaths('stored').filter((path) => GROUPS.includes(`${path}/`));
const ONE_IN_GROUP = [
  `rewrite ^(${[...LISTS_OF_GROUPS, '/[^/]+/.+'].join('|')})/index(\\.html?)?$ $1 permanent;`,
  WITHOUT_SLASH,
];

/**
 * Returns an exact `location` for each form of a redirected path, decoded, because nginx decodes the paths that it
 * compares. Does not use a `map`, because its keys could exceed nginx's default table size.
 */
function redirectLines(redirects: Hosting['redirects']): string[] {
  const targets = new Map<string, string>();
  for (const { from, to } of redirects) {
    if (from.includes('?')) continue;
    const path = decodeURIComponent(from).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    for (const form of ['', '/', '.html', '/index.html'].map((end) => path + end)) {
      if (!targets.has(form)) targets.set(form, to);
    }
  }
  return Array.from(targets, ([form, to]) => `location = "${form}" { return 301 ${quoted(to)}; }`);
}

/** Matches keys that fit nginx's default `map` table. Other keys are written as regular expressions. */
const SHORT_KEY = /^\/[\w./-]{0,20}\?[\w-]{1,20}$/;

function redirectsByQuery(redirects: Hosting['redirects'], siteUrl: string): { maps: string; lines: string[] } {
  const tables = new Map<string, Map<string, string>>();
  for (const { from, to } of redirects) {
    const { path, query } = partsOf(from);
    const names = [...query.keys()];
    // Skips names that are not plain words, because nginx has no `$arg_` variables for them.
    if (names.length === 0 || !names.every((name) => /^\w+$/.test(name))) continue;
    const source = `$uri?${names.map((name) => `$arg_${name}`).join('&')}`;
    const targets = tables.get(source) ?? new Map<string, string>();
    tables.set(source, targets);
    const values = from.slice(from.indexOf('?') + 1).split('&');
    const key = `${decodeURIComponent(path)}?${values.map((pair) => pair.slice(pair.indexOf('=') + 1)).join('&')}`;
    if (!targets.has(key)) targets.set(key, to);
  }
  const site = crc32(siteUrl).toString(16);
  const all = Array.from(tables, ([source, targets], n) => ({ source, targets, name: `$redirect_${site}_${n}` }));
  const maps = all.map(({ name, source, targets }) =>
    block(
      `map "${source}" ${name}`,
      Array.from(targets, ([key, to]) => {
        const written = SHORT_KEY.test(key) ? key : `~^${key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
        return `"${written.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}" ${quoted(to)};`;
      }),
    ),
  );
  return {
    maps: maps.map((map) => `${map}\n`).join(''),
    lines: all.map(({ name }) => `if (${name}) { return 301 ${name}; }`),
  };
}

function listenOf(siteUrl: string): string {
  const { protocol, hostname, port } = new URL(siteUrl);
  const number = protocol === 'http:' ? port || '80' : '80';
  return /^127\.|^\[/.test(hostname) ? `${hostname}:${number}` : number;
}

function dollarMap(rules: readonly Rule[], redirects: Hosting['redirects']): string {
  const headers = rules.flatMap((rule) => rule.headers.map(([, value]) => value));
  const isNeeded = [...headers, ...redirects.map(({ to }) => to)].some((value) => value.includes('$'));
  return isNeeded ? 'geo $dollar { default "$"; }\n' : '';
}
