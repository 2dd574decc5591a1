/**
 * Findings of axe, the accessibility checker, on the current page, and on the same page on a phone in the
 * light theme and on a desktop in the dark one.
 */
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findCutOff } from './narrow-pages.ts'

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }

// The minified build is half as long, and every page evaluates it.
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Returns one line for each barrier: the rule, the element, and the fix. */
export async function findBarriers(page: Page): Promise<string[]> {
  await untilStill(page)
  // Evaluated from outside the page, so that its Content-Security-Policy can stay strict.
  const hasAxe = await page.evaluate('typeof axe === "object"')
  if (hasAxe !== true) await page.evaluate(axeSource)
  const options = JSON.stringify({
    resultTypes: ['violations'],
    // Otherwise axe fetches every style sheet again, for an experimental rule that is not applied.
    preload: { assets: ['media'] },
  })
  // Without the passed checks, which are a hundred times as much data.
  const run = `axe.run(${options}).then(({ violations }) => violations)`
  const violations = await page.evaluate<AxeResults['violations']>(run)
  return violations.flatMap((violation) =>
    violation.nodes.map(
      (node) => `${violation.id} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`,
    ),
  )
}

/** Each width and each theme once: colours hardly depend on the width, nor the layout on colours. */
const looks = [
  { viewport: phone, theme: 'light' },
  { viewport: desktop, theme: 'dark' },
] as const

/** Expects no barriers, no truncated controls and no sideways scrolling, on a phone and on a desktop. */
export async function expectOpenToAll(page: Page, where: string): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
  const found: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const { viewport, theme } of looks) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: theme })
    await page.waitForFunction((now) => document.documentElement.dataset['theme'] === now, theme)
    const look = `${where}, ${theme} at ${viewport.width} pixels`
    found[look] = { barriers: await findBarriers(page), cutOff: await findCutOff(page) }
    expected[look] = { barriers: [], cutOff: [] }
  }
  expect(found).toEqual(expected)
}

/** Waits for animations: a half-open dialog or a changing colour is not the final state. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)))
      .filter(({ playState }) => playState === 'running')
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}
