/** Firefox, driven by WebDriver BiDi: JSON over a WebSocket that the browser opens. */
import { mkdtemp, rm } from 'node:fs/promises'
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

const message = z.object({
  id: z.int().nullish(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
})

const evaluated = z.union([
  z.object({
    type: z.literal('success'),
    result: z.object({ value: z.string().optional() }),
  }),
  z.object({ type: z.literal('exception'), exceptionDetails: z.object({ text: z.string() }) }),
])

type Send = (method: string, params: object) => Promise<unknown>

export async function startFirefox(): Promise<InstalledBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'lanternist-firefox-'))
  const firefox = startBrowserProcess(
    programPath('firefox-esr'),
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { HOME: profile },
  )
  const address = await firefox.until(
    (output) => /WebDriver BiDi listening on (ws:\S+)\n/.exec(output)?.[1] ?? null,
  )
  const connection = await connect(`${address}/session`)
  await connection.send('session.new', { capabilities: {} })
  return {
    openWindow: () => openWindow(connection.send),
    async close() {
      connection.close()
      await firefox.stop()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function openWindow(send: Send): Promise<Driver> {
  const { userContext } = z
    .object({ userContext: z.string() })
    .parse(await send('browser.createUserContext', {}))
  const { context } = z
    .object({ context: z.string() })
    .parse(await send('browsingContext.create', { type: 'window', userContext }))

  async function call(source: string, element: ElementReference | null, argument: unknown) {
    const answer = await send('script.callFunction', {
      functionDeclaration: `async (element, text) =>
        JSON.stringify(await (${source})(element, JSON.parse(text)))`,
      arguments: [
        element ?? { type: 'null' },
        { type: 'string', value: JSON.stringify(argument ?? null) },
      ],
      target: { context },
      awaitPromise: true,
      userActivation: false,
    })
    const told = evaluated.parse(answer)
    if (told.type === 'exception') throw new Error(`In Firefox: ${told.exceptionDetails.text}`)
    return told.result.value === undefined ? undefined : JSON.parse(told.result.value)
  }

  async function locateNodes(locator: object): Promise<ElementReference[]> {
    const { nodes } = z
      .object({ nodes: z.array(z.object({ sharedId: z.string() })) })
      .parse(await send('browsingContext.locateNodes', { context, locator }))
    return nodes.map(({ sharedId }) => ({ sharedId }))
  }

  return {
    call,
    async navigate(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    query: (selector) => locateNodes({ type: 'css', value: selector }),
    async locate(role, name) {
      // A field may have any role or none; password fields have none.
      const value = role === 'field' ? { name } : { role, name }
      const found = await locateNodes({ type: 'accessibility', value })
      if (role !== 'field') return found
      const matches = `(element) => element.matches(${JSON.stringify(candidatesOf.field)})`
      const are = await Promise.all(found.map((node) => call(matches, node, null)))
      return found.filter((_, at) => are[at] === true)
    },
    async perform(actions) {
      await send('input.performActions', { context, actions: [actions] })
    },
    async setFiles(field, paths) {
      await send('input.setFiles', { context, element: field, files: paths })
    },
    async resize(viewport) {
      await send('browsingContext.setViewport', { context, viewport })
    },
    async capture() {
      const answer = await send('browsingContext.captureScreenshot', { context })
      return Buffer.from(z.object({ data: z.string() }).parse(answer).data, 'base64')
    },
    async close() {
      await send('browser.removeUserContext', { userContext })
    },
  }
}

async function connect(url: string): Promise<{ send: Send; close(): void }> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const failAll = () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox closed the connection'))
  }
  socket.addEventListener('close', failAll)
  socket.addEventListener('message', (event) => {
    const told = message.parse(JSON.parse(String(event.data)))
    const asked = waiting.get(told.id ?? -1)
    if (told.error === undefined) asked?.resolve(told.result)
    else asked?.reject(new Error(`Firefox: ${told.error}: ${told.message ?? ''}`))
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`no connection to ${url}`)))
  })
  let lastId = 0
  return {
    async send(method, params) {
      lastId += 1
      const id = lastId
      const asked = Promise.withResolvers<unknown>()
      waiting.set(id, asked)
      const timer = setTimeout(
        () => asked.reject(new Error(`Firefox did not answer ${method}`)),
        commandTimeoutMs,
      )
      socket.send(JSON.stringify({ id, method, params }))
      try {
        return await asked.promise
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
      }
    },
    close: () => socket.close(),
  }
}
