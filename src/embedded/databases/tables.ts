/** The service's tables. */
export const DATABASES_TABLES = '';
