/**
 * The embedded database's folder with an fsync that reaches the disk (EMBEDDED_SYNC=on). PGlite starts
 * PostgreSQL without fsync, and its file layer would ignore one: what was acknowledged outlives a
 * killed process, but not a lost power. Here PostgreSQL syncs as it does on a server.
 */
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Start = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']

/** PGlite's file layer: a stream on a file has the system's own number for it, one on a folder none. */
type Stream = { readonly node: object; readonly nfd?: number }
type FileLayer = {
  readonly stream_ops: { fsync?: (stream: Stream) => number }
  realPath(node: object): string
  /** Gives PostgreSQL a failure of the system as the code that it knows. */
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
  // Its types leave the layer out, which its own NodeFS reaches in the same way.
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
 * How PostgreSQL is started: without PGlite's -F, which turns fsync off, and not by fdatasync, which
 * does nothing there whatever the layer has.
 */
export function durably(words: readonly string[]): string[] {
  const synced = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync']
  return [...words.filter((word) => word !== '-F'), ...synced]
}

/** All of a folder that was filled without a sync. */
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
