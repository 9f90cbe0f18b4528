/** The service's tables. */
export const STORAGE_TABLES = '';
