/** Actions with files in a browser: drop, paste, and wait for the uploads. */
import type { Page } from 'playwright-core'
import { sharp } from '../../src/server/media/libvips.ts'

export type BroughtFile = { readonly name: string; readonly type: string; readonly bytes: Buffer }

/** Creates a small picture in its own colour, with its time of capture. */
export async function photo(n: number, takenAt?: string): Promise<Buffer> {
  const background = { r: (n * 67) % 256, g: (n * 31) % 256, b: (n * 113) % 256 }
  const picture = sharp({ create: { width: 360, height: 240, channels: 3, background } })
  const exif = { IFD2: { DateTimeOriginal: takenAt ?? '' } }
  return await (takenAt === undefined ? picture : picture.withExif(exif)).jpeg().toBuffer()
}

export async function photos(count: number): Promise<BroughtFile[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, n) => ({
      name: `IMG_${n + 1}.jpg`,
      type: 'image/jpeg',
      bytes: await photo(n),
    })),
  )
}

/** Waits until the page accepts drops: a browser ignores a drop if the page does not cancel 'dragover'. */
async function untilDropsAreTaken(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((selector) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['a'], 'a.jpg', { type: 'image/jpeg' }))
    const over = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer })
    document.querySelector(selector)?.dispatchEvent(over)
    return over.defaultPrevented
  }, selector)
}

/** Drops or pastes files with the events that a browser dispatches, by default on the body. */
export async function bring(
  page: Page,
  how: 'drop' | 'paste',
  files: readonly BroughtFile[],
  selector = 'body',
): Promise<void> {
  const sent = files.map(({ name, type, bytes }) => ({
    name,
    type,
    content: bytes.toString('base64'),
  }))
  if (how === 'drop') await untilDropsAreTaken(page, selector)
  await page.evaluate(
    ({ how, sent, selector }) => {
      const data = new DataTransfer()
      for (const { name, type, content } of sent) {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
        data.items.add(new File([bytes], name, { type }))
      }
      const options = { bubbles: true, cancelable: true }
      const event =
        how === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data })
      document.querySelector(selector)?.dispatchEvent(event)
    },
    { how, sent, selector },
  )
}
