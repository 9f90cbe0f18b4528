export { checkCopy, countsOf, type DataCounts, type DataReport, silenceCopy } from './check-copy.ts';
export { schemaFaults } from './check-schema.ts';
export { putFormerDataBack } from './put-former-data-back.ts';
export { takeCopy } from './take-copy.ts';
