/** Addresses that the service must never fetch, in every spelling that some parser accepts. */
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import type { Random } from './fault.ts'
import { readLines, sharedFile } from './shared-corpora.ts'

// Node's own lists, independent of the tested code. One for each family: a list with mapped addresses matches
// every IPv4 address too.
const forbidden = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  forbidden.ipv4.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  forbidden.ipv6.addSubnet(network, bits, 'ipv6')

export function isForbidden(address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return forbidden[family].check(address, family)
}

export function readForbiddenUrls(): string[] {
  const listed = readLines(sharedFile('corpora/urls/ssrf-public.jsonl')).map(
    (line) => JSON.parse(line) as { u: string; verdict?: string },
  )
  const redirects = ['redirect-Open-Redirect-payloads.txt', 'redirect-open_redirect_wordlist.txt']
  const parsed = JSON.parse(readFileSync(sharedFile('corpora/urls/wpt-urltestdata.json'), 'utf8'))
  return [
    ...listed.map(({ u }) => u),
    ...redirects.flatMap((name) => readIfThere(`corpora/urls/${name}`)),
    ...(parsed as ({ input?: string } | string)[]).flatMap((entry) =>
      typeof entry === 'string' ? [] : (entry.input ?? []),
    ),
  ]
}

function readIfThere(path: string): string[] {
  try {
    return readLines(sharedFile(path))
  } catch {
    return []
  }
}

const privateAddresses = [
  [127, 0, 0, 1],
  [127, 255, 255, 254],
  [10, 0, 0, 1],
  [172, 16, 5, 4],
  [192, 168, 1, 1],
  [169, 254, 169, 254],
  [100, 64, 0, 1],
  [0, 0, 0, 0],
  [198, 18, 0, 1],
  [255, 255, 255, 255],
] as const

const radixes = [
  (part: number) => String(part),
  (part: number) => `0${part.toString(8)}`,
  (part: number) => `0x${part.toString(16)}`,
  (part: number) => `00000${part.toString(8)}`,
  (part: number) => `0X${part.toString(16).toUpperCase()}`,
]

/** Returns a random spelling of a forbidden address, with a port that nothing listens on. */
export function forbiddenUrl(random: Random): string {
  const parts = random.pick(privateAddresses)
  const number = parts.reduce<number>((sum, part) => sum * 256 + part, 0)
  const [a, b, c, d] = parts
  const high = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  const host = random.pick([
    () => parts.map((part) => random.pick(radixes)(part)).join('.'),
    () => random.pick(radixes)(number),
    () => `${random.pick(radixes)(a)}.${random.pick(radixes)(number % 2 ** 24)}`,
    () => `${a}.${b}.${random.pick(radixes)(c * 256 + d)}`,
    () => `[::ffff:${parts.join('.')}]`,
    () => `[::ffff:${high}]`,
    () => `[::${high}]`,
    () => `[64:ff9b::${high}]`,
    () => `[2002:${high}::]`,
    () => `[2001:0:${high}::1]`,
    () => `[fe80::1%25eth0]`,
    () => random.pick(['[::1]', '[::]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]']),
    () => `${parts.join('.')}.`,
    () => parts.join('。'),
    () => parts.join('.').replaceAll(/./g, fullWidth),
    () => encodeEvery(parts.join('.')),
    () => `${parts.join('.')}.nip.io`,
    () => `${parts.join('-')}.sslip.io`,
    () => random.pick(['localhost', 'LOCALHOST.', 'a.localhost', 'localtest.me', 'ip6-localhost']),
  ])()
  const scheme = random.pick(['http', 'http', 'http', 'https', 'HTTP', 'ftp', 'file', 'gopher'])
  const slashes = random.pick(['://', '://', '://', ':/', ':', ':\\\\', ':///'])
  const user = random.pick(['', '', '', 'a@', 'a:b@', 'example.com@', 'example.com%00@'])
  const port = random.pick(['', ':80', ':22', ':6379', ':5432', ':65535', ':000080'])
  const path = random.pick(['', '/', '/a.jpg', '#.jpg', '?a.jpg', '/%2e%2e/a.png'])
  return `${scheme}${slashes}${user}${host}${port}${path}`
}

function fullWidth(sign: string): string {
  return sign === '.' ? '．' : String.fromCodePoint(0xff10 + Number(sign))
}

function encodeEvery(text: string): string {
  return text.replaceAll(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}
