/** What backup, restore and upgrade need of a data folder, whether or not a backend has it open. */
export { checkCopy, countsOf, type DataCounts, type DataReport, silenceCopy } from './check-copy.ts';
export { schemaFaults } from './check-schema.ts';
export { putFormerDataBack } from './put-former-data-back.ts';
export { takeCopy } from './take-copy.ts';
