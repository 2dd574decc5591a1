/**
 * Makes fsync of the embedded database reach the disk (EMBEDDED_SYNC, on by default). PGlite starts
 * PostgreSQL without fsync, and its file layer ignores one: acknowledged writes survive a killed process,
 * but not a power cut. With this file PostgreSQL syncs as it does on a server.
 */
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Start = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']

/** PGlite's file layer: the stream of a file has the system's file descriptor, that of a folder has none. */
type Stream = { readonly node: object; readonly nfd?: number }
type FileLayer = {
  readonly stream_ops: { fsync?: (stream: Stream) => number }
  realPath(node: object): string
  /** Translates a system error into PostgreSQL's error code. */
  tryFSOperation<T>(operation: () => T): T
}

export class DurableFolder extends NodeFS {
  override async init(pg: PGlite, options: Start): Promise<{ emscriptenOpts: Start }> {
    const { emscriptenOpts } = await super.init(pg, options)
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...asList(emscriptenOpts.preRun), supplySync] },
    }
  }
}

function supplySync(module: object): void {
  // PGlite's types leave the layer out; its own NodeFS reaches it in the same way.
  const { NODEFS: layer } = module as { NODEFS: FileLayer }
  layer.stream_ops.fsync = ({ node, nfd }) => {
    layer.tryFSOperation(() =>
      nfd === undefined ? syncPath(layer.realPath(node)) : fsyncSync(nfd),
    )
    return 0
  }
}

function asList<T>(given: T | readonly T[] | undefined): T[] {
  return given === undefined ? [] : ([given].flat() as T[])
}

/**
 * Start options without PGlite's -F, which turns fsync off, and with fsync as the sync method: fdatasync
 * does nothing in PGlite.
 */
export function durably(words: readonly string[]): string[] {
  const synced = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync']
  return [...words.filter((word) => word !== '-F'), ...synced]
}

/** Syncs every file of a folder that was filled without fsync. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

export function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
