import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientIp, limitAddress, parseTrustedProxies } from '../../src/server/platform/client-ip.ts'

const byDefault = parseTrustedProxies(undefined)
const nobody = parseTrustedProxies('none')

const ask = (peer: string, forwardedFor?: string | string[], trusted = byDefault) =>
  clientIp({ peer, forwardedFor, trusted })

const believes = (setting: string, peer: string) =>
  ask(peer, '203.0.113.9', parseTrustedProxies(setting)) === '203.0.113.9'

const spell = (groups: number[]) => groups.map((group) => group.toString(16)).join(':')

const fourGroups = fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 1, max: 65_535 })))

describe('the client of a request', () => {
  test.each([
    ['127.0.0.1', '203.0.113.9'],
    ['127.8.8.8', '203.0.113.9'],
    ['10.1.2.3', '203.0.113.9'],
    ['172.16.0.1', '203.0.113.9'],
    ['172.31.255.255', '203.0.113.9'],
    ['192.168.1.1', '203.0.113.9'],
    ['::1', '203.0.113.9'],
    ['fd12::1', '203.0.113.9'],
    ['::ffff:127.0.0.1', '203.0.113.9'],
    ['::ffff:a01:203', '203.0.113.9'],
    ['172.32.0.1', '172.32.0.1'],
    ['172.15.255.255', '172.15.255.255'],
    ['11.0.0.1', '11.0.0.1'],
    ['198.51.100.7', '198.51.100.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['fe80::1', 'fe80::1'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
  ])('the peer %s with a header naming another is %s by default', (peer, client) => {
    expect(ask(peer, '203.0.113.9')).toBe(client)
  })

  test('without a header the client is the peer, mapped addresses in their IPv4 form', () => {
    expect(ask('127.0.0.1')).toBe('127.0.0.1')
    expect(ask('::ffff:127.0.0.1')).toBe('127.0.0.1')
    expect(ask('2001:DB8:0:0::1')).toBe('2001:db8::1')
    expect(ask('fe80::1%eth0')).toBe('fe80::1')
  })

  test('is the first address of the header, in any notation', () => {
    expect(ask('10.0.0.1', '203.0.113.9, 10.0.0.7')).toBe('203.0.113.9')
    expect(ask('10.0.0.1', ' 203.0.113.9 ,10.0.0.7')).toBe('203.0.113.9')
    expect(ask('10.0.0.1', ['203.0.113.9', '198.51.100.1'])).toBe('203.0.113.9')
    expect(ask('10.0.0.1', ['203.0.113.9, 192.0.2.1', '198.51.100.1'])).toBe('203.0.113.9')
    expect(ask('10.0.0.1', '2001:DB8::0001')).toBe('2001:db8::1')
    expect(ask('10.0.0.1', '::ffff:203.0.113.9')).toBe('203.0.113.9')
  })

  test.each([
    '',
    ' ',
    ',203.0.113.9',
    'unknown',
    'unknown, 203.0.113.9',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.9:80',
    '[2001:db8::1]:80',
    '0xcb007109',
    '0313.0.0161.9',
    '3405803785',
    '127.1',
    '2001:db8:::1',
    '203.0.113.9/32',
    '203.0.113.9 198.51.100.1',
    'localhost',
    '<script>',
  ])('with a header of "%s" is the peer', (header) => {
    expect(ask('10.0.0.1', header)).toBe('10.0.0.1')
    expect(ask('10.0.0.1', [header, '203.0.113.9'])).toBe('10.0.0.1')
  })

  test('an empty list of lines is no header', () => {
    expect(ask('10.0.0.1', [])).toBe('10.0.0.1')
  })

  test('without trusted proxies is always the peer', () => {
    expect(ask('127.0.0.1', '203.0.113.9', nobody)).toBe('127.0.0.1')
    expect(ask('::1', '203.0.113.9', nobody)).toBe('::1')
  })

  test('a peer without an address is passed on and never trusted', () => {
    expect(ask('', '203.0.113.9')).toBe('')
    expect(ask('/run/socket', '203.0.113.9')).toBe('/run/socket')
  })

  test('of an untrusted peer is the peer, for any header', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.array(fc.string())), (header) => {
        expect(ask('198.51.100.7', header)).toBe('198.51.100.7')
      }),
    )
  })

  test('of a trusted proxy is always an address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4Extended(), fc.ipV6()), (header) => {
        expect(ask('10.0.0.1', header)).toMatch(/^[0-9a-f.:]+$/)
      }),
    )
  })
})

describe('the key of limits', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['2001:db8::ffff:1', '2001:db8::/64'],
    ['::1', '::/64'],
    ['', ''],
  ])('%s is %s', (ip, counted) => {
    expect(limitAddress(ip)).toBe(counted)
  })

  test('the last 64 bits make no difference, the first 64 always do', () => {
    fc.assert(
      fc.property(fourGroups, fourGroups, fourGroups, (network, one, other) => {
        const counted = limitAddress(spell([...network, ...one]))
        expect(limitAddress(spell([...network, ...other]))).toBe(counted)
        const neighbour = network.with(3, network[3]! ^ 1)
        expect(limitAddress(spell([...neighbour, ...one]))).not.toBe(counted)
      }),
    )
  })
})

describe('the setting of trusted proxies', () => {
  test('ranges of both families, with or without space and host bits', () => {
    const setting = '198.51.100.0/24, 2001:db8::/32,192.0.2.77/31'
    expect(believes(setting, '198.51.100.200')).toBe(true)
    expect(believes(setting, '198.51.101.1')).toBe(false)
    expect(believes(setting, '2001:db8:ffff::1')).toBe(true)
    expect(believes(setting, '2001:db9::1')).toBe(false)
    expect(believes(setting, '192.0.2.76')).toBe(true)
    expect(believes(setting, '192.0.2.78')).toBe(false)
    expect(believes(setting, '127.0.0.1')).toBe(false)
  })

  test('a single address is a range of one', () => {
    expect(believes('198.51.100.7', '198.51.100.7')).toBe(true)
    expect(believes('198.51.100.7', '198.51.100.8')).toBe(false)
    expect(believes('2001:db8::1', '2001:db8::1')).toBe(true)
    expect(believes('2001:db8::1', '2001:db8::2')).toBe(false)
  })

  test('/0 means everyone of its family and nobody of the other', () => {
    expect(believes('0.0.0.0/0', '8.8.8.8')).toBe(true)
    expect(believes('0.0.0.0/0', '2001:db8::1')).toBe(false)
    expect(believes('::/0', '2001:db8::1')).toBe(true)
    expect(believes('::/0', '8.8.8.8')).toBe(false)
  })

  test('a range of mapped addresses is the IPv4 range', () => {
    expect(believes('::ffff:198.51.100.0/120', '198.51.100.9')).toBe(true)
    expect(believes('::ffff:198.51.100.0/120', '::ffff:198.51.101.9')).toBe(false)
    expect(() => parseTrustedProxies('::ffff:0:0/90')).toThrow('in their IPv4 form')
  })

  test.each([
    ['', ''],
    ['  ', ''],
    ['10.0.0.0/33', '10.0.0.0/33'],
    ['::/129', '::/129'],
    ['10.0.0.0/-1', '10.0.0.0/-1'],
    ['10.0.0.0/8/8', '10.0.0.0/8/8'],
    ['10.0.0.0/', '10.0.0.0/'],
    ['10.0.0.0/8.0', '10.0.0.0/8.0'],
    ['10.0.0.0/255.0.0.0', '10.0.0.0/255.0.0.0'],
    ['10/8', '10/8'],
    ['proxy.example', 'proxy.example'],
    ['10.0.0.0/8,', ''],
    ['10.0.0.0/8,none', 'none'],
    ['None', 'None'],
    ['loopback', 'loopback'],
    ['10.0.0.0/8;192.168.0.0/16', '10.0.0.0/8;192.168.0.0/16'],
  ])('"%s" is refused, naming "%s"', (setting, named) => {
    expect(() => parseTrustedProxies(setting)).toThrow(
      `must be 'none' or comma-separated CIDRs such as 10.0.0.0/8, not '${named}'`,
    )
  })
})
