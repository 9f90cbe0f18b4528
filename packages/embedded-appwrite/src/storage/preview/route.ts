import { networkOf, siteOf } from '@common-ink/http/client-address.ts';
import { WindowCounters } from '@common-ink/http/limits/window-counters.ts';
import { AppwriteError } from '../../http/errors.ts';
import { endpoint, type Route } from '../../http/route.ts';
import { type FileRecord, isComplete } from '../files/file.ts';
import { READ_PARAMS } from '../read/routes.ts';
import { readWhole } from '../read/send.ts';
import { openForReading } from '../rights.ts';
import type { StorageService } from '../service.ts';
import { passOf } from '../tokens/token.ts';
import { extensionOf } from '../upload/file-name.ts';
import { drawIcon, iconKind } from './icon.ts';
import { defaultOutput, MEDIA_TYPES, type Output, PREVIEW_PARAMS, type PreviewPlan, planName } from './parameters.ts';

/** Types that sharp may decode; other files, such as SVG and PDF, get an icon. */
const PICTURE = /^image\/(?:jpeg|a?png|gif|webp|hei[cf]|avif)$/;
/** Maximum size of a picture in bytes; larger files get an icon. */
const LARGEST = 20_000_000;

/** Maximum pixels of a preview, except for callers with a server key and for sizes that the site's own pages use. */
const OTHER_OUTPUT_PIXELS = 3_000_000;
/** Maximum new renderings per minute for one network, not counting sizes that the site's own pages use. */
const MADE_PER_MINUTE = 60;
/** Maximum new renderings per minute for an IPv6 /48 as a whole, not counting sizes that the site's own pages use. */
const MADE_OF_SITE = 600;
const MINUTE = 60_000;
const ADDRESSES_COUNTED = 10_000;

const HIT = 'private, max-age=15552000';
const MISS = 'private, max-age=2592000';

function isPicture(file: FileRecord): boolean {
  return isComplete(file) && PICTURE.test(file.mimeType) && file.sizeActual <= LARGEST;
}

async function make(
  service: StorageService,
  file: FileRecord,
  plan: PreviewPlan,
  limits: { readonly enlarge: boolean; readonly most?: number },
): Promise<Buffer> {
  // sharp takes more than 10 MiB of memory, so it is loaded on first use.
  const { renderPreview } = await import('./render.ts');
  if (isPicture(file)) {
    // Throws 404 if the bytes are missing. An icon in their place would stay cached even after the file is restored.
    const bytes = await readWhole(service, file);
    try {
      return await renderPreview(bytes, plan, limits);
    } catch (error) {
      if (!(error instanceof AppwriteError) || error.type !== 'storage_file_type_unsupported') throw error;
      service.log('warn', `File ${file.id} has no preview: its bytes cannot be read as a picture.`, error.cause);
    }
  }
  return renderPreview(await drawIcon(iconKind(file.mimeType)), plan, { ...limits, enlarge: true });
}

export function previewRoute(service: StorageService): Route {
  const { store, options } = service.kernel;
  const { isOwnPreview = () => true, mayEnlarge = () => true } = options;
  const made = new WindowCounters(ADDRESSES_COUNTED, MINUTE);
  const countMade = (network: string) => {
    if (options.rateLimits === false) return;
    const [now, site] = [Date.now(), siteOf(network)];
    const isOver = (name: string, most: number) => made.get(name, now).used >= most;
    if (isOver(network, MADE_PER_MINUTE) || (site !== network && isOver(site, MADE_OF_SITE))) {
      throw new AppwriteError('general_rate_limit_exceeded');
    }
    for (const name of new Set([network, site])) made.add(name, now);
  };
  return endpoint(
    'GET /storage/buckets/:bucketId/files/:fileId/preview',
    'files.read',
    { ...READ_PARAMS, ...PREVIEW_PARAMS },
    async ({ params, caller, client, response }) => {
      const pass = passOf(store, params.token);
      const { bucket, file } = openForReading(store, caller, params.bucketId, params.fileId, pass);
      if (!bucket.transformations && !caller.privileged) {
        throw new AppwriteError('storage_bucket_transformations_disabled');
      }
      const picture = isPicture(file);
      const output: Output = params.output || (picture ? defaultOutput(extensionOf(file.name)) : 'png');
      const plan: PreviewPlan = { ...params, output };
      const isOther = !caller.privileged && !isOwnPreview(plan);
      const cache = isOther ? service.otherPreviews : service.previews;
      // Files of the same kind share one icon. The icon for a broken picture is cached under the picture's blob name.
      const owner = picture ? file.blob : `icon-${iconKind(file.mimeType)}`;
      const name = planName(plan);
      const kept = service.previews.inMemory(owner, name);
      const { body, hit } = kept
        ? { body: kept, hit: true }
        : await cache.get(owner, name, () => {
            if (isOther) countMade(networkOf(client.address));
            const most = isOther ? { most: OTHER_OUTPUT_PIXELS } : {};
            return make(service, file, plan, { enlarge: mayEnlarge(plan), ...most });
          });
      response.writeHead(200, {
        'Content-Type': MEDIA_TYPES[output],
        'Content-Length': body.length,
        'Cache-Control': hit ? HIT : MISS,
        'X-Appwrite-Cache': hit ? 'hit' : 'miss',
      });
      response.end(body);
      return undefined;
    },
  );
}
