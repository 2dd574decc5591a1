/** Actions on the import page in a browser. */
import type { Page } from 'playwright-core'

export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  await page.getByLabel('A file to import').waitFor({ state: 'attached' })
  await page.evaluate(
    ([name = '', text = '']) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], name, { type: 'text/plain' }))
      document
        .querySelector('.drop-zone')
        ?.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
    },
    [name, text],
  )
}

export async function drag(
  page: Page,
  type: 'dragover' | 'drop',
  selector: string,
  content: Record<string, string>,
): Promise<void> {
  await page.evaluate(
    ({ type, selector, content }) => {
      const dataTransfer = new DataTransfer()
      for (const [format, text] of Object.entries(content)) dataTransfer.setData(format, text)
      document
        .querySelector(selector)
        ?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
    },
    { type, selector, content },
  )
}

/** Returns a Reddit listing: two pictures and an article. */
export function listing(urlOf: (path: string) => string) {
  const post = (id: string, url: string) => ({
    kind: 't3',
    data: {
      id,
      name: `t3_${id}`,
      title: `Harbour ${id}`,
      subreddit: 'harbours',
      permalink: `/r/harbours/comments/${id}/harbour/`,
      url,
      over_18: false,
      is_self: false,
    },
  })
  const children = [
    post('a', urlOf('/1.jpg')),
    post('b', urlOf('/2.jpg')),
    post('c', 'https://example.com/an-article'),
  ]
  return { kind: 'Listing', data: { children, after: null } }
}

/** Delays import requests until the returned function is called. */
export async function holdImports(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route('**/api/sessions/import-joip', async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}
