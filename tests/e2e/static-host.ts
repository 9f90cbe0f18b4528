/** A static host for tests, which supports only files, `_headers` and `_redirects`. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
};

/** Serves `directory` on `port` of the loopback interface. */
export async function startStaticHost(directory: string, port: number): Promise<Server> {
  const file = (path: string) => {
    const names = [path, `${path}/index.html`].map((name) => join(directory, name));
    return names.map((name) => ({ name, bytes: readFile(name) })).find(({ bytes }) => bytes);
  };
  // A busy machine may leave a connection idle for more than Node's default of 5 s, and the next request would fail.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const path = decodeURIComponent(pathname);
    const redirects = rules(readFileSync(join(directory, '_redirects'), 'utf8'));
    const rule = redirects.find(
      ({ pattern, query }) =>
        matches(pattern, path) && query.every(([name, value]) => searchParams.get(name) === value),
    );
    const send = (status: number, { name, bytes }: { name: string; bytes: Buffer | undefined }, headersOf: string) => {
      const headers = headersFor(readFileSync(join(directory, '_headers'), 'utf8'), headersOf);
      response.writeHead(status, { 'content-type': TYPES[extname(name)] ?? 'image/png', ...headers });
      response.end(bytes);
    };
    const page = (to: string) => ({ name: to, bytes: readFileSync(join(directory, to)) });
    const found = path.startsWith('/.') ? undefined : file(path);
    if (rule?.status === 301) return void response.writeHead(301, { location: rule.to }).end();
    if (found) return send(200, found, path);
    if (rule?.status === 200 && rule.to.startsWith('/')) return send(200, page(rule.to), path);
    const lost = rule?.status === 404 ? rule.to : '/404.html';
    return send(404, page(lost), '/404.html');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return server;
}

/** Returns undefined if there is no such file, for example because an export has just removed it. */
function readFile(name: string): Buffer | undefined {
  try {
    return readFileSync(name);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    throw error;
  }
}

const matches = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;

function rules(text: string): { pattern: string; query: [string, string][]; to: string; status: number }[] {
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  return lines.map((line) => {
    const [pattern = '', ...words] = line.split(' ');
    const [to = '', status = ''] = words.splice(-2);
    return { pattern, query: [...new URLSearchParams(words.join('&'))], to, status: Number.parseInt(status, 10) };
  });
}

function headersFor(text: string, path: string): Record<string, string> {
  const found: Record<string, string> = {};
  let applies = false;
  for (const line of text.split('\n')) {
    const [, name, value] = /^ {2}([^:]+): (.*)$/.exec(line) ?? [];
    if (name === undefined) applies = matches(line, path);
    else if (applies) found[name] = value ?? '';
  }
  return found;
}
