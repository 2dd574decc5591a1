/**
 * Files that are dropped or pasted while a page is still coming: kept for it, where the browser would
 * leave the site to show them. Part of the entry, so that it listens first.
 */

export type Dropped = {
  readonly files: readonly File[]
  /** Folders and files, where the browser tells one from the other. */
  readonly entries: readonly FileSystemEntry[]
}

/** Who has opened another page by then has given it up. */
const keptMs = 15_000

let kept: (Dropped & { readonly atMs: number }) | null = null
const listening = new AbortController()

export function listenForEarlyDrop(): void {
  const { signal } = listening
  window.addEventListener('dragover', (event) => keep(event, event.dataTransfer, false), { signal })
  window.addEventListener('drop', (event) => keep(event, event.dataTransfer, true), { signal })
  window.addEventListener(
    'paste',
    (event) => staysInField(event) || keep(event, event.clipboardData, true),
    { signal },
  )
}

function keep(event: Event, data: DataTransfer | null, isLetGo: boolean): void {
  if (!data?.types.includes('Files')) return
  event.preventDefault()
  if (isLetGo) kept = { ...droppedIn(data), atMs: performance.now() }
}

/** What is pasted into a field stays there, unless it is nothing but files. */
export function staysInField({ clipboardData, target }: ClipboardEvent): boolean {
  const isField = target instanceof Element && target.closest('textarea, input') !== null
  const hasText = clipboardData?.types.includes('text/plain') === true
  return isField && (hasText || clipboardData?.files.length === 0)
}

/** From now on the page listens itself. */
export function takeEarlyDrop(): Dropped | null {
  listening.abort()
  const taken = kept
  kept = null
  return taken && performance.now() - taken.atMs < keptMs ? taken : null
}

/** Must be called while the event is heard: afterwards a browser gives nothing away. */
export function droppedIn(data: DataTransfer): Dropped {
  const entries = [...data.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null)
  return { files: [...data.files], entries }
}
