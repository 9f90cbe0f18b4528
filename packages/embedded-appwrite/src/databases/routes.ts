/** The Databases service (contract 2.3 to 2.5): every route in both dialects. */
import type { Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import { attributeRoutes } from './attribute-routes.ts';
import { collectionRoutes } from './collection-routes.ts';
import { databaseRoutes } from './database-routes.ts';
import { documentBulkRoutes } from './documents/bulk.ts';
import { documentReadRoutes } from './documents/read-routes.ts';
import { documentWriteRoutes } from './documents/write-routes.ts';
import { indexRoutes } from './index-routes.ts';
import { DatabasesService } from './service.ts';

export function databasesRoutes(kernel: Kernel): Route[] {
  const service = new DatabasesService(kernel);
  return [
    ...databaseRoutes(service),
    ...collectionRoutes(service),
    ...attributeRoutes(service),
    ...indexRoutes(service),
    ...documentReadRoutes(service),
    ...documentWriteRoutes(service),
    ...documentBulkRoutes(service),
  ];
}
