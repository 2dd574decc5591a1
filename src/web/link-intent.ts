/**
 * Loads pages before their links are followed. Pointing at a link or focusing it requests the page's
 * script; pressing it with the mouse requests the page's queries too. Queries count against the visitor's
 * limits, so pointing alone does not send them, and a touch does not either: it may begin a scroll. After a
 * tap the queries are sent when the address changes (see page-moves.ts).
 */
import type { QueryClient } from '@tanstack/react-query'
import { loadPageAt, preparePage } from './routes.ts'

/** A pointer that only crosses a link leaves it sooner. */
const dwellMs = 80

export function watchLinks(queryClient: QueryClient): void {
  let dwelling = 0
  document.addEventListener('pointerover', ({ target }) => {
    clearTimeout(dwelling)
    const address = pageAddress(target)
    if (address) dwelling = window.setTimeout(() => void loadPageAt(address.pathname), dwellMs)
  })
  document.addEventListener('focusin', ({ target }) => {
    const address = pageAddress(target)
    if (address) void loadPageAt(address.pathname)
  })
  document.addEventListener('pointerdown', ({ target, button, pointerType }) => {
    const address = pageAddress(target)
    if (address && button === 0 && pointerType === 'mouse') void preparePage(queryClient, address)
  })
}

/** Returns the address of the page that a link in the application opens, or null. */
function pageAddress(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.download !== '')
    return null
  const isPage = link.origin === location.origin && !/^\/(api|media|demo\/)/.test(link.pathname)
  return isPage && link.pathname !== location.pathname ? new URL(link.href) : null
}
