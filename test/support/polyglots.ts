/** Pictures that are also something else: a page, a script, an archive. */
import { pngChunk } from './hostile-media.ts'
import type { CorpusFile } from './picture-corpus.ts'
import { plainJpeg, privateJpeg } from './sample-media.ts'
import { sharp } from '../../src/server/media/libvips.ts'

/** Must not be in any served file. */
export const hiddenScript = '<script>alert(document.domain)</script>'

export async function makePolyglots(): Promise<CorpusFile[]> {
  const script = Buffer.from(hiddenScript)
  const jpeg = await plainJpeg({ width: 64, height: 48 })
  const small = { width: 8, height: 8, channels: 3 as const, background: '#468' }
  const [png, gif, webp] = [
    await sharp({ create: small }).png().toBuffer(),
    await sharp({ create: small }).gif().toBuffer(),
    await sharp({ create: small }).webp().toBuffer(),
  ]
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), script])
  const textAt = png.indexOf('IDAT') - 4
  const text = pngChunk('tEXt', `Comment\0${hiddenScript}`)
  const gifComment = Buffer.concat([
    Buffer.from([0x21, 0xfe, script.length]),
    script,
    Buffer.from([0]),
  ])
  return [
    {
      name: 'page in a comment.jpg',
      bytes: joined(jpeg.subarray(0, 2), comment, jpeg.subarray(2)),
    },
    { name: 'page behind the end.jpg', bytes: joined(jpeg, script) },
    {
      name: 'archive behind the end.jpg',
      bytes: joined(jpeg, Buffer.from('PK\u0003\u0004'), script),
    },
    {
      name: 'page in a text.png',
      bytes: joined(png.subarray(0, textAt), text, png.subarray(textAt)),
    },
    { name: 'page behind the end.png', bytes: joined(png, script) },
    {
      name: 'page in a comment.gif',
      bytes: joined(gif.subarray(0, -1), gifComment, gif.subarray(-1)),
    },
    { name: 'script behind the end.gif', bytes: joined(gif, Buffer.from('*/=1;'), script) },
    { name: 'page behind the end.webp', bytes: joined(webp, script) },
    { name: 'page alone.png', bytes: Buffer.from(`<!doctype html>${hiddenScript}`) },
    {
      name: 'drawing.png',
      bytes: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${hiddenScript}</svg>`),
    },
    { name: 'place and device.jpg', bytes: await privateJpeg() },
  ]
}

function joined(...parts: Uint8Array[]): Buffer {
  return Buffer.concat(parts)
}
