/** Finds controls of the current page that a narrow screen cuts off. */
import type { Page } from 'playwright-core'

/** Returns a line for each control that is not completely visible, and one if the page is too wide. */
export function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = 'a[href], button, input, select, textarea, summary, [role=slider]'
    const tolerancePx = 1
    const { clientWidth, scrollWidth } = document.documentElement
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} pixels wide`] : []
    // An open dialog covers everything else.
    const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    for (const control of top.querySelectorAll(controls)) {
      const box = control.getBoundingClientRect()
      const isSeen = box.width > 1 && control.checkVisibility({ opacityProperty: true })
      if (!isSeen || control.closest('[inert]')) continue
      const [left, right] = visibleEdges(control, clientWidth)
      const isWhole = box.left >= left - tolerancePx && box.right <= right + tolerancePx
      const holdsWords = control.scrollWidth <= control.clientWidth + tolerancePx
      const clips = getComputedStyle(control).overflowX !== 'visible'
      if (isWhole && (holdsWords || clips || !control.matches('button'))) continue
      const name = control.getAttribute('aria-label') ?? control.textContent
      found.push(
        `${control.localName} “${name.slice(0, 40)}” from ${box.left} to ${box.right} of ${right}`,
      )
    }
    return found

    /** Returns the visible range. A box that scrolls sideways can bring its content into view. */
    function visibleEdges(element: Element, width: number): [number, number] {
      let [left, right] = [0, width]
      for (let at = element.parentElement; at; at = at.parentElement) {
        const { overflowX, position } = getComputedStyle(at)
        if (overflowX === 'visible') {
          if (position === 'fixed') break
          continue
        }
        if (
          overflowX !== 'hidden' &&
          overflowX !== 'clip' &&
          at.scrollWidth > at.clientWidth + 1 &&
          at !== top
        )
          return [-Infinity, Infinity]
        const box = at.getBoundingClientRect()
        left = Math.max(left, box.left)
        right = Math.min(right, box.right)
      }
      return [left, right]
    }
  })
}
