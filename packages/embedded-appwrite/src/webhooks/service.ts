import type { Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import { createDeliveries } from './delivery.ts';
import { createWebhookRecords } from './records.ts';
import { webhookRoutes } from './routes.ts';

export interface Webhooks {
  readonly routes: Route[];
  /** Gives running deliveries three seconds. Call it before closing the database. */
  close(): Promise<void>;
}

export function createWebhooks(kernel: Kernel): Webhooks {
  const records = createWebhookRecords(kernel.store);
  const { close } = createDeliveries(kernel, records);
  return { routes: webhookRoutes(kernel, records), close };
}
