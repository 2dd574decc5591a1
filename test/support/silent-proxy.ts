/**
 * Stands before a server and can fall silent, as a broken network does: connections stay open and are
 * still accepted, and not a byte comes through in either direction. What was sent meanwhile arrives
 * when the silence ends, late COMMITs too. It can also refuse, reset, or bring every answer late.
 */
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

export type SilentProxy = {
  readonly port: number
  /** How many are open, heard or not. */
  readonly connections: number
  /** `kept`: only the connections that there are now; new ones get through. */
  silence(which?: 'all' | 'kept'): void
  /** Falls silent when a client sends this text, before it has passed. */
  silenceAt(text: string): void
  /** `late`: answers come two seconds after they were given. */
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
  /** What came in the moment in which it fell silent. */
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
    // What one side has sent before it hung up still reaches the other.
    client.on('end', () => server.end())
    server.on('end', () => client.end())
    for (const socket of [client, server])
      socket.on('error', end).on('close', (hadError) => hadError && end())
    // A socket that was paused from the start stays so until it is told.
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
