/**
 * Finds the client's IP address: the peer, or the client that a trusted proxy names. A header is only as
 * reliable as its sender, so it is read only if the peer is a trusted proxy.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type TrustedProxies = readonly Range[]

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [network: Address, prefixBits: number]

export function clientIp(request: {
  peer: string
  forwardedFor: string | string[] | undefined
  trusted: TrustedProxies
}): string {
  // Most requests name no other client, and an IPv4 peer address needs no normalizing.
  if (request.forwardedFor === undefined && isIPv4(request.peer)) return request.peer
  const peer = parseAddress(request.peer)
  // A peer that has hung up, or a Unix socket, has no address. Its value is returned unchanged.
  if (!peer) return request.peer
  const named = isTrusted(peer, request.trusted) ? firstAddress(request.forwardedFor) : undefined
  return (named ?? peer).toString()
}

/** Headers that only a proxy adds. */
const proxyHeaders = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto']

/**
 * Returns true if the peer and every address in X-Forwarded-For are on this machine. A proxy that names no
 * client could forward for anyone, so its requests do not count as local.
 */
export function isLocalRequest(peer: string, headers: IncomingHttpHeaders): boolean {
  const forwardedFor = headers['x-forwarded-for']
  if (forwardedFor === undefined && proxyHeaders.some((name) => headers[name] !== undefined))
    return false
  const passed = forwardedFor === undefined ? [] : String(forwardedFor).split(',')
  return [peer, ...passed].every((address) => isLoopbackAddress(address.trim()))
}

export function isLoopbackAddress(text: string): boolean {
  return parseAddress(text)?.range() === 'loopback'
}

/** Returns the key of rate limits: an IPv4 address, or the /64 that an IPv6 customer usually has. */
export function limitAddress(ip: string): string {
  const address = parseAddress(ip)
  if (address?.kind() !== 'ipv6') return address?.toString() ?? ip
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`
}

/** Parses the setting. The error message continues after the name of the setting. */
export function parseTrustedProxies(setting: string | undefined): TrustedProxies {
  const text = setting?.trim() ?? defaultRanges
  if (text === 'none') return []
  return text.split(',').map((range) => parseRange(range.trim()))
}

const defaultRanges = '127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1/128,fc00::/7'

function parseRange(text: string): Range {
  const [network = '', prefix, ...rest] = text.split('/')
  const address = isIP(network) ? ipaddr.parse(dropZone(network)) : undefined
  const maxBits = address?.kind() === 'ipv4' ? 32 : 128
  const bits = prefix === undefined ? maxBits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN
  if (!address || rest.length > 0 || !(bits <= maxBits)) {
    throw new Error(`must be 'none' or comma-separated CIDRs such as 10.0.0.0/8, not '${text}'`)
  }
  if (!isMapped(address)) return [address, bits]
  // Peers are compared in IPv4 form, so ranges of mapped addresses are converted too.
  if (bits < 96) throw new Error(`must name IPv4 ranges in their IPv4 form, not '${text}'`)
  return [address.toIPv4Address(), bits - 96]
}

function isTrusted(peer: Address, trusted: TrustedProxies): boolean {
  return trusted.some(
    ([network, prefixBits]) => network.kind() === peer.kind() && peer.match(network, prefixBits),
  )
}

function firstAddress(header: string | string[] | undefined): Address | undefined {
  const [line] = Array.isArray(header) ? header : [header]
  return parseAddress(line?.split(',', 1)[0]?.trim() ?? '')
}

/** Uses node:net to decide what an address is: ipaddr.js also accepts '1', '0x7f.1' and octal. */
function parseAddress(text: string): Address | undefined {
  if (!isIP(text)) return undefined
  const address = ipaddr.parse(dropZone(text))
  return isMapped(address) ? address.toIPv4Address() : address
}

/** Removes the zone of a link-local address: it names our network card and not the client. */
const dropZone = (text: string) => text.replace(/%.*$/s, '')

function isMapped(address: Address): address is ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
}

/**
 * Returns true if a development server answers to this host name. Any web page can point a DNS name at this
 * machine and then read the answers under that name (DNS rebinding). So only names of this machine and the
 * host of `baseUrl` are accepted. `host` is the raw header, with or without a port.
 */
export function isKnownHost(host: string | undefined, baseUrl: string): boolean {
  const address = `http://${host ?? ''}`
  if (!URL.canParse(address)) return false
  const named = new URL(address)
  return isLoopbackHost(named.hostname) || named.host === new URL(baseUrl).host
}

export function isLoopbackHost(hostname: string): boolean {
  const name = hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)
}
