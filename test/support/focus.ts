/** Checks the focus of a page, and that it is visible. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Approximates the accessible name: the label, else `aria-label`, else the text. */
export async function expectFocus(page: Page, name: string | RegExp): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const focused = document.activeElement
        const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : null
        return label ?? focused?.getAttribute('aria-label') ?? focused?.textContent ?? ''
      }),
    )
    .toEqual(typeof name === 'string' ? name : expect.stringMatching(name))
}

export function isFieldFocused(page: Page): Promise<boolean> {
  return page.evaluate(
    () => document.activeElement?.matches('dialog :is(input, select, textarea)') ?? false,
  )
}

/** Expects the focused element in front of the bar above and of everything over the tabs below. */
export async function expectInView(page: Page): Promise<void> {
  expect(
    await page.evaluate(() => {
      const { x, y, width, height } = document.activeElement!.getBoundingClientRect()
      return document.activeElement!.contains(
        document.elementFromPoint(x + width / 2, y + height / 2),
      )
    }),
  ).toBe(true)
}
