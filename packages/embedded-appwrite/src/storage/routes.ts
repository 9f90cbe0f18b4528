import type { Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import { bucketRoutes } from './buckets/routes.ts';
import { fileRoutes } from './files/routes.ts';
import { previewRoute } from './preview/route.ts';
import { readRoutes } from './read/routes.ts';
import { createStorageService } from './service.ts';
import { keepSwept } from './sweep.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { uploadRoute } from './upload/route.ts';

/** Returns the routes of the storage service (contract 2.7) and starts the sweep of leftover uploads. */
export function storageRoutes(kernel: Kernel): Route[] {
  const service = createStorageService(kernel);
  keepSwept(service);
  return [
    ...bucketRoutes(service),
    ...fileRoutes(service),
    uploadRoute(service),
    ...readRoutes(service),
    previewRoute(service),
    ...tokenRoutes(service),
  ];
}
