/**
 * What axe, the accessibility checker, finds wrong with a page as it stands, and the same page in
 * every room it is looked at in: phone and desk, light and dark.
 */
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }

// Half as long as the one with its comments, and every page reads it.
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** One line for each barrier: the rule, where, and what to do. None is what a page should have. */
export async function findBarriers(
  page: Page,
  { rules }: { rules?: readonly string[] } = {},
): Promise<string[]> {
  await untilStill(page)
  // Evaluated from outside the page, so that its Content-Security-Policy can stay as strict as it is.
  const hasAxe = await page.evaluate('typeof axe === "object"')
  if (hasAxe !== true) await page.evaluate(axeSource)
  const options = JSON.stringify({
    resultTypes: ['violations'],
    // Else it asks for every style sheet again, for a rule that is on trial and not applied.
    preload: { assets: ['media'] },
    ...(rules && { runOnly: rules }),
  })
  // What it has found in order is a hundred times as much to hand over.
  const run = `axe.run(${options}).then(({ violations }) => violations)`
  const violations = await page.evaluate<AxeResults['violations']>(run)
  return violations.flatMap((violation) =>
    violation.nodes.map(
      (node) => `${violation.id} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`,
    ),
  )
}

/** The rules that look at colours; to all others the themes are one page. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** In no room a barrier, nor anything that has to be scrolled sideways to. */
export async function expectOpenToAll(page: Page, where: string): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
  const found: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await page.waitForFunction((now) => document.documentElement.dataset['theme'] === now, theme)
      const rules = theme === 'light' ? {} : { rules: colourRules }
      const room = `${where}, ${theme} at ${viewport.width} pixels`
      found[room] = { barriers: await findBarriers(page, rules), sideways: await sideways(page) }
      expected[room] = { barriers: [], sideways: 0 }
    }
  }
  expect(found).toEqual(expected)
}

/** A dialog that still appears, or a colour that still turns, is not what anyone will read. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)))
      .filter(({ playState }) => playState === 'running')
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

function sideways(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })
}
