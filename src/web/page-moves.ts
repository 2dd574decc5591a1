/**
 * Scrolling and focus between pages. A new page starts at its top; back, forward and a reload restore the
 * scroll position. The focus moves to the content each time, as after a page load.
 */

type Move = { readonly path: string; readonly scrollTo: number; readonly movesFocus: boolean }

const storageKey = 'lanternist_scroll'

/** A page that is not tall enough after this time has become shorter. */
const growthMs = 5000

let positions: Record<string, number> = {}
/** The name of the current entry of the browser's history, stored in the state of the entry. */
let entry = ''
let shownPath = ''
let pending: Move | null = null
let stopWaiting = () => {}
let prepareMove = () => {}

/**
 * Called once, after the back guard and before the router listens to the same events. Calls `prepare` when
 * the address has changed to another page, before that page is rendered.
 */
export function watchMoves(prepare: () => void): void {
  prepareMove = prepare
  history.scrollRestoration = 'manual'
  positions = readPositions()
  shownPath = location.pathname
  entry = entryOf(history.state) ?? nameEntry(newName())
  pending = { path: shownPath, scrollTo: positions[entry] ?? 0, movesFocus: false }
  // The router dispatches an event for each push and replace.
  addEventListener('pushState', () => {
    positions[entry] = scrollY
    entry = nameEntry(newName())
    noteMove(0)
  })
  addEventListener('replaceState', () => {
    if (entryOf(history.state) === null) nameEntry(entry)
    noteMove(0)
  })
  addEventListener('popstate', ({ state }) => {
    positions[entry] = scrollY
    entry = entryOf(state) ?? nameEntry(newName())
    noteMove(positions[entry] ?? 0)
  })
  addEventListener('pagehide', () => {
    positions[entry] = scrollY
    writePositions()
  })
}

/** Scrolls and moves the focus after a navigation. It does nothing if only the query has changed. */
export function finishMove(content: HTMLElement, path: string): void {
  if (pending?.path !== path) return
  const { scrollTo, movesFocus } = pending
  pending = null
  stopWaiting()
  if (movesFocus) content.focus({ preventScroll: true })
  window.scrollTo(0, scrollTo)
  if (scrollY < scrollTo) scrollOnceTallEnough(scrollTo)
}

function noteMove(scrollTo: number): void {
  if (location.pathname === shownPath) return
  shownPath = location.pathname
  pending = { path: shownPath, scrollTo, movesFocus: true }
  prepareMove()
}

/** Scrolls when the page is tall enough, because lists load after their page. Stops when the user scrolls. */
function scrollOnceTallEnough(scrollTo: number): void {
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, scrollTo)
    if (scrollY >= scrollTo) stopWaiting()
  })
  const ending = new AbortController()
  stopWaiting = () => {
    observer.disconnect()
    ending.abort()
  }
  for (const input of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(input, stopWaiting, { signal: ending.signal, passive: true })
  setTimeout(stopWaiting, growthMs)
  observer.observe(document.body)
}

function nameEntry(name: string): string {
  const state: unknown = history.state
  history.replaceState({ ...(typeof state === 'object' ? state : {}), entry: name }, '')
  return name
}

function entryOf(state: unknown): string | null {
  return typeof state === 'object' &&
    state !== null &&
    'entry' in state &&
    typeof state.entry === 'string'
    ? state.entry
    : null
}

function newName(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join('-')
}

function readPositions(): Record<string, number> {
  try {
    // Written by writePositions.
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

function writePositions(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(positions))
  } catch {
    // A browser can block storage; then a reload starts at the top.
  }
}
