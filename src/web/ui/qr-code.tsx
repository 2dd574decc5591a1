/**
 * A text as a QR code, to be scanned from the screen or saved as a picture. It is dark on white in every
 * theme, with the white edge that readers need. It brings its encoder along: load it when it is wanted.
 */
import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { encode } from 'uqr'
import { Button } from './button.tsx'

type Module = { readonly x: number; readonly y: number }
type Drawing = { readonly size: number; readonly dark: readonly Module[] }

const quietModules = 4
/** Whole pixels for each module, so that a printed one has sharp edges. */
const pngModulePx = 16

export function QrCode({
  text,
  label,
  fileName,
}: {
  text: string
  /** What it leads to, for who cannot see it. */
  label: string
  /** Without an ending. */
  fileName: string
}) {
  const drawing = useMemo(() => drawingOf(text), [text])
  return (
    <div className="grid justify-items-center gap-3">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${drawing.size} ${drawing.size}`}
        shapeRendering="crispEdges"
        className="w-full max-w-56 rounded-aperture forced-color-adjust-none"
      >
        <rect width={drawing.size} height={drawing.size} fill="white" />
        <path d={pathOf(drawing)} fill="black" />
      </svg>
      <div className="flex flex-wrap justify-center gap-2">
        <Save onSave={() => save(svgFile(drawing), `${fileName}.svg`)}>Save as SVG</Save>
        <Save onSave={() => void savePng(drawing, `${fileName}.png`)}>Save as PNG</Save>
      </div>
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

function pathOf({ dark }: Drawing): string {
  return dark.map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join('')
}

function svgFile(drawing: Drawing): Blob {
  const { size } = drawing
  const text =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="#fff"/><path d="${pathOf(drawing)}"/></svg>`
  return new Blob([text], { type: 'image/svg+xml' })
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
