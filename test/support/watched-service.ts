/**
 * The service, which records each of its connections as a line of JSON in the file that CONNECTIONS names. It
 * connects only to loopback: a public address is recorded and then refused. Host names resolve first to a
 * public address and later to loopback, as in DNS rebinding.
 */
import { appendFileSync } from 'node:fs'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import type { LookupFunction } from 'node:net'

const file = process.env['CONNECTIONS'] ?? ''
const publicAddress = '93.184.215.14'
const asked = new Map<string, number>()

const note = (address: string, port: unknown) =>
  appendFileSync(file, `${JSON.stringify({ address, port: Number(port) })}\n`)

const lookup: LookupFunction = (hostname, options, callback) => {
  const times = (asked.get(hostname) ?? 0) + 1
  asked.set(hostname, times)
  const embedded = /(?:^|[.-])(\d{1,3}(?:[.-]\d{1,3}){3})(?=[.-])/.exec(hostname)?.[1]
  const isLocal = /local|^(spoofed|rebind)/.test(hostname)
  const named = embedded?.replaceAll('-', '.') ?? (isLocal ? '127.0.0.1' : publicAddress)
  const rebound = times % 2 === 1 ? named : '127.0.0.1'
  const address = net.isIP(hostname) === 0 ? rebound : hostname
  const family = net.isIP(address)
  setImmediate(() =>
    options.all ? callback(null, [{ address, family }]) : callback(null, address, family),
  )
}

Object.assign(dns, { lookup })
syncBuiltinESMExports()

type Options = { host?: string; port?: unknown; path?: string; lookup?: LookupFunction }

const connect: unknown = Reflect.get(net.Socket.prototype, 'connect')
if (typeof connect !== 'function') throw new Error('sockets do not connect')

Object.assign(net.Socket.prototype, {
  connect(this: net.Socket, ...given: unknown[]): unknown {
    const [first] = given
    // Internal calls of Node pass normalised arguments as an array.
    const options = (Array.isArray(first) ? first[0] : first) as Options
    if (typeof options !== 'object' || options.path !== undefined)
      return Reflect.apply(connect, this, given)
    const { host = 'localhost', port, lookup: resolve = lookup } = options
    if (net.isIP(host)) {
      note(host, port)
      if (!isLoopback(host)) options.host = '127.0.0.1'
      if (!isLoopback(host)) options.port = 1
    } else {
      options.lookup = (hostname, how, callback) =>
        resolve(hostname, how, (error, answer, family) => {
          if (error) return callback(error, answer, family)
          const found = typeof answer === 'string' ? [{ address: answer }] : answer
          for (const { address } of found) note(address, port)
          const refused = { address: '127.0.0.2', family: 4 }
          if (how.all) callback(null, [refused])
          else callback(null, refused.address, refused.family)
        })
    }
    return Reflect.apply(connect, this, given)
  },
})

function isLoopback(host: string): boolean {
  return host === '127.0.0.1'
}

await import('../../src/server/main.ts')
