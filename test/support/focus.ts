/** Where the focus of a page is, and whether it can be seen. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The accessible name is close to this: a label, else the name it was given, else what it says. */
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

/** Not behind the bar above nor what stands over the tabs below. */
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
