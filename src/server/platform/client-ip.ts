/**
 * Who is calling, as an address: the peer, or whom a trusted proxy says it speaks for. A header is
 * only as good as its sender, so from anyone else it is not even read.
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
  // The usual request has nobody to name, and such an address is written in one way only.
  if (request.forwardedFor === undefined && isIPv4(request.peer)) return request.peer
  const peer = parseAddress(request.peer)
  // A peer that has hung up, or a Unix socket, has no address: it is passed on as it came.
  if (!peer) return request.peer
  const named = isTrusted(peer, request.trusted) ? firstAddress(request.forwardedFor) : undefined
  return (named ?? peer).toString()
}

/** Headers that only a proxy adds. */
const proxyHeaders = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto']

/**
 * Whether the request comes from this machine, and everybody whom it has passed does. A proxy that
 * does not say for whom it speaks may speak for anyone.
 */
export function isFromThisMachine(peer: string, headers: IncomingHttpHeaders): boolean {
  const forwardedFor = headers['x-forwarded-for']
  if (forwardedFor === undefined && proxyHeaders.some((name) => headers[name] !== undefined))
    return false
  const passed = forwardedFor === undefined ? [] : String(forwardedFor).split(',')
  return [peer, ...passed].every((address) => isLoopbackAddress(address.trim()))
}

export function isLoopbackAddress(text: string): boolean {
  return parseAddress(text)?.range() === 'loopback'
}

/** What limits count by: an IPv4 address, or the /64 that one IPv6 customer commonly has whole. */
export function limitAddress(ip: string): string {
  const address = parseAddress(ip)
  if (address?.kind() !== 'ipv6') return address?.toString() ?? ip
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`
}

/** The complaint is worded to follow the name of the setting. */
export function parseTrustedProxies(setting: string | undefined): TrustedProxies {
  const text = setting?.trim() ?? defaultRanges
  if (text === 'none') return []
  return text.split(',').map((range) => parseRange(range.trim()))
}

const defaultRanges = '127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1/128,fc00::/7'

function parseRange(text: string): Range {
  const [network = '', prefix, ...rest] = text.split('/')
  const address = isIP(network) ? ipaddr.parse(dropZone(network)) : undefined
  const mostBits = address?.kind() === 'ipv4' ? 32 : 128
  const bits = prefix === undefined ? mostBits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN
  if (!address || rest.length > 0 || !(bits <= mostBits)) {
    throw new Error(`must be 'none' or comma-separated CIDRs such as 10.0.0.0/8, not '${text}'`)
  }
  if (!isMapped(address)) return [address, bits]
  // Peers are compared in their IPv4 form, so a range of mapped addresses has to be one as well.
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

/** node:net is the judge of what an address is: ipaddr.js also takes '1', '0x7f.1' and octal. */
function parseAddress(text: string): Address | undefined {
  if (!isIP(text)) return undefined
  const address = ipaddr.parse(dropZone(text))
  return isMapped(address) ? address.toIPv4Address() : address
}

/** The zone of a link-local address is a name of our own network card, not part of who calls. */
const dropZone = (text: string) => text.replace(/%.*$/s, '')

function isMapped(address: Address): address is ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
}

/**
 * Which names a development start answers to. A page anywhere can point a name of its own at this
 * machine and then read whatever answers under it; so names other than this machine's own, and the
 * one that its links have, are refused. `host` is as the header has it, with or without a port.
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
