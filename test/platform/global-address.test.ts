// The ranges are repeated here from the special-purpose registries, so that a change in the library that
// contains them is noticed.

import { BlockList } from 'node:net'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isGlobalAddress } from '../../src/server/platform/fetch/global-address.ts'

const notGlobalIPv4 = {
  '0.0.0.0/8': ['0.0.0.0', '0.255.255.255'],
  '10.0.0.0/8': ['10.0.0.0', '10.255.255.255'],
  '100.64.0.0/10': ['100.64.0.0', '100.127.255.255'],
  '127.0.0.0/8': ['127.0.0.0', '127.255.255.255'],
  '169.254.0.0/16': ['169.254.0.0', '169.254.255.255'],
  '172.16.0.0/12': ['172.16.0.0', '172.31.255.255'],
  '192.0.0.0/24': ['192.0.0.0', '192.0.0.255'],
  '192.0.2.0/24': ['192.0.2.0', '192.0.2.255'],
  '192.31.196.0/24': ['192.31.196.0', '192.31.196.255'],
  '192.52.193.0/24': ['192.52.193.0', '192.52.193.255'],
  '192.88.99.0/24': ['192.88.99.0', '192.88.99.255'],
  '192.168.0.0/16': ['192.168.0.0', '192.168.255.255'],
  '192.175.48.0/24': ['192.175.48.0', '192.175.48.255'],
  '198.18.0.0/15': ['198.18.0.0', '198.19.255.255'],
  '198.51.100.0/24': ['198.51.100.0', '198.51.100.255'],
  '203.0.113.0/24': ['203.0.113.0', '203.0.113.255'],
  '224.0.0.0/4': ['224.0.0.0', '239.255.255.255'],
  '240.0.0.0/4': ['240.0.0.0', '255.255.255.255'],
  'the Azure host': ['168.63.129.16'],
}

const justOutsideIPv4 = [
  ['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ['128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.1.255', '192.0.3.0'],
  ['192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255'],
  ['198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'],
  ['223.255.255.255', '8.8.8.8', '1.1.1.1'],
].flat()

const notGlobalIPv6 = {
  unspecified: ['::'],
  loopback: ['::1'],
  'IPv4-compatible': ['::7f00:1', '::8.8.8.8'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::', '64:ff9b::8.8.8.8', '64:ff9b::ffff:ffff', '64:ff9b:1::', '64:ff9b:1:ffff::'],
  'discard-only': ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::'],
  unassigned: ['200::1', '400::1', '1000::1', '1fff:ffff::', '4000::', '8000::', 'e000::1'],
  'segment routing': ['5f00::', '5f00:ffff::'],
  Teredo: ['2001::', '2001:0:ffff::'],
  'protocol assignments': ['2001:1::1', '2001:1::2', '2001:1ff:ffff::'],
  benchmarking: ['2001:2::', '2001:2:0:ffff::'],
  'multicast tunnelling': ['2001:3::', '2001:3:ffff::'],
  AS112: ['2001:4:112::', '2001:4:112:ffff::', '2620:4f:8000::', '2620:4f:8000:ffff::'],
  ORCHID: ['2001:10::', '2001:1f:ffff::', '2001:20::', '2001:2f:ffff::', '2001:30::'],
  documentation: ['2001:db8::', '2001:db8:ffff::', '3fff::', '3fff:fff:ffff::'],
  '6to4': ['2002::', '2002:7f00:1::', '2002:808:808::', '2002:ffff::'],
  ISATAP: ['2607:f8b0::5efe:127.0.0.1', '2607:f8b0::200:5efe:10.0.0.1'],
  'unique-local': ['fc00::', 'fd00:ec2::254', 'fdff:ffff::'],
  'link-local': ['fe80::', 'fe80::1', 'febf:ffff::'],
  'site-local': ['fec0::', 'feff:ffff::'],
  multicast: ['ff00::', 'ff02::1', 'ffff:ffff::'],
  zoned: ['fe80::1%eth0', '2607:f8b0:400a:807::200e%eth0'],
}

const justOutsideIPv6 = [
  ['2000::', '2000:ffff::', '2001:200::', '2001:db7:ffff::', '2001:db9::', '2003::'],
  ['2606:2800:220:1:248:1893:25c8:1946', '2607:f8b0:400a:807::200e', '2620:4f:7fff:ffff::'],
  ['2620:4f:8001::', '3ffe:ffff::', '3fff:1000::', '2a00:1450:4001:5efe::5efe:1'],
].flat()

test.each(Object.entries({ ...notGlobalIPv4, ...notGlobalIPv6 }))(
  'no address of %s is global, from the first to the last',
  (_range, addresses) => {
    expect(addresses.filter(isGlobalAddress)).toEqual([])
  },
)

test('the neighbours of the special ranges are global', () => {
  expect([...justOutsideIPv4, ...justOutsideIPv6].filter((it) => !isGlobalAddress(it))).toEqual([])
})

test('what is not an address in plain spelling is not global', () => {
  const spellings = ['', '8.8.8', '134744072', '0x08.8.8.8', '010.8.8.8', '8.8.8.8.', ' 8.8.8.8']
  expect(spellings.concat('[2003::1]', 'example.com', '8.8.8.8/8').filter(isGlobalAddress)).toEqual(
    [],
  )
})

test('an IPv4 address is global exactly where no special range holds it', () => {
  const special = new BlockList()
  for (const addresses of Object.values(notGlobalIPv4)) {
    special.addRange(addresses[0]!, addresses.at(-1)!)
  }
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isGlobalAddress(address)).toBe(!special.check(address))
    }),
    { numRuns: 2_000 },
  )
})

test('no IPv4 address becomes global by being wrapped in an IPv6 one', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a, b, c, d] = address.split('.').map(Number)
      const high = ((a! << 8) | b!).toString(16)
      const low = ((c! << 8) | d!).toString(16)
      const prefixes = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']
      const isatap = ['2a00:1450::5efe:', '2a00:1450::200:5efe:']
      const wrapped = [...prefixes, ...isatap].map((prefix) => prefix + address)
      wrapped.push(`2002:${high}:${low}::1`, `2001:0:${high}:${low}::1`)
      expect(wrapped.filter(isGlobalAddress)).toEqual([])
    }),
    { numRuns: 500 },
  )
})
