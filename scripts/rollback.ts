/**
 * `npm run rollback -- [--restart COMMAND]`: restores the release before the last upgrade, as `npm run upgrade --
 * rollback`.
 */
process.argv.splice(2, 0, 'rollback');
await import('./upgrade.ts');

export {};
