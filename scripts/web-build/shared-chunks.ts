/**
 * Decides which scripts several pages of the web client share. Each file is a request, so modules that many
 * pages need are bundled into a few files. A page does not load modules that it does not need.
 */

type ModuleInfo = {
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
}

type ModuleGraph = { getModuleInfo(id: string): ModuleInfo | null }

/** Modules that at least this fraction of all pages use are loaded with the first page. */
const manyOfAll = 0.5

type Files = {
  /** The module that every page loads. */
  readonly drawing: string
  /** The module that lists the pages. */
  readonly table: string
  /** The module of full-screen pages. They load nothing of the pages with a frame. */
  readonly show: string
  /** The module that distinguishes pages that play a session from other full-screen pages. */
  readonly player: string
  /** The first pages and their frame. A module that one of them shares with another page is in a chunk. */
  readonly first: readonly string[]
}

export function sharedChunks(files: Files) {
  let users: Users | null = null
  let pagesInAll = 0

  function chunkOf(id: string, graph: ModuleGraph): string | null {
    users ??= usersByModule(files, graph)
    pagesInAll ||= new Set([...users.values()].flatMap((pages) => [...pages])).size
    const all = users.get(id) ?? new Set()
    // A page is found by its own file: the server looks for it there.
    if (all.has(id) && id !== files.drawing) return null
    const isPackage = id.includes('/node_modules/')
    const shows = users.get(files.show) ?? new Set()
    const players = users.get(files.player) ?? new Set()
    const pages = [...all].filter((page) => page !== files.drawing)
    const framed = pages.filter((page) => !shows.has(page)).length
    const isMuchShared =
      framed >= pagesInAll * manyOfAll || (framed > 1 && files.first.some((file) => all.has(file)))
    // 'base' includes the package modules that it really imports. The rest of a package is in 'pages'.
    if (all.has(files.drawing)) return isPackage ? 'pages' : 'base'
    if (framed === pages.length) return isMuchShared ? 'pages' : null
    if (framed === 0) return pages.some((page) => players.has(page)) ? 'player' : null
    return isPackage || isMuchShared ? 'base' : 'show'
  }

  // A chunk includes the imports of its modules, unless an earlier chunk has them.
  return ['base', 'show', 'pages', 'player'].map((chunk, place, { length }) => ({
    debugName: chunk,
    name: (id: string, graph: ModuleGraph) => (chunkOf(id, graph) === chunk ? chunk : null),
    priority: length - place,
  }))
}

/** For every module, the pages that cannot be rendered without it. */
type Users = Map<string, Set<string>>

function usersByModule(files: Files, graph: ModuleGraph): Users {
  const users: Users = new Map()
  const pages = graph.getModuleInfo(files.table)?.dynamicallyImportedIds ?? []
  for (const page of [files.drawing, ...pages]) {
    const waiting = [page]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const known = users.get(id) ?? new Set()
      if (known.has(page)) continue
      users.set(id, known.add(page))
      waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
    }
  }
  return users
}
