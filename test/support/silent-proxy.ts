/**
 * A proxy before a server that can become silent, like a broken network: connections stay open and are still
 * accepted, but no byte passes in either direction. Data sent meanwhile arrives when the silence ends,
 * including late COMMITs. It can also refuse, reset, or delay every response.
 */
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

export type SilentProxy = {
  readonly port: number
  /** The number of open connections, silent or not. */
  readonly connections: number
  /** `kept`: only the existing connections; new ones work. */
  silence(which?: 'all' | 'kept'): void
  /** Becomes silent when a client sends this text, before it is forwarded. */
  silenceAt(text: string): void
  /** `late`: responses are delayed by two seconds. */
  fail(how: Failing): void
  resume(): void
  close(): Promise<void>
}

export const waysToFail = ['refused', 'reset', 'silent', 'late'] as const

export type Failing = (typeof waysToFail)[number]

const lateMs = 2000

type Link = {
  readonly client: Socket
  server: Socket | null
  isSilent: boolean
  /** Data that arrived at the moment of the silence. */
  held: Buffer | null
}

export async function startSilentProxy(serverPort: number): Promise<SilentProxy> {
  const links = new Set<Link>()
  let isSilent = false
  let lastWords: string | null = null
  let failing: Failing | null = null

  const silence = (which: 'all' | 'kept') => {
    isSilent = which === 'all'
    for (const link of links) {
      link.isSilent = true
      link.client.pause()
      link.server?.pause()
    }
  }
  const relay = (link: Link) => {
    const { client } = link
    link.isSilent = false
    if (link.server) {
      if (link.held) link.server.write(link.held)
      link.held = null
      client.resume()
      link.server.resume()
      return
    }
    const server = connect(serverPort, '127.0.0.1')
    link.server = server
    server.setNoDelay()
    const end = () => {
      client.destroy()
      server.destroy()
    }
    client.on('data', (chunk) => {
      if (lastWords === null || !chunk.includes(lastWords)) return void server.write(chunk)
      lastWords = null
      link.held = chunk
      silence('all')
    })
    server.on('data', (chunk) => {
      if (failing === 'late') setTimeout(() => client.write(chunk), lateMs)
      else client.write(chunk)
    })
    // Data that one side sent before it hung up still reaches the other.
    client.on('end', () => server.end())
    server.on('end', () => client.end())
    for (const socket of [client, server])
      socket.on('error', end).on('close', (hadError) => hadError && end())
    // A socket that was paused from the start stays paused until resume().
    client.resume()
  }
  const listener = createServer({ pauseOnConnect: true }, (client) => {
    const link: Link = { client, server: null, isSilent, held: null }
    client.on('error', () => client.destroy())
    if (failing === 'reset') return void client.resetAndDestroy()
    client.setNoDelay()
    client.on('close', () => links.delete(link))
    links.add(link)
    if (!isSilent) relay(link)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo

  return {
    port,
    get connections() {
      return links.size
    },
    silence: (which = 'all') => silence(which),
    silenceAt: (text) => void (lastWords = text),
    fail(how) {
      failing = how
      if (how === 'silent') silence('all')
      if (how === 'refused') listener.close()
      if (how === 'refused' || how === 'reset')
        for (const { client, server } of links) {
          client.resetAndDestroy()
          server?.destroy()
        }
    },
    resume() {
      if (!listener.listening) listener.listen(port, '127.0.0.1')
      failing = null
      isSilent = false
      for (const link of links) if (link.isSilent) relay(link)
    },
    async close() {
      for (const { client, server } of links) {
        client.destroy()
        server?.destroy()
      }
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
