// Says whether an IP address belongs to the public internet. Whatever is not certainly public
// counts as ours or our neighbours', and is never connected to on a user's behalf.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export function isGlobalAddress(address: string): boolean {
  // A zone ('%eth0') means that the address says something on one link only.
  if (address.includes('%')) return false
  // isIP first: the parser below would also read octal, hex and shortened spellings.
  const family = isIP(address)
  if (family === 4) return isGlobalIPv4(ipaddr.IPv4.parse(address))
  return family === 6 && isGlobalIPv6(ipaddr.IPv6.parse(address))
}

// Public by its number, but answered by the host of an Azure machine, to that machine alone.
const AZURE_HOST = '168.63.129.16'

// The one block from which public addresses are given out. Mapped, compatible and NAT64 forms,
// unique-local, link-local, site-local, multicast and discard addresses all lie outside it.
const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

function isGlobalIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST
}

function isGlobalIPv6(address: ipaddr.IPv6): boolean {
  // 'unicast' leaves out 6to4, Teredo, ORCHID, documentation and benchmarking addresses.
  return (
    address.match(GLOBAL_UNICAST_IPV6) && address.range() === 'unicast' && !isIsatap(address.parts)
  )
}

// ISATAP hides an IPv4 address behind the interface identifier 0:5efe or 200:5efe (RFC 5214).
function isIsatap(parts: number[]): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}
