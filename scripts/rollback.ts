/** `npm run rollback -- [--restart COMMAND]`: switches back to the release before the last upgrade. */
process.argv.splice(2, 0, 'rollback');
await import('./upgrade.ts');

export {};
