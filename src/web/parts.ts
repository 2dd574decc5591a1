/**
 * Parts of the application that are loaded when they are first needed: pages, dialogs, menus. The
 * build requests a lost part once more (scripts/web-build/retried-imports.ts). If it is still missing,
 * the site probably has a newer version, and the page reloads; the address, drafts and scroll
 * positions survive that.
 */
import { type ComponentType, createElement, lazy, type LazyExoticComponent, useState } from 'react'
import { hasUnsavedWork } from './features/accounts/unsaved-work.ts'
import { hasNetwork } from './network.ts'

/** One reload a minute at most: where a new version is broken too, its visitors see an error. */
const reloadEveryMs = 60_000
const reloadedKey = 'lanternist_reloaded_at'

export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    reloadForNewVersion()
    throw error
  }
}

export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadPart(load) }))
}

/** A component with its script, which can be requested before it is drawn. */
export type Loadable<Props extends object = object> = {
  readonly Component: ComponentType<Props>
  readonly load: () => Promise<void>
}

/** Draws at once where its script is there; a lazy component would leave its place empty for a moment. */
export function loadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Loadable<Props> {
  const Lazy = lazyPart(load)
  let loaded: ComponentType<Props> | null = null
  return {
    Component: (props: Props) => {
      const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
      return createElement(Chosen, props)
    },
    // A script that does not arrive is requested again when the component is drawn.
    load: async () => {
      loaded ??= await load().catch(() => null)
    },
  }
}

/** Work that is not saved stays on the page, and the caller reports the failure. */
function reloadForNewVersion(): void {
  if (!hasNetwork() || hasUnsavedWork()) return
  try {
    if (Date.now() - Number(sessionStorage.getItem(reloadedKey)) < reloadEveryMs) return
    sessionStorage.setItem(reloadedKey, String(Date.now()))
  } catch {
    // Without storage a reload that does not help would repeat for ever.
    return
  }
  location.reload()
}
