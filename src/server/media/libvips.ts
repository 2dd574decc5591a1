/**
 * The one door to libvips. Only the formats that the contract knows can be read, so that no other
 * loader, SVG's least of all, meets a stranger's bytes; and texts find the font that ships. It is
 * loaded at the first picture: a node that has none yet is smaller by a tenth.
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
  // The library has a signature for each of the two, and takes them apart by itself.
  return library(...(given as WithInput))
}

function load(): SharpConstructor {
  // Read when libvips is loaded, and never again.
  process.env['FONTCONFIG_FILE'] ??= fileURLToPath(new URL('./fonts.conf', import.meta.url))
  const loaded = createRequire(import.meta.url)('sharp') as SharpConstructor
  loaded.block({ operation: ['VipsForeignLoad'] })
  loaded.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) })
  // The bytes of pictures lie outside V8's heap but count as part of it: left to itself, V8 goes
  // through all that the service holds after every second picture, and every request waits for that.
  // The heap may double before it does.
  setFlagsFromString('--heap-growing-percent=100')
  // A cache of decoded files helps whoever opens the same file again, and nobody here does.
  loaded.cache(false)
  return loaded
}

export type { Metadata, Sharp } from 'sharp'
