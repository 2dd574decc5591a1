/**
 * The one door to libvips. Only the formats that the contract knows can be read, so that no other
 * loader, SVG's least of all, meets a stranger's bytes; and texts find the font that ships.
 */
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Read when libvips is loaded, and never again.
process.env['FONTCONFIG_FILE'] ??= fileURLToPath(new URL('./fonts.conf', import.meta.url))
const { default: sharp } = await import('sharp')

const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif']

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) })
// The bytes of pictures lie outside V8's heap but count as part of it: left to itself, V8 goes through
// all that the service holds after every second picture, and every request waits for that. The heap
// may double before it does.
setFlagsFromString('--heap-growing-percent=100')
// A cache of decoded files helps whoever opens the same file again, and nobody here does.
sharp.cache(false)

export { sharp }
export type { Metadata, Sharp } from 'sharp'
