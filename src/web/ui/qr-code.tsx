/**
 * A text as a QR code, to scan from the screen or, if it is no secret, to save as a picture. It is dark on
 * white in every theme, with the white border that readers need. It includes its encoder, so load it on
 * demand.
 */
import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { encode } from 'uqr'
import { Button } from './button.tsx'
import { words } from './words.ts'

type Module = { readonly x: number; readonly y: number }
type Drawing = { readonly size: number; readonly dark: readonly Module[] }

const quietModules = 4
/** Whole pixels for each module, so that a printed code has sharp edges. */
const pngModulePx = 16

export function QrCode({
  text,
  label,
  fileName,
}: {
  text: string
  /** The target of the code, for screen readers. */
  label: string
  /** Without an extension. Omit it for a secret or a short-lived code: such a code should not be saved. */
  fileName?: string
}) {
  const drawing = useMemo(() => drawingOf(text), [text])
  return (
    <div className="grid justify-items-center gap-3">
      <img
        src={`data:image/svg+xml,${encodeURIComponent(svgOf(drawing))}`}
        alt={label}
        width={224}
        height={224}
        className="rounded-aperture"
      />
      {fileName !== undefined && (
        <div className="flex flex-wrap justify-center gap-2">
          <Save onSave={() => saveSvg(drawing, `${fileName}.svg`)}>
            {words.saveAs({ format: 'SVG' })}
          </Save>
          <Save onSave={() => void savePng(drawing, `${fileName}.png`)}>
            {words.saveAs({ format: 'PNG' })}
          </Save>
        </div>
      )}
    </div>
  )
}

function Save({ onSave, children }: { onSave: () => void; children: string }) {
  return (
    <Button
      look="line"
      size="small"
      icon={<Download size={14} aria-hidden="true" />}
      onClick={onSave}
    >
      {children}
    </Button>
  )
}

function drawingOf(text: string): Drawing {
  const { size, data } = encode(text, { ecc: 'M', border: quietModules })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [{ x, y }] : [])))
  return { size, dark }
}

function svgOf({ size, dark }: Drawing): string {
  const path = dark.map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`
  )
}

function saveSvg(drawing: Drawing, name: string): void {
  save(new Blob([svgOf(drawing)], { type: 'image/svg+xml' }), name)
}

async function savePng({ size, dark }: Drawing, name: string): Promise<void> {
  const canvas = document.createElement('canvas')
  canvas.width = size * pngModulePx
  canvas.height = size * pngModulePx
  const ink = canvas.getContext('2d')
  if (!ink) return
  ink.fillStyle = 'white'
  ink.fillRect(0, 0, canvas.width, canvas.height)
  ink.fillStyle = 'black'
  for (const { x, y } of dark)
    ink.fillRect(x * pngModulePx, y * pngModulePx, pngModulePx, pngModulePx)
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (file) save(file, name)
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
