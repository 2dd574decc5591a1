/**
 * WebKitGTK, driven by the classic WebDriver: HTTP requests to a driver that starts the browser. The
 * browser draws on a virtual screen of Xvfb, in memory.
 */
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { startBrowserProcess } from './browser-process.ts'
import {
  candidatesOf,
  commandTimeoutMs,
  type Driver,
  type ElementReference,
  type InstalledBrowser,
} from './driver.ts'
import { programPath } from './installed.ts'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
const element = z.object({ [elementKey]: z.string() })

type Request = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

export async function startWebKit(): Promise<InstalledBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-webkit-'))
  // With its own buttons, the window could not be as narrow as a phone.
  await mkdir(join(folder, 'gtk-3.0'))
  await writeFile(
    join(folder, 'gtk-3.0', 'gtk.css'),
    '* { min-width: 0; padding: 0; margin: 0; font-size: 1px; -gtk-icon-transform: scale(0.1); }',
  )
  const screen = startBrowserProcess(
    programPath('Xvfb'),
    ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    {},
  )
  const display = await screen.until((output) => /^\d+$/m.exec(output)?.[0] ?? null)
  const environment = {
    DISPLAY: `:${display}`,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    XDG_DATA_HOME: folder,
  }
  return {
    openWindow: () => openWindow(environment),
    async close() {
      await screen.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A driver has only one WebDriver session at a time, so each window has its own driver. */
async function openWindow(environment: Readonly<Record<string, string>>): Promise<Driver> {
  const port = await freePort()
  const args = [`--port=${port}`, '--host=127.0.0.1']
  const driver = startBrowserProcess(programPath('WebKitWebDriver'), args, environment)
  const server = `http://127.0.0.1:${port}`
  try {
    // The driver does not report when it listens.
    await driver.until(() => ask(`${server}/status`, 'GET').catch(() => null))
    const capabilities = { alwaysMatch: {} }
    const started = await ask(`${server}/session`, 'POST', { capabilities })
    const { sessionId } = z.object({ sessionId: z.string() }).parse(started)
    const request: Request = (method, path, body) =>
      ask(`${server}/session/${sessionId}${path}`, method, body)
    return {
      ...windowOf(request),
      async close() {
        await request('DELETE', '')
        await driver.stop()
      },
    }
  } catch (error) {
    await driver.stop()
    throw error
  }
}

function windowOf(request: Request): Omit<Driver, 'close'> {
  async function call(source: string, target: ElementReference | null, argument: unknown) {
    const script = `
      const [element, text, done] = arguments
      Promise.resolve().then(() => (${source})(element, JSON.parse(text))).then(
        (value) => done({ value: JSON.stringify(value) ?? null }),
        (error) => done({ failure: String(error) }))`
    const args = [target, JSON.stringify(argument ?? null)]
    const answer = await request('POST', '/execute/async', { script, args })
    const { value, failure } = z
      .object({ value: z.string().nullish(), failure: z.string().optional() })
      .parse(answer)
    if (failure !== undefined) throw new Error(`In WebKit: ${failure}`)
    return value === undefined || value === null ? undefined : JSON.parse(value)
  }

  async function query(selector: string) {
    const wanted = { using: 'css selector', value: selector }
    return z.array(element).parse(await request('POST', '/elements', wanted))
  }

  return {
    call,
    query,
    async navigate(url) {
      await request('POST', '/url', { url })
    },
    async locate(role, name) {
      const named: ElementReference[] = []
      for (const one of await query(candidatesOf[role])) {
        const path = `/element/${one[elementKey]}`
        // An element that was removed in the meantime has no name.
        const label = await request('GET', `${path}/computedlabel`).catch(() => null)
        if (label === name) named.push(one)
      }
      return named
    },
    async perform(actions) {
      await request('POST', '/actions', { actions: [actions] })
    },
    async setFiles(field, paths) {
      const id = element.parse(field)[elementKey]
      await request('POST', `/element/${id}/value`, { text: paths.join('\n') })
    },
    async resize({ width, height }) {
      await request('POST', '/window/rect', { x: 0, y: 0, width, height })
      const shown = z.number().parse(await call('() => innerHeight', null, null))
      await request('POST', '/window/rect', { x: 0, y: 0, width, height: height * 2 - shown })
    },
    async capture() {
      return Buffer.from(z.string().parse(await request('GET', '/screenshot')), 'base64')
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function ask(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(commandTimeoutMs),
    ...(body
      ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : {}),
  })
  const { value } = z.object({ value: z.unknown() }).parse(await response.json())
  if (response.ok) return value
  const { error, message } = z.object({ error: z.string(), message: z.string() }).parse(value)
  throw new Error(`WebKit: ${error}: ${message}`)
}
