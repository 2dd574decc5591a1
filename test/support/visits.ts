/** Browser contexts on a real service, signed in or not. */
import type {
  APIRequestContext,
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Page,
} from 'playwright-core'

export type Visit = {
  readonly context: BrowserContext
  readonly page: Page
  /** Opens an address of the site and waits for its heading. */
  readonly open: (path: string) => Promise<void>
  /** The browser's errors and warnings, including violations of the content policy. */
  readonly errors: string[]
}

export function createVisits(browser: Browser, url: string) {
  const contexts: BrowserContext[] = []

  async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      locale: 'en-GB',
      ...options,
    })
    contexts.push(context)
    const page = await context.newPage()
    const open = async (path: string) => {
      await page.goto(url + path)
      await page.locator('h1:not([data-loading])').first().waitFor()
    }
    return { context, page, open, errors: collectErrors(page) }
  }

  /** Signs in a development account, which can pay for a few sessions. */
  async function signedIn(account: 1 | 2 | 3, options: BrowserContextOptions = {}) {
    const visited = await visit(options)
    await visited.context.request.get(`${url}/api/dev-login?account=${account}`)
    return visited
  }

  /** Signs in a development account for API requests without a page, because a page costs a process. */
  async function asking(account: 1 | 2 | 3): Promise<APIRequestContext> {
    const context = await browser.newContext()
    contexts.push(context)
    await context.request.get(`${url}/api/dev-login?account=${account}`)
    return context.request
  }

  async function closeAll() {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  }

  return { visit, signedIn, asking, closeAll }
}

function collectErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // The browser logs every refused response itself; a 401 only means that the visitor is not signed in.
    if (message.text().startsWith('Failed to load resource')) return
    errors.push(message.text())
  })
  return errors
}
