/** A remote site with small real media, for code that fetches the media of slides. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { muxWebm } from '../../demo/painting/webm.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { plainJpeg } from './sample-media.ts'

export type PictureSite = {
  readonly origin: string
  readonly host: string
  /** The requested paths, in order. */
  readonly asked: string[]
  /** Paths that contain one of these texts answer 404. */
  readonly gone: Set<string>
  readonly close: () => Promise<void>
}

/** `/photo/…`, `/jpg/…`, `/png/…`, `/webp/…`, `/gif/…`, `/webm/…`; anything else is a page. */
export async function startPictureSite(): Promise<PictureSite> {
  const files = await paint()
  const asked: string[] = []
  const gone = new Set<string>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const file = files[path.split('/')[1] ?? '']
    if ([...gone].some((part) => path.includes(part))) return response.writeHead(404).end()
    if (file) return response.writeHead(200).end(file)
    return response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<!doctype html><p>Hello')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    asked,
    gone,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The private description in the photograph. */
export const secretWords = 'Taken at home by Ana'

async function paint(): Promise<Record<string, Uint8Array>> {
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#a04020' } })
  const frame = await picture(64, 48).webp().toBuffer()
  const photograph = picture(900, 600).withExif({
    IFD0: { ImageDescription: secretWords },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
  })
  return {
    photo: await plainJpeg(),
    jpg: await photograph.jpeg().toBuffer(),
    png: await picture(300, 200).png().toBuffer(),
    webp: await picture(800, 500).webp().toBuffer(),
    gif: await sharp(
      [await picture(40, 30).png().toBuffer(), await picture(40, 30).png().toBuffer()],
      {
        join: { animated: true },
      },
    )
      .gif()
      .toBuffer(),
    webm: muxWebm({ width: 64, height: 48, frameMs: 100, frames: [frame, frame, frame] }),
  }
}
