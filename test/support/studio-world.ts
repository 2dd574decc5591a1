/** A service with its web client and configurable providers, and a browser in its studio. */
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { openBrowser } from './browser.ts'
import { visitAs } from './editor-visit.ts'
import type { EnhancementWorld } from './enhancement-world.ts'
import { createEnhancementWorld } from './enhancement-world.ts'
import { paint } from './sample-media.ts'
import type { Person } from './world.ts'

export type StudioVisit = Awaited<ReturnType<typeof visitAs>> & {
  readonly open: (path: string) => Promise<void>
}

export type StudioWorld = EnhancementWorld & {
  /** Closed before the next test. */
  readonly visit: (person: Person, options?: BrowserContextOptions) => Promise<StudioVisit>
  /** Creates a user with credits and these pictures in the vault, by name and size. */
  readonly painter: (
    name: string,
    pictures?: Readonly<Record<string, readonly [number, number]>>,
  ) => Promise<Person>
}

export async function createStudioWorld(): Promise<StudioWorld> {
  await buildWebIfStale({ print: () => {} })
  const webFolder = join(import.meta.dirname, '../../dist/web')
  const world = await createEnhancementWorld({}, { webFolder })
  const browser = await openBrowser()
  const contexts: BrowserContext[] = []
  return {
    ...world,
    async visit(person, options = {}) {
      const visited = await visitAs(browser, person, world.url, { locale: 'en-GB', ...options })
      contexts.push(visited.context)
      const open = async (path: string) => {
        await visited.page.goto(world.url + path)
        await visited.page.getByRole('heading', { level: 1 }).waitFor()
      }
      return { ...visited, open }
    },
    async painter(name, pictures = {}) {
      const person = await world.enhancer(name)
      for (const [index, [title, [width, height]]] of Object.entries(pictures).entries()) {
        const picture = await paint({ width, height, seed: index + 1 })
          .jpeg({ quality: 92 })
          .toBuffer()
        const file = new File([new Uint8Array(picture)], `${title}.jpg`, { type: 'image/jpeg' })
        await person.vault.upload({ form: { file } })
      }
      return person
    },
    async reset() {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
      await world.reset()
    },
    async close() {
      await browser.close()
      await world.close()
    },
  }
}

/** Opens the dialog of a picture field and chooses a picture of the vault. */
export async function choose(page: Page, well: string, picture: string): Promise<void> {
  const region = page.getByRole('region', { name: well })
  await region.getByRole('button', { name: /From the vault|Change/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: picture }).click()
  await region.getByText(/\d × \d/).waitFor()
}

/** Returns the picture on a canvas. */
export async function shownOn(canvas: Locator): Promise<Buffer> {
  const uri = await canvas.evaluate((element) =>
    element instanceof HTMLCanvasElement ? element.toDataURL('image/png') : '',
  )
  return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')
}

/**
 * Returns the similarity of two pictures in decibels: at 30 they are hard to distinguish, at 40 identical to
 * the eye.
 */
export async function likenessDb(one: Buffer, other: Buffer): Promise<number> {
  const { width, height } = await sharp(one).metadata()
  const pixelsOf = (picture: Buffer) =>
    sharp(picture).resize(width, height, { fit: 'fill' }).removeAlpha().raw().toBuffer()
  const [some, others] = await Promise.all([pixelsOf(one), pixelsOf(other)])
  const sum = some.reduce((sum, value, index) => sum + (value - (others[index] ?? 0)) ** 2, 0)
  return sum === 0 ? Infinity : 10 * Math.log10((255 * 255 * some.length) / sum)
}
