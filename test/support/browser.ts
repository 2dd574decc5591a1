/**
 * A real Chromium for the browser tests. On x64 it comes from npm alone: a package for AWS Lambda contains
 * it, compressed, with its libraries. It is unpacked once into the temporary folder, with its own font
 * configuration, so that every machine renders the same page. On other processors the tests use the system's
 * Chromium with the same fonts. Both are the headless shell, which takes a third less processor time.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { witnessPageCall } from './contract-check.ts'
import { patienceMs } from './eventually.ts'

type BrowserOptions = {
  readonly hasScrollbars?: boolean
  /** A site that the browser resolves to this machine: its name, and the address where it listens. */
  readonly site?: { readonly name: string; readonly url: string }
}

/**
 * Returns the browser that all files of a test process share: a start costs a second of processor time. Its
 * `close` closes the pages that the file has opened; the browser ends with the process. A browser with other
 * options is started for the caller alone.
 */
export async function openBrowser(options?: BrowserOptions): Promise<Browser> {
  if (options) return launchBrowser(options)
  shared ??= launchBrowser({}).then((browser) => {
    browser.close = async () => {
      await Promise.all(browser.contexts().map((context) => context.close()))
    }
    return browser
  })
  return shared
}

let shared: Promise<Browser> | undefined

async function launchBrowser({ hasScrollbars = false, site }: BrowserOptions): Promise<Browser> {
  const folder = await unpackChromium()
  const isShipped = process.arch === 'x64'
  const browser = await chromium.launch({
    executablePath: isShipped ? join(folder, 'chromium') : systemChromium,
    args: [
      ...browserArguments,
      ...(site ? [`--host-resolver-rules=MAP ${site.name} ${new URL(site.url).host}`] : []),
    ],
    ignoreDefaultArgs: hasScrollbars ? ['--hide-scrollbars'] : [],
    env: {
      ...process.env,
      ...(isShipped ? { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } : {}),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  })
  // A service worker would bypass the routes with which tests replace responses, so only tests of workers
  // have one.
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(patienceMs)
    if (options?.serviceWorkers !== 'allow')
      await context.addInitScript('delete Navigator.prototype.serviceWorker')
    return context
  }
  browser.on('context', (context) => {
    context.on('response', (response) =>
      witnessPageCall(response.request().method(), response.url(), response.status()),
    )
    // A download fires no 'response' event.
    context.on('page', (page) =>
      page.on('download', (download) => witnessPageCall('GET', download.url(), 200)),
    )
  })
  return browser
}

const systemChromium = '/usr/bin/chromium-headless-shell'

// Our own list: the package's list disables web security, and with it the Content-Security-Policy and the
// same-origin checks that these tests must see.
const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
]

let unpacked: Promise<string> | undefined

/** Returns the folder with the unpacked browser. Parallel test files share one unpacking. */
function unpackChromium(): Promise<string> {
  unpacked ??= unpackOnce()
  return unpacked
}

async function unpackOnce(): Promise<string> {
  const folder = join(tmpdir(), `lanternist-chromium-${await packageVersion()}`)
  if (existsSync(folder)) return folder
  const staging = await mkdtemp(`${folder}-`)
  try {
    await unpackInto(staging)
    await writeFile(join(staging, 'fonts.conf'), fontConfiguration(folder))
    await rename(staging, folder)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    // Another process may have finished first: an existing folder is always complete.
    if (!existsSync(folder)) throw error
  }
  return folder
}

/**
 * Unpacks in another process, because the package reads its target folder and libraries from environment
 * variables that the tests must not inherit.
 */
async function unpackInto(folder: string): Promise<void> {
  const script = `
    const { default: chromium } = await import('@sparticuz/chromium')
    await chromium.executablePath()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
  })
}

async function packageVersion(): Promise<string> {
  const packageUrl = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'))
  const { version } = JSON.parse(await readFile(packageUrl, 'utf8')) as { version: string }
  return version
}

function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`
}
