/**
 * The manifest of an export while it is written. The result for each file is known only at the end, and a
 * library can have more sessions than fit into memory. So the text is stored in parts, in temporary files
 * that no row names, until it is sent.
 */
import type { Context } from '../../../context.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { removeFiles, storeUnclaimed } from '../../files/files.ts'
import { ownFile, userFolder } from '../../vault/vault.ts'
import type { SessionEntry, VaultEntry } from '../manifest.ts'
import { manifestFormat, manifestName, manifestVersion } from '../manifest.ts'
import type { ArchiveEntry } from '../zip/archive.ts'

export type ManifestDraft = {
  readonly addSession: (entry: SessionEntry) => Promise<void>
  /** Adds a file. Call it after the last session. */
  readonly addVaultFile: (entry: VaultEntry) => Promise<void>
  /** Completes the manifest. The entry is not compressed, so that its bytes are the same everywhere. */
  readonly finish: () => ArchiveEntry
  /** Deletes the temporary files. Call it even if the export failed. */
  readonly discard: () => Promise<void>
}

// Larger than the manifest of most exports, so these need no temporary file.
const heldCharacters = 262_144
// Longer than the download of any library.
const keptMs = 48 * 3600 * 1000

export function draftManifest(ctx: Context, userId: string): ManifestDraft {
  const setAside: FileAddress[] = []
  const counts = { sessions: 0, vault: 0 }
  let text = `{"format": "${manifestFormat}", "version": ${manifestVersion}, "sessions": [`

  async function write(more: string): Promise<void> {
    text += more
    if (text.length < heldCharacters) return
    const file = ownFile(`${userFolder(userId)}exports/${ctx.newId()}`)
    const removeAfter = new Date(ctx.now().getTime() + keptMs)
    await storeUnclaimed(ctx, file, Buffer.from(text), { removeAfter })
    setAside.push(file)
    text = ''
  }

  async function* whole(): AsyncGenerator<Uint8Array | string> {
    for (const { bucket, key } of setAside) yield* await ctx.storage.read(bucket, key)
    yield text
  }

  return {
    addSession: (entry) => write(`${counts.sessions++ === 0 ? '' : ','}\n${json(entry)}`),
    addVaultFile: (entry) => write(`${counts.vault++ === 0 ? vaultBegins : ','}\n${json(entry)}`),
    finish() {
      text += `${counts.vault === 0 ? vaultBegins : ''}]}\n`
      return { name: manifestName, modifiedAt: null, compress: false, open: whole }
    },
    discard: () => removeFiles(ctx, setAside),
  }
}

const vaultBegins = '],\n"vault": ['

function json(entry: object): string {
  return JSON.stringify(entry, null, 1)
}
