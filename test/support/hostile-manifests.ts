/** Archives with a valid structure and a hostile manifest. */
import type { ArchiveFault } from '../../src/server/features/archives/archive-fault.ts'
import type { Hostile } from './archive-parts.ts'
import {
  fileOf,
  hostile,
  manifest,
  manifestOf,
  png,
  sessionOf,
  slideName,
  slideOf,
} from './archive-parts.ts'
import { samples } from './vault-world.ts'

export function hostileManifests(): Hostile[] {
  const saying = (kind: string, fault: ArchiveFault, content: string | Buffer) =>
    hostile(`a manifest: ${kind}`, fault, [png, { name: 'manifest.json', content }])
  const session = (changes: object) => manifestOf([sessionOf([], changes)])
  const ownPng = fileOf(slideName, samples.png)
  const slides = (count: number) => Array.from({ length: count }, () => slideOf(null))
  return [
    hostile('no manifest', 'no-manifest', [png]),
    hostile('no files', 'no-manifest', []),
    hostile('a manifest of another folder', 'no-manifest', [
      { ...manifest, name: 'export/manifest.json' },
    ]),
    saying('not JSON', 'bad-manifest', 'hello'),
    saying('not text', 'bad-manifest', Buffer.from([0x7b, 0x22, 0xff, 0xfe])),
    saying('empty', 'bad-manifest', ''),
    saying('too large', 'manifest-too-large', `"${'x'.repeat(17 * 1_048_576)}"`),
    saying('very deep', 'bad-manifest', '['.repeat(1_000_000)),
    saying('very wide', 'bad-manifest', `[${'{},'.repeat(1_000_000)}{}]`),
    saying('very long lists', 'bad-manifest', `[${'0,'.repeat(1_000_000)}0]`),
    saying('of another program', 'unknown-format', '{"format":"other","version":1}'),
    saying('a list', 'unknown-format', '[]'),
    saying('of the future', 'unknown-version', manifestOf([], { version: 2 })),
    saying('with fields that nobody knows', 'bad-manifest', manifestOf([], { userId: 'x' })),
    saying('of two sessions', 'not-one-session', manifestOf([sessionOf([]), sessionOf([])])),
    saying('of no session', 'not-one-session', manifestOf([])),
    saying('a title too long', 'bad-manifest', session({ title: 'x'.repeat(201) })),
    saying('no title', 'bad-manifest', session({ title: '  ' })),
    saying('intervals out of order', 'bad-manifest', session({ intervalMin: 9, intervalMax: 3 })),
    saying('an unknown transition', 'bad-manifest', session({ transition: 'explode' })),
    saying('too many slides', 'bad-manifest', session({ slides: slides(501) })),
    saying('a character that cannot be stored', 'bad-manifest', session({ title: 'a\u0000b' })),
    saying('half a character', 'bad-manifest', session({ title: 'a\ud800b' })),
    {
      ...saying(
        'a file twice',
        'bad-manifest',
        manifestOf([sessionOf([slideOf(ownPng)], { cover: ownPng })]),
      ),
      says: 'it names a file twice',
    },
    saying(
      'files larger in sum than an archive',
      'contents-too-large',
      manifestOf([sessionOf([slideOf({ ...ownPng, size: 600 * 1_048_576 })])]),
    ),
    saying('a key of a megabyte', 'bad-manifest', manifestOf([], { ['x'.repeat(1_048_576)]: 1 })),
    saying(
      'a file outside',
      'bad-manifest',
      manifestOf([sessionOf([slideOf(fileOf('../../storage/x.png', samples.png))])]),
    ),
    saying(
      'an address that is no web page',
      'bad-manifest',
      manifestOf([sessionOf([slideOf(null, { url: 'file:///etc/passwd' })])]),
    ),
  ]
}
