/** Measures the layout shifts of a page, as the browser counts them. */
import type { Page } from 'playwright-core'

type Shift = { readonly value: number; readonly nodes: string[] }

/** Runs in the page before its own scripts. */
export function countShifts() {
  type Source = { node?: Element | null }
  type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] }
  const shifts: Shift[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Entry[]) {
      if (entry.hadRecentInput) continue
      const nodes = entry.sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 80))
      shifts.push({ value: entry.value, nodes })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

export async function shiftsOf(page: Page): Promise<{ total: number; parts: Shift[] }> {
  const parts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
  return { total: parts.reduce((sum, { value }) => sum + value, 0), parts }
}
