/**
 * The tables as TypeScript sees them. Each feature adds its own, in its `tables.ts`; a test holds all of
 * them against the migrated database.
 */
// An interface, since features add to it.
// oxlint-disable-next-line typescript/consistent-type-definitions, typescript/no-empty-object-type, typescript/no-empty-interface
export interface Tables {}
