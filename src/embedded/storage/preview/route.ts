/** `GET …/preview`: a picture of the file, cropped, converted and cached (contract 2.7). */
import { AppwriteError } from '../../http/errors.ts';
import { type Route, route } from '../../http/route.ts';
import { type FileRecord, isComplete } from '../files/file.ts';
import { READ_PARAMS } from '../read/routes.ts';
import { openForReading } from '../rights.ts';
import type { StorageService } from '../service.ts';
import { passOf } from '../tokens/token.ts';
import { extensionOf } from '../upload/file-name.ts';
import { drawIcon, iconKind } from './icon.ts';
import { defaultOutput, MEDIA_TYPES, type Output, PREVIEW_PARAMS, type PreviewPlan, planName } from './parameters.ts';
import { renderPreview, UnreadableImage } from './render.ts';

/** Types that are pictures here; any other file is shown as an icon. SVG and PDF are never given to the image library. */
const PICTURES: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/heif',
  'image/avif',
]);
/** Larger files, in bytes, are shown as an icon. */
const LARGEST = 20_000_000;

const NOT_OFFERED =
  'This site does not make previews of this size or with these effects. Ask for one that its pages use, or for the view.';

const HIT = 'private, max-age=15552000';
const MISS = 'private, max-age=2592000';

function isPicture(file: FileRecord): boolean {
  return isComplete(file) && PICTURES.has(file.mimeType) && file.sizeActual <= LARGEST;
}

async function make(service: StorageService, file: FileRecord, plan: PreviewPlan, enlarge: boolean): Promise<Buffer> {
  if (isPicture(file)) {
    try {
      return await renderPreview(service.blobs.pathOf(file.blob), plan, enlarge);
    } catch (error) {
      if (!(error instanceof UnreadableImage)) throw error;
      service.log('warn', `File ${file.id} has no preview: its bytes cannot be read as a picture.`, error.cause);
    }
  }
  return renderPreview(await drawIcon(iconKind(file.mimeType)), plan);
}

export function previewRoute(service: StorageService): Route {
  const { store, options } = service.kernel;
  const isAllowed = options.isPreviewAllowed ?? (() => true);
  const mayEnlarge = options.mayEnlarge ?? (() => true);
  return route({
    method: 'GET',
    path: '/storage/buckets/:bucketId/files/:fileId/preview',
    scope: 'files.read',
    params: { ...READ_PARAMS, ...PREVIEW_PARAMS },
    async handle({ params, caller, response }) {
      const pass = passOf(store, params.token);
      const { bucket, file } = openForReading(store, caller, params.bucketId, params.fileId, pass);
      if (!bucket.transformations && !caller.privileged) {
        throw new AppwriteError('storage_bucket_transformations_disabled');
      }
      const picture = isPicture(file);
      const output: Output = params.output || (picture ? defaultOutput(extensionOf(file.name)) : 'png');
      const plan: PreviewPlan = { ...params, output };
      if (!caller.privileged && !isAllowed(plan)) throw new AppwriteError('general_argument_invalid', NOT_OFFERED);
      // Icons are the same for all files of a kind; those of broken pictures lie with the file.
      const owner = picture ? file.blob : `icon-${iconKind(file.mimeType)}`;
      const name = planName(plan);
      const kept = service.previews.inMemory(owner, name);
      const { body, hit } = kept
        ? { body: kept, hit: true }
        : await service.previews.get(owner, name, () => make(service, file, plan, mayEnlarge(plan)));
      response.writeHead(200, {
        'Content-Type': MEDIA_TYPES[output],
        'Content-Length': body.length,
        'Cache-Control': hit ? HIT : MISS,
        'X-Appwrite-Cache': hit ? 'hit' : 'miss',
      });
      response.end(body);
      return undefined;
    },
  });
}
