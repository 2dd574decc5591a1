/**
 * Loads libvips, and is the only access to it. Only the formats of the contract can be read, so no other
 * loader, in particular SVG's, processes untrusted bytes. Texts use the included font. It is loaded with
 * the first picture: a node without pictures is smaller by a tenth.
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { Sharp, SharpConstructor, SharpOptions } from 'sharp'

const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif']

let library: SharpConstructor | undefined

type WithInput = Parameters<SharpConstructor>

export function sharp(...given: WithInput | [options: SharpOptions]): Sharp {
  library ??= load()
  // The library has an overload for each of the two and distinguishes them itself.
  return library(...(given as WithInput))
}

function load(): SharpConstructor {
  // libvips reads this variable only when it is loaded.
  process.env['FONTCONFIG_FILE'] ??= fileURLToPath(new URL('./fonts.conf', import.meta.url))
  const loaded = createRequire(import.meta.url)('sharp') as SharpConstructor
  loaded.block({ operation: ['VipsForeignLoad'] })
  loaded.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) })
  // The bytes of pictures are outside V8's heap but count towards it. By default V8 would collect the whole
  // heap after every second picture, and every request waits for that. So the heap may double before a
  // collection.
  setFlagsFromString('--heap-growing-percent=100')
  // The cache of decoded files helps only if the same file is opened again, which does not happen here.
  loaded.cache(false)
  return loaded
}

export type { Metadata, Sharp } from 'sharp'
