/**
 * Which scripts several pages of the web client share. Each file is a request, so what many pages need
 * comes in a few files instead of one a module; what a page does not need does not come with it.
 */

type ModuleInfo = {
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
}

type ModuleGraph = { getModuleInfo(id: string): ModuleInfo | null }

/** What so many pages share is loaded by the first of them. */
const manyPages = 8

type Files = {
  /** What is there with every page. */
  readonly drawing: string
  /** What names the pages. */
  readonly table: string
  /** Pages that need it have the whole screen, and nothing of the pages with a frame. */
  readonly player: string
  /** Where people begin: what it shares with any other page comes with the rest. */
  readonly library: string
  /** What stands around most pages. */
  readonly frame: string
  /** What else is loaded before anyone goes further: the pages that links lead to. */
  readonly beginnings: readonly string[]
}

export function sharedChunks(files: Files) {
  let users: Users | null = null

  function chunkOf(id: string, graph: ModuleGraph): string | null {
    users ??= usersByModule(files, graph)
    const all = users.get(id) ?? new Set()
    // A page is known by its own file: the server looks for it there.
    if (all.has(id) && id !== files.drawing) return null
    const isPackage = id.includes('/node_modules/')
    const shows = users.get(files.player) ?? new Set()
    const pages = [...all].filter((page) => page !== files.drawing)
    const framed = pages.filter((page) => !shows.has(page)).length
    const isAtHome = all.has(files.library) || all.has(files.frame)
    const isMuchShared = framed >= manyPages || (framed > 1 && isAtHome)
    // Of a package the application takes along what it really uses; the rest is for pages.
    if (all.has(files.drawing)) return isPackage ? 'pages' : 'base'
    // What no beginning needs waits for the first page that does.
    const isBeginning = isAtHome || files.beginnings.some((page) => all.has(page))
    if (framed === pages.length && isMuchShared) return isBeginning ? 'pages' : 'inner'
    if (framed === pages.length) return null
    if (framed === 0) return 'player'
    return isPackage || isMuchShared ? 'base' : 'show'
  }

  // A file takes along what its modules import, unless a file before it has taken it.
  return ['base', 'show', 'pages', 'inner', 'player'].map((chunk, place, { length }) => ({
    debugName: chunk,
    name: (id: string, graph: ModuleGraph) => (chunkOf(id, graph) === chunk ? chunk : null),
    priority: length - place,
  }))
}

/** For every module, the pages that cannot be drawn without it. */
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
