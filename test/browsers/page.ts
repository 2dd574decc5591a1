/**
 * A page in any of the browsers. Controls are found by role and accessible name, clicked with a real
 * pointer where they are visible, and filled with real key presses.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { BroughtFile } from '../support/file-visit.ts'
import type { Driver, ElementReference, PointerAction, Role } from './driver.ts'

const waitMs = 60_000
const lookEveryMs = 60

export type Page = ReturnType<typeof createPage>

const whereabouts = z.object({ x: z.number(), y: z.number(), isFree: z.boolean() })
type Point = { readonly x: number; readonly y: number }

/** WebDriver's characters for keys without a letter. */
const letterOfKey: Readonly<Record<string, string>> = {
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
}

export function createPage(
  driver: Driver,
  site: { url: string; pictureFolder: string; prefix: string },
) {
  /** Runs a function in the page. It is sent as source, so it sees only its argument and the page. */
  async function evaluate<A, T>(run: (argument: A) => T, argument: A): Promise<Awaited<T>> {
    const source = `(element, argument) => (${run.toString()})(argument)`
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON of what `run` gave
    return (await driver.call(source, null, argument)) as Awaited<T>
  }

  /** Polls the page. A page that is unloading gives no answer. */
  async function until<A>(run: (argument: A) => boolean, argument: A, what: string) {
    await poll(async () => (await evaluate(run, argument)) || null, what)
  }

  async function find(role: Role, name: string): Promise<ElementReference> {
    return await poll(async () => {
      const found = await driver.locate(role, name)
      for (const element of found) if (await isDrawn(element)) return element
      return null
    }, `${role} “${name}”`)
  }

  async function isDrawn(element: ElementReference): Promise<boolean> {
    return (await driver.call(`(${hasArea.toString()})`, element, null)) === true
  }

  /**
   * Moves the pointer to the element's middle. Waits until the element stops moving and nothing covers
   * it.
   */
  async function pointAt(element: ElementReference, what: string): Promise<Point> {
    return await poll(async () => {
      const { isFree, ...middle } = whereabouts.parse(
        await driver.call(`(${findMiddle.toString()})`, element, null),
      )
      // Hidden controls appear when the pointer moves.
      await point([{ type: 'pointerMove', ...middle, duration: 0 }])
      return isFree ? middle : null
    }, `${what}, free to be pressed`)
  }

  async function point(actions: readonly PointerAction[]): Promise<void> {
    await driver.perform({ type: 'pointer', id: 'mouse', actions })
  }

  async function click(role: Role, name: string): Promise<void> {
    await pointAt(await find(role, name), `${role} “${name}”`)
    await point([
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ])
  }

  /** Presses keys. Keys joined by a plus are held together. */
  async function press(keys: string): Promise<void> {
    const letters = keys.split('+').map((key) => letterOfKey[key] ?? key)
    await driver.perform({
      type: 'key',
      id: 'keyboard',
      actions: [
        ...letters.map((value) => ({ type: 'keyDown' as const, value })),
        ...letters.toReversed().map((value) => ({ type: 'keyUp' as const, value })),
      ],
    })
  }

  async function type(text: string): Promise<void> {
    const actions = text.split('').flatMap((value) => [
      { type: 'keyDown' as const, value },
      { type: 'keyUp' as const, value },
    ])
    await driver.perform({ type: 'key', id: 'keyboard', actions })
  }

  return {
    evaluate,
    until,
    click,
    press,
    open: (path: string) => driver.navigate(new URL(path, site.url).href),
    /** Waits until it is drawn. */
    async see(role: Role, name: string): Promise<void> {
      await find(role, name)
    },
    async fill(label: string, text: string): Promise<void> {
      await click('field', label)
      await press('Control+a')
      await type(text)
    },
    async valueOf(label: string): Promise<string> {
      const field = await find('field', label)
      return String(await driver.call('(field) => field.value', field, null))
    },
    /** Drags with a real pointer, in steps, as a person does. */
    async drag(from: string, to: string): Promise<void> {
      const end = await pointAt(await find('button', to), to)
      const start = await pointAt(await find('button', from), from)
      const steps = Array.from({ length: 12 }, (_, step) => ({
        type: 'pointerMove' as const,
        x: Math.round(start.x + ((end.x - start.x) * (step + 1)) / 12),
        y: Math.round(start.y + ((end.y - start.y) * (step + 1)) / 12),
        duration: 30,
      }))
      await point([{ type: 'pointerDown', button: 0 }, ...steps, { type: 'pointerUp', button: 0 }])
    },
    /** Firefox adds its own text to the name of a file field, so this finds the field by its label. */
    async chooseFiles(label: string, paths: readonly string[]): Promise<void> {
      const field = await poll(async () => {
        const [found] = await driver.query(`input[type=file][aria-label="${label}"]`)
        return found ?? null
      }, `the files “${label}”`)
      await driver.setFiles(field, paths)
    },
    /** Dispatches the events of a drop: neither protocol can drag in a file from outside. */
    async dropFiles(files: readonly BroughtFile[]): Promise<void> {
      const sent = files.map(({ bytes, ...file }) => ({
        ...file,
        content: bytes.toString('base64'),
      }))
      await evaluate(tellOfDrop, sent)
    },
    resize: (size: { width: number; height: number }) => driver.resize(size),
    /** Saves a screenshot for people to look at. */
    async screenshot(name: string): Promise<void> {
      // Wait for entrance animations, but not for a preview that never ends.
      await evaluate(async () => {
        const ends = document.getAnimations().map(({ finished }) => finished)
        const later = new Promise((resolve) => setTimeout(resolve, 1500))
        await Promise.race([Promise.allSettled(ends), later])
      }, null)
      await writeFile(
        join(site.pictureFolder, `${site.prefix}-${name}.png`),
        await driver.capture(),
      )
    },
    /** Returns the errors of the pages in this window; see recorded-errors.ts. */
    errors: () =>
      evaluate(() => {
        const kept: unknown = JSON.parse(sessionStorage.getItem('recorded-errors') ?? '[]')
        return Array.isArray(kept) ? kept.map(String) : ['the record is broken']
      }, null),
    close: () => driver.close(),
  }
}

/** Polls until the result is not null. When the time is over, throws with the last error of the browser. */
async function poll<T>(ask: () => Promise<T | null>, what: string): Promise<T> {
  const endsAt = Date.now() + waitMs
  let failure: unknown
  while (Date.now() < endsAt) {
    try {
      const found = await ask()
      if (found !== null) return found
      failure = undefined
    } catch (error) {
      failure = error
    }
    await sleep(lookEveryMs)
  }
  throw new Error(`waited in vain for ${what}`, { cause: failure })
}

/** Runs in the page. */
function hasArea(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0
}

/**
 * Runs in the page. The element is free when it does not move, no animation of its ancestors runs, and
 * nothing covers its middle.
 */
async function findMiddle(element: Element) {
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  const before = element.getBoundingClientRect()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const { left, top, width, height } = element.getBoundingClientRect()
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)]
  const hit = document.elementFromPoint(x, y)
  const isOnTop = element.contains(hit) || hit?.closest('label')?.contains(element) === true
  const isAround = (effect: AnimationEffect | null) =>
    effect instanceof KeyframeEffect && effect.target?.contains(element) === true
  const isComing = document
    .getAnimations()
    .some(
      ({ effect, playState }) =>
        playState === 'running' &&
        Number.isFinite(Number(effect?.getComputedTiming().endTime)) &&
        isAround(effect),
    )
  return { x, y, isFree: isOnTop && !isComing && left === before.left && top === before.top }
}

/** Runs in the page. */
function tellOfDrop(sent: readonly { name: string; type: string; content: string }[]): void {
  const files = sent.map(({ name, type, content }) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
    return new File([bytes], name, { type })
  })
  const data = new DataTransfer()
  for (const file of files) data.items.add(file)
  const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data })
  // WebKit accepts no files from a script, so the event gets a stand-in with the same files.
  if (data.files.length === 0) {
    const items = files.map(() => ({ kind: 'file', webkitGetAsEntry: () => null }))
    const standIn = { files, items, types: ['Files'], getData: () => '' }
    Object.defineProperty(drop, 'dataTransfer', { value: standIn })
  }
  document.body.dispatchEvent(drop)
}
