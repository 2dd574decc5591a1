/**
 * Parts of the application that are loaded on demand: pages, dialogs, menus. The build adds one retry of a
 * failed import (scripts/web-build/retried-imports.ts). If the part is still missing, the site probably has a
 * newer version, and the page reloads. The address, drafts and scroll positions survive a reload.
 */
import { type ComponentType, createElement, lazy, type LazyExoticComponent, useState } from 'react'
import { hasUnsavedWork } from './features/accounts/unsaved-work.ts'
import { hasNetwork } from './network.ts'

/** At most one reload per minute: if the new version is broken too, visitors see an error. */
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

/** A component whose script can be requested before it is rendered. */
export type Loadable<Props extends object = object> = {
  readonly Component: ComponentType<Props>
  readonly load: () => Promise<void>
}

/**
 * Creates a component that renders at once if its script is loaded. A lazy component would show nothing for a
 * moment.
 */
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
    // A script that failed to load is requested again when the component renders.
    load: async () => {
      loaded ??= await load().catch(() => null)
    },
  }
}

/** Reloads the page. With unsaved work it stays, and the caller reports the failure. */
function reloadForNewVersion(): void {
  if (!hasNetwork() || hasUnsavedWork()) return
  try {
    if (Date.now() - Number(sessionStorage.getItem(reloadedKey)) < reloadEveryMs) return
    sessionStorage.setItem(reloadedKey, String(Date.now()))
  } catch {
    // Without storage a reload that does not help would repeat forever.
    return
  }
  location.reload()
}
