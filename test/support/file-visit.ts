/** What someone does with files in a browser: drops and pastes them, and waits until they are there. */
import type { Page } from 'playwright-core'
import { sharp } from '../../src/server/media/libvips.ts'

export type BroughtFile = { readonly name: string; readonly type: string; readonly bytes: Buffer }

/** A small picture of its own colour, with the time it was taken. */
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

/** A browser drops nothing where the page does not say, while it is dragged over it, that it would take it. */
async function untilDropsAreTaken(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((selector) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['a'], 'a.jpg', { type: 'image/jpeg' }))
    const over = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer })
    document.querySelector(selector)?.dispatchEvent(over)
    return over.defaultPrevented
  }, selector)
}

/** On the page as a whole, as the browser tells it. */
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
