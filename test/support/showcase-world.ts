/**
 * A service that looks the same each time: its users, sessions, pictures and dates are the same in every run,
 * and browsers have its clock. For tests of pixels.
 */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { sharp } from '../../src/server/media/libvips.ts'
import { createPlayerWorld, stays } from './player-world.ts'
import type { Person } from './world.ts'

export type ShowcaseWorld = Awaited<ReturnType<typeof createShowcaseWorld>>

/** In the future: a browser would drop cookies that have expired. */
const evening = '2035-03-20T19:30:00.000Z'

const sessions = [
  { title: 'Winter harbours', captions: ['Ice on the ropes.', 'Nobody leaves today.', null, null] },
  { title: 'Moss', captions: ['Greener than yesterday.', null] },
  {
    title: 'Trains at dusk',
    captions: ['The 17:40 is late.', null, 'Doors close.', null, null],
    tags: ['night', 'city'],
  },
  { title: 'Kitchen light', captions: [null, null, null], isFavorite: true },
  {
    title: 'A slow walk round the lake',
    captions: [
      'From the jetty.',
      'The far shore, and the house that nobody has lived in for years.',
    ],
    transition: 'zoom',
  },
  {
    title: 'Slow light',
    captions: [
      'It takes its time to cross the room.',
      'Noon, and the dust is standing still.',
      'The last of it goes up the wall.',
      null,
      'Then the lamp.',
      null,
    ],
    tags: ['night', 'nature'],
    isFavorite: true,
  },
] as const

export async function createShowcaseWorld() {
  const world = await createPlayerWorld()
  world.clock.set(evening)
  const scenes = await Promise.all(Array.from({ length: 8 }, (_, number) => paintScene(number)))
  scenes.forEach((bytes, number) => {
    world.site.put(`/scene-${number}.jpg`, { type: 'image/jpeg', bytes })
  })
  const owner = await world.as('Ana')
  const newcomer = await world.as('Ben')
  for (const person of [owner, newcomer])
    await person.accounts.completeOnboarding({ body: { contentRole: 'creator' } })
  let painted = 0
  const ids = new Map<string, number>()
  for (const { title, captions, ...settings } of sessions) {
    const slides = captions.map((caption) => ({
      path: `/scene-${painted++ % scenes.length}.jpg`,
      durationMs: stays,
      ...(caption === null ? {} : { caption }),
    }))
    ids.set(
      title,
      await world.makeManual(owner, slides, {
        title,
        ...settings,
        tags: [...('tags' in settings ? settings.tags : [])],
      }),
    )
    // The list is sorted by time, and otherwise all would be created within one millisecond.
    world.clock.advance(60_000)
  }

  return {
    ...world,
    owner,
    newcomer,
    idOf(title: (typeof sessions)[number]['title']): number {
      const id = ids.get(title)
      if (id === undefined) throw new Error(`there is no session ${title}`)
      return id
    },
    /** Opens a browser without motion and with a fixed time. */
    async look(person: Person | null, options: BrowserContextOptions = {}): Promise<Page> {
      const { page } = await world.visit(person, {
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'UTC',
        ...options,
      })
      await page.clock.setFixedTime(evening)
      return page
    },
    closePages: () => Promise.all(world.browser.contexts().map((context) => context.close())),
  }
}

/** Waits until everything is loaded: fonts and pictures, and no placeholders are left. */
export async function untilSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
  await page.evaluate(() => document.fonts.ready)
  await page.waitForFunction(() =>
    [...document.images]
      .filter((image) => image.getBoundingClientRect().top < innerHeight)
      .every((image) => {
        // Otherwise it may be decoded after the screenshot.
        image.decoding = 'sync'
        return image.complete && image.naturalWidth > 0
      }),
  )
}

/** Returns a screenshot once two in a row are the same. */
export async function steadyScreenshot(page: Page): Promise<Buffer> {
  let last = await page.screenshot({ animations: 'disabled' })
  for (let looks = 1; looks < maxLooks; looks += 1) {
    const next = await page.screenshot({ animations: 'disabled' })
    if (next.equals(last)) return next
    last = next
  }
  throw new Error(`the page still changed after ${maxLooks} looks`)
}

const maxLooks = 20

const sceneSize = { width: 720, height: 480 }

/** Draws hills before a sky with a low sun, with colours and positions that depend on the number. */
function paintScene(number: number): Promise<Buffer> {
  const { width, height } = sceneSize
  const data = Buffer.alloc(width * height * 3)
  const sunX = 120 + ((number * 140) % 480)
  const tint = [0, 1, 2].map((channel) => 70 + ((number * 59 + channel * 83) % 110))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const hills = [0, 1, 2].filter(
        (hill) => y > 250 + hill * 70 + 30 * Math.sin(x / (70 + hill * 25) + number + hill),
      ).length
      const isSun = (x - sunX) ** 2 + (y - 200) ** 2 < 55 ** 2
      const light = hills > 0 ? 0.75 - hills * 0.2 : isSun ? 1.7 : 0.8 + y / height
      tint.forEach((value, channel) => {
        data[(y * width + x) * 3 + channel] = Math.min(255, Math.round(value * light))
      })
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer()
}
