/**
 * Which names a development start answers to. A page anywhere can point a name of its own at this
 * machine and then read whatever answers under it; so names other than this machine's own, and the
 * one that its links have, are refused.
 */
import { isLoopbackAddress } from './client-ip.ts'

/** `host` as the header has it, with or without a port. */
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
