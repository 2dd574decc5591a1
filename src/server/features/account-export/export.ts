/** Exports all data of an account, as a zip that is generated while it is sent (contract 4.1). */
import { posix } from 'node:path'
import { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import { readAccountJson } from '../accounts/accounts.ts'
import type { ArchiveEntry } from '../archives/archives.ts'
import { safeFileName, safeName, zipAnswer } from '../archives/archives.ts'
import { reconcileVault } from '../vault/vault.ts'
import type { Missing } from './export-files.ts'
import { fileEntry, otherFiles } from './export-files.ts'
import { readmeText } from './export-readme.ts'
import type { Sheet } from './queries.ts'
import {
  generationFilesOf,
  rowsOf,
  sessionFilesOf,
  sessionsOf,
  sheets,
  vaultFilesOf,
} from './queries.ts'

async function exportAccount(ctx: Context, { user }: Call<typeof api.accounts.exportAccount>) {
  return zipAnswer(ctx, user.id, async () => {
    const account = await readAccountJson(ctx, user.id)
    if (account === null) throw problem.userNotFound()
    // Creates records for files that were put into the folders directly.
    await reconcileVault(ctx, user.id)
    const day = ctx.now().toISOString().slice(0, 10)
    const entries = entriesOf(ctx, user.id, account)
    return { fileName: `lanternist-export-${day}.zip`, entries }
  })
}

export const accountExportRoutes = [route(api.accounts.exportAccount, exportAccount)]

/** Yields all entries in a fixed order. The last one lists the missing files. */
async function* entriesOf(
  ctx: Context,
  userId: string,
  account: string,
): AsyncGenerator<ArchiveEntry> {
  const missing: Missing[] = []
  yield textEntry(ctx, 'README.txt', readmeText(ctx))
  yield textEntry(ctx, 'account.json', `${account}\n`)
  for (const sheet of sheets) yield sheetEntry(ctx, sheet, userId)
  for await (const { cursor, title, updatedAt, json } of sessionsOf(ctx, userId))
    yield textEntry(ctx, `sessions/${cursor}-${safeName(title)}.json`, `${json}\n`, updatedAt)
  yield* files(ctx, userId, missing)
  yield textEntry(ctx, 'missing.json', `${JSON.stringify(missing, null, 2)}\n`)
}

async function* files(
  ctx: Context,
  userId: string,
  missing: Missing[],
): AsyncGenerator<ArchiveEntry> {
  const entry = (name: string, key: string | null, modifiedAt: Date) =>
    fileEntry(ctx, { name, key, modifiedAt }, missing)
  for await (const { cursor, key, name, createdAt } of vaultFilesOf(ctx, userId))
    yield* entry(`vault/${cursor}-${safeFileName(name, key)}`, key, createdAt)
  for await (const { cursor, keys, updatedAt } of sessionFilesOf(ctx, userId))
    for (const key of keys)
      yield* entry(`session-files/${cursor}/${posix.basename(key)}`, key, updatedAt)
  for await (const { cursor, original, result, createdAt } of generationFilesOf(ctx, userId)) {
    const nameOf = (part: string, key: string | null) =>
      `enhancements/${cursor}-${part}${posix.extname(key ?? '')}`
    yield* entry(nameOf('original', original), original, createdAt)
    yield* entry(nameOf('result', result), result, createdAt)
  }
  for await (const { name, key, modifiedAt } of otherFiles(ctx, userId))
    yield* entry(name, key, modifiedAt)
}

function sheetEntry(ctx: Context, sheet: Sheet, userId: string): ArchiveEntry {
  return {
    name: sheet.name,
    modifiedAt: ctx.now(),
    compress: true,
    open: () => jsonList(rowsOf(ctx, sheet, userId)),
  }
}

/** Yields a JSON list with one object on each line, so that a long list can be read in parts. */
async function* jsonList(rows: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const row of rows) {
    yield `${before}${row}`
    before = ',\n'
  }
  yield before === ',\n' ? '\n]\n' : '[]\n'
}

function textEntry(ctx: Context, name: string, text: string, modifiedAt = ctx.now()): ArchiveEntry {
  return { name, modifiedAt, compress: true, open: () => once(text) }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
