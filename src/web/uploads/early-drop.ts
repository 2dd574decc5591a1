/**
 * Keeps files that are dropped or pasted while a page is still loading. Without it the browser would
 * leave the site to show them. It is part of the entry, so that it listens first.
 */

export type Dropped = {
  readonly files: readonly File[]
  /** Folders and files, if the browser distinguishes them. */
  readonly entries: readonly FileSystemEntry[]
}

/** After this time the files are dropped: the user has probably given up. */
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

/** True when the pasted content should stay in its field: always, except for files without text. */
export function staysInField({ clipboardData, target }: ClipboardEvent): boolean {
  const isField = target instanceof Element && target.closest('textarea, input') !== null
  const hasText = clipboardData?.types.includes('text/plain') === true
  return isField && (hasText || clipboardData?.files.length === 0)
}

/** Returns the kept files and stops listening. From now on the page listens itself. */
export function takeEarlyDrop(): Dropped | null {
  listening.abort()
  const taken = kept
  kept = null
  return taken && performance.now() - taken.atMs < keptMs ? taken : null
}

/** Reads the data of a drop. Call it during the event: afterwards browsers return nothing. */
export function droppedIn(data: DataTransfer): Dropped {
  const entries = [...data.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null)
  return { files: [...data.files], entries }
}
