// Refusals of a URL before any connection.

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isGlobalAddress } from '../../src/server/platform/fetch/global-address.ts'
import { refuseUrl } from '../../src/server/platform/fetch/user-url.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

const refusal = (url: string, allow: string[] = []) => refuseUrl(url, allow)?.reason ?? 'none'

test.each([
  ['https://example.com/picture.jpg', 'none'],
  ['  https://example.com/picture.jpg\n', 'none'],
  ['https://example.com./', 'none'],
  ['http://8.8.8.8:8080/', 'none'],
  ['http://[2606:2800:220:1:248:1893:25c8:1946]/', 'none'],
  ['http://localhost.example.com/', 'none'],
  ['', 'invalid_url'],
  ['//example.com/', 'invalid_url'],
  ['example.com', 'invalid_url'],
  ['http://', 'invalid_url'],
  ['\u0000http://example.com/', 'invalid_url'],
  ['ftp://example.com/', 'scheme'],
  ['data:image/png;base64,AAAA', 'scheme'],
  ['file:///etc/hostname', 'scheme'],
  ['blob:http://example.com/1', 'scheme'],
])('%j is judged: %s', (url, reason) => {
  expect(refusal(url)).toBe(reason)
})

test('userinfo is refused, an empty or a hidden one too', () => {
  const authorities = ['user:pass@example.com', 'user@example.com', '@example.com', ':@example.com']
  const urls = authorities.map((authority) => `http://${authority}/`)
  urls.push('http:/\t/user@example.com/', 'http:\\\\user@example.com/', 'http:user@example.com')
  expect(urls.filter((url) => refusal(url) !== 'invalid_url')).toEqual([])
})

test('an at sign after the host is no userinfo', () => {
  expect(refusal('https://example.com/@name?mail=a@b#@')).toBe('none')
})

test('names that mean the machine or its neighbourhood are refused', () => {
  const hosts = ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.localhost.', 'router']
  const more = ['printer.local', 'metadata.google.internal', 'nas.home.arpa', 'a.localdomain']
  const odd = ['ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', '%6cocalhost', '.', 'example.com..', 'example..com', '.example.com']
  const refused = [...hosts, ...more, ...odd].filter((it) => refusal(`http://${it}/`) === 'host')
  expect(refused).toEqual([...hosts, ...more, ...odd])
})

test('an IPv4 address in any spelling but the plain one is refused, a public one too', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number]
      const dword = ((a * 256 + b) * 256 + c) * 256 + d
      const hex = [a, b, c, d].map((it) => `0x${it.toString(16)}`).join('.')
      const octal = [a, b, c, d].map((it) => `0${it.toString(8)}`).join('.')
      const short = `${a}.${b}.${c * 256 + d}`
      const fullWidth = address.replaceAll(/\d/g, (it) => String.fromCodePoint(0xff10 + Number(it)))
      const escaped = address.replace(/\d/, (it) => `%3${it}`)
      const spellings = [`${dword}`, `0x${dword.toString(16)}`, hex, octal, short, fullWidth]
      const all = [...spellings, escaped, address.replaceAll('.', '。'), `${address}.`]
      expect(all.filter((it) => refusal(`http://${it}/?${address}`) !== 'host')).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('an allowed pair is let through, and nothing beside it', () => {
  const allow = ['127.0.0.1:8080', 'localhost:9000', '[::1]:80', 'store:443']
  const passing = ['http://127.0.0.1:8080/a', 'https://127.0.0.1:8080/', 'http://localhost:9000/']
  const alsoPassing = ['http://LOCALHOST.:9000/', 'http://[::1]/', 'http://[0:0::1]:80/']
  for (const url of [...passing, ...alsoPassing, 'https://store/']) {
    expect([url, refusal(url, allow)]).toEqual([url, 'none'])
  }
  const nearMisses = ['http://127.0.0.1:8081/', 'http://127.0.0.1/', 'http://127.0.0.2:8080/']
  const otherNames = ['http://localhost:8080/', 'http://a.localhost:9000/', 'http://store/']
  const otherForms = ['http://[::ffff:127.0.0.1]:8080/', 'https://[::1]/', 'http://127.1:8080/']
  for (const url of [...nearMisses, ...otherNames, ...otherForms]) {
    expect([url, refusal(url, allow)]).toEqual([url, 'host'])
  }
  expect(refusal('http://user@127.0.0.1:8080/', allow)).toBe('invalid_url')
  expect(refusal('ftp://127.0.0.1:8080/', allow)).toBe('scheme')
})

test('any text at all is judged without a crash', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.webAuthority())
  const prefixes = fc.constantFrom('', 'http:', 'http://', 'HTTPS:\\\\', '\thttp:/')
  fc.assert(
    fc.property(prefixes, text, (prefix, it) => {
      expect(refusal(prefix + it)).toMatch(/^(none|invalid_url|scheme|host)$/)
    }),
  )
})

testShared('every URL of the public SSRF lists is judged as it is marked', () => {
  const rows = readFileSync(sharedFile('corpora/urls/ssrf-public.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { u: string; verdict: string })
  const expected = new Map([
    ['allow', ['none']],
    ['deny', ['host', 'invalid_url']],
    ['invalid', ['invalid_url']],
    ['scheme', ['scheme']],
  ])
  const wrong = rows.filter(({ u, verdict }) => {
    // A 'name' can be refused only after it is resolved, unless the URL contains userinfo.
    const reasons = expected.get(verdict) ?? [u.includes('@') ? 'invalid_url' : 'none']
    return !reasons.includes(refusal(u))
  })
  expectNone(wrong)
  return rows.length
})

testShared('no address among the open-redirect payloads passes', () => {
  const path = sharedFile('corpora/urls/redirect-Open-Redirect-payloads.txt')
  const urls = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => /^https?:\/\/(?:[^/]*@)?(?:[\dx.]+|\[.*\])$/i.test(line))
  expectNone(urls.filter((url) => refusal(url) === 'none'))
  return urls.length
})

testShared('every URL parser case is refused where it does not lead to a global host', () => {
  const rows = readCases<{ input: string; href?: string }>('wpt-urltestdata.json')
  const wrong = rows.flatMap(({ input, href = input }) => [input, href].filter(isMisjudged))
  expectNone(wrong)
  return rows.length
})

testShared('every case of turning a name into ASCII is refused where it must be', () => {
  const rows = readCases<{ input: string; output: string | null }>('wpt-toascii.json')
  const urls = rows.flatMap(({ input, output }) => [
    `https://${input}/`,
    `https://${output ?? input}/`,
  ])
  expectNone(urls.filter(isMisjudged))
  return rows.length
})

function readCases<Case>(name: string): Case[] {
  const text = readFileSync(sharedFile(`corpora/urls/${name}`), 'utf8')
  // The cases contain remarks, which are plain strings.
  return (JSON.parse(text) as (Case | string)[]).filter(
    (row): row is Case => typeof row !== 'string',
  )
}

function isMisjudged(spelling: string): boolean {
  const reason = refusal(spelling)
  const url = URL.parse(spelling)
  if (!url) return reason !== 'invalid_url'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return reason !== 'scheme'
  if (url.username || url.password) return reason !== 'invalid_url'
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const mustBeRefused = isIP(address) ? !isGlobalAddress(address) : !url.hostname.includes('.')
  return mustBeRefused && reason === 'none'
}

function expectNone(wrong: unknown[]): void {
  expect(wrong).toEqual([])
}
