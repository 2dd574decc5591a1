/**
 * Which scripts several pages of the web client share. Each file is a request, so what many pages need
 * comes in a few files instead of one a module; what a page does not need does not come with it.
 */

type ModuleInfo = {
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
}

type ModuleGraph = { getModuleInfo(id: string): ModuleInfo | null }

/** What this part of all pages shares is loaded by the first of them. */
const manyOfAll = 0.5

type Files = {
  /** What is there with every page. */
  readonly drawing: string
  /** What names the pages. */
  readonly table: string
  /** Pages that need it have the whole screen, and nothing of the pages with a frame. */
  readonly show: string
  /** What the pages that play a session are told from other shows by. */
  readonly player: string
  /** Where people begin, and what stands around it: what these share with any other page. */
  readonly first: readonly string[]
}

export function sharedChunks(files: Files) {
  let users: Users | null = null
  let pagesInAll = 0

  function chunkOf(id: string, graph: ModuleGraph): string | null {
    users ??= usersByModule(files, graph)
    pagesInAll ||= new Set([...users.values()].flatMap((pages) => [...pages])).size
    const all = users.get(id) ?? new Set()
    // A page is known by its own file: the server looks for it there.
    if (all.has(id) && id !== files.drawing) return null
    const isPackage = id.includes('/node_modules/')
    const shows = users.get(files.show) ?? new Set()
    const players = users.get(files.player) ?? new Set()
    const pages = [...all].filter((page) => page !== files.drawing)
    const framed = pages.filter((page) => !shows.has(page)).length
    const isMuchShared =
      framed >= pagesInAll * manyOfAll || (framed > 1 && files.first.some((file) => all.has(file)))
    // Of a package the application takes along what it really uses; the rest is for pages.
    if (all.has(files.drawing)) return isPackage ? 'pages' : 'base'
    if (framed === pages.length) return isMuchShared ? 'pages' : null
    if (framed === 0) return pages.some((page) => players.has(page)) ? 'player' : null
    return isPackage || isMuchShared ? 'base' : 'show'
  }

  // A file takes along what its modules import, unless a file before it has taken it.
  return ['base', 'show', 'pages', 'player'].map((chunk, place, { length }) => ({
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
