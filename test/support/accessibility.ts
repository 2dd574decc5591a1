/**
 * Findings of axe, the accessibility checker, on a page as it is now, and with the same page
 * on a phone in the light theme and on a desktop in the dark one.
 */
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findCutOff } from './narrow-pages.ts'

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }

// Half as long as the one with its comments, and every page reads it.
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** One line for each barrier: the rule, where, and what to do. None is what a page should have. */
export async function findBarriers(page: Page): Promise<string[]> {
  await untilStill(page)
  // Evaluated from outside the page, so that its Content-Security-Policy can stay as strict as it is.
  const hasAxe = await page.evaluate('typeof axe === "object"')
  if (hasAxe !== true) await page.evaluate(axeSource)
  const options = JSON.stringify({
    resultTypes: ['violations'],
    // Else it asks for every style sheet again, for a rule that is on trial and not applied.
    preload: { assets: ['media'] },
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

/** Every width and every theme once: colours hardly depend on the width, nor the layout on colours. */
const looks = [
  { viewport: phone, theme: 'light' },
  { viewport: desktop, theme: 'dark' },
] as const

/** Expects no barrier, and nothing that is cut off or scrolled sideways to, on a phone and on a desk. */
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
