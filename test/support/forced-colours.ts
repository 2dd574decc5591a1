/**
 * Checks pages in forced colours by their pixels: if a control has a visible edge, and if two states look
 * different. A difference counts from a contrast of 3 to 1, which the guidelines (WCAG) require of controls.
 */
import type { Page } from 'playwright-core'
import { pixelsOf } from './pictures.ts'

const minContrast = 3
/** The maximum distance of the line from the edge of a control's box, on both sides. */
const reachPx = 4

const controlSelector = [
  'button',
  'a.button',
  'a.icon-button',
  'select',
  'textarea',
  'label:has(> input.sr-only)',
  'label:has(> input[type=search])',
  'input:not(.sr-only, [type=range], [type=search], [type=hidden], [type=file])',
].join(', ')

type Box = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
/** A locator or an element handle. */
type Thing = { boundingBox(): Promise<Box | null>; scrollIntoViewIfNeeded(): Promise<void> }
type Pixels = Awaited<ReturnType<typeof pixelsOf>>

/** Returns the names of controls without visible edges. For fields a line at the bottom is enough. */
export async function controlsWithoutEdges(page: Page, within = 'body'): Promise<string[]> {
  // Scroll to the top, where the sticky bar covers nothing.
  await page.evaluate(() => scrollTo(0, 0))
  const controls = await page.locator(within).locator(controlSelector).evaluateAll(boxesOf)
  const pixels = await pixelsOf(await page.screenshot({ fullPage: true, animations: 'disabled' }))
  return controls
    .filter(({ box, isField }) => {
      const edges = edgesOf(pixels, box)
      return edges.filter(Boolean).length < 3 && !(isField && edges[3])
    })
    .map(({ name }) => name)
}

/** Runs in the page. A field without its own border is in a frame with other content. */
function boxesOf(controls: Element[]) {
  return controls
    .filter((control) => control.checkVisibility())
    .map((control) => {
      const isField = control.matches('input, textarea')
      const isFramed = isField && getComputedStyle(control).borderBottomWidth === '0px'
      const edged = isFramed ? (control.parentElement ?? control) : control
      const { x, y, width, height } = edged.getBoundingClientRect()
      const words = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''
      return {
        box: { x: x + scrollX, y: y + scrollY, width, height },
        name: `${control.tagName.toLowerCase()} ${words || control.id}`,
        isField,
      }
    })
}

/** Returns for the left, right, upper and lower edge if a line is visible near its middle. */
function edgesOf(pixels: Pixels, { x, y, width, height }: Box): boolean[] {
  const across = Math.round(y + height / 2)
  const down = Math.round(x + width / 2)
  // A dashed line may have a gap exactly there.
  const isSeen = (edge: number, at: (place: number, aside: number) => number[]) => {
    const places = Array.from({ length: 2 * reachPx + 1 }, (_, n) => Math.round(edge) - reachPx + n)
    return [-4, 0, 4].some(
      (aside) => contrastWithin(places.map((place) => at(place, aside))) >= minContrast,
    )
  }
  return [
    isSeen(x, (place, aside) => pixels.at(place, across + aside)),
    isSeen(x + width, (place, aside) => pixels.at(place, across + aside)),
    isSeen(y, (place, aside) => pixels.at(down + aside, place)),
    isSeen(y + height, (place, aside) => pixels.at(down + aside, place)),
  ]
}

/**
 * Returns the number of pixels in the element and a margin around it that look clearly different after
 * `change`.
 */
export async function changedPixels(
  page: Page,
  thing: Thing,
  change: () => Promise<unknown>,
): Promise<number> {
  await thing.scrollIntoViewIfNeeded()
  const before = await shotOf(page, thing)
  await change()
  const after = await shotOf(page, thing)
  let changed = 0
  for (let y = 0; y < Math.min(before.height, after.height); y += 1) {
    for (let x = 0; x < Math.min(before.width, after.width); x += 1) {
      const isSame = valueAt(before, x, y) === valueAt(after, x, y)
      if (!isSame && contrastWithin([before.at(x, y), after.at(x, y)]) >= minContrast) changed += 1
    }
  }
  return changed
}

/** Compares all four channels at once, because there are a million pixels and most do not change. */
function valueAt({ data, width }: Pixels, x: number, y: number): number {
  return data.readUInt32LE((y * width + x) * 4)
}

async function shotOf(page: Page, thing: Thing): Promise<Pixels> {
  // Neither hovered nor in a transition.
  await page.mouse.move(0, 0)
  const box = await thing.boundingBox()
  if (!box) throw new Error('it is not on the screen')
  const x = Math.max(0, Math.floor(box.x) - reachPx)
  const y = Math.max(0, Math.floor(box.y) - reachPx)
  const clip = { x, y, width: box.width + 2 * reachPx, height: box.height + 2 * reachPx }
  return pixelsOf(await page.screenshot({ clip, animations: 'disabled' }))
}

/** Returns the contrast between the lightest and the darkest pixel, by the formula of WCAG. */
function contrastWithin(pixels: readonly number[][]): number {
  const lights = pixels.filter((pixel) => pixel.length > 0).map(luminanceOf)
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05)
}

function luminanceOf([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const linear = (value: number) => linearLight[value] ?? 0
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

const linearLight = Array.from({ length: 256 }, (_, value) =>
  value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
)
