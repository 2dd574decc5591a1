/** Finds the rows of `npm run faults`: every file under test/faults is one. */
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { FaultRow } from './fault.ts'

const folder = resolve(import.meta.dirname, '../faults')

export async function allRows(): Promise<string[]> {
  const files = await readdir(folder)
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'))
    .toSorted()
}

export async function readRow(name: string): Promise<FaultRow> {
  // A dynamic import has no type; each file there exports a row.
  const file = (await import(join(folder, `${name}.ts`))) as { row: FaultRow }
  return file.row
}
