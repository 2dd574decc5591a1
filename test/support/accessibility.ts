/** What axe, the accessibility checker, finds wrong with a page as it stands. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** One line for each barrier: the rule, where, and what to do. None is what a page should have. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated from outside the page, so that its Content-Security-Policy can stay as strict as it is.
  await page.evaluate(axe.source)
  const results = await page.evaluate<axe.AxeResults>('axe.run()')
  return results.violations.flatMap((violation) =>
    violation.nodes.map(
      (node) => `${violation.id} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`,
    ),
  )
}
