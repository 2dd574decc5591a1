// Returns true if an IP address is on the public internet. Any address that is not certainly public counts
// as internal and is never connected to for a user.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export function isGlobalAddress(address: string): boolean {
  // A zone ('%eth0') makes the address valid on one link only.
  if (address.includes('%')) return false
  // isIP is checked first: the parser below also accepts octal, hex and shortened forms.
  const family = isIP(address)
  if (family === 4) return isGlobalIPv4(ipaddr.IPv4.parse(address))
  return family === 6 && isGlobalIPv6(ipaddr.IPv6.parse(address))
}

// A public address, but it is the host of an Azure machine and reachable only from that machine.
const AZURE_HOST = '168.63.129.16'

// The only block of public addresses. Mapped, compatible and NAT64 forms, unique-local, link-local,
// site-local, multicast and discard addresses are all outside it.
const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

function isGlobalIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST
}

function isGlobalIPv6(address: ipaddr.IPv6): boolean {
  // 'unicast' excludes 6to4, Teredo, ORCHID, documentation and benchmarking addresses.
  return (
    address.match(GLOBAL_UNICAST_IPV6) && address.range() === 'unicast' && !isIsatap(address.parts)
  )
}

// ISATAP hides an IPv4 address after the interface identifier 0:5efe or 200:5efe (RFC 5214).
function isIsatap(parts: number[]): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}
