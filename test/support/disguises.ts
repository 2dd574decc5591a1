/** Changes to a picture that try to defeat its recognition. */
import { sharp } from '../../src/server/media/libvips.ts'
import { inspectPicture } from '../../src/server/media/picture.ts'
import { watermark } from '../../src/server/media/watermark.ts'

/** Returns versions of a picture as users change them to upload a removed picture again. */
export async function disguises(bytes: Uint8Array): Promise<Record<string, Uint8Array>> {
  const { width, height } = await inspectPicture(bytes)
  const image = () => sharp(bytes)
  const part = (left: number, top: number, across: number, down: number) =>
    image()
      .extract({
        left: Math.floor(left * width),
        top: Math.floor(top * height),
        width: Math.floor(across * width),
        height: Math.floor(down * height),
      })
      .jpeg()
  return {
    half: await image()
      .resize({ width: Math.ceil(width / 2) })
      .jpeg()
      .toBuffer(),
    recompressed: await image().jpeg({ quality: 40 }).toBuffer(),
    'as WebP': await image().webp({ quality: 60 }).toBuffer(),
    'as PNG, small': await image()
      .resize({ width: Math.ceil(width / 3) })
      .png()
      .toBuffer(),
    watermarked: await watermark(await inspectPicture(bytes)),
    blurred: await image().blur(2).jpeg().toBuffer(),
    mirrored: await image().flop().jpeg().toBuffer(),
    squeezed: await image()
      .resize(width, Math.ceil(height * 0.8), { fit: 'fill' })
      .jpeg()
      .toBuffer(),
    'cropped by 5 %': await part(0.025, 0.025, 0.95, 0.95).toBuffer(),
    'cropped by 10 %': await part(0.05, 0.05, 0.9, 0.9).toBuffer(),
    'cropped on the left': await part(0.1, 0, 0.9, 1).toBuffer(),
    'cropped at the bottom': await part(0, 0, 1, 0.9).toBuffer(),
    'cropped in a corner': await part(0.1, 0.1, 0.9, 0.9).toBuffer(),
    'mirrored and cropped': await sharp(await part(0.05, 0.05, 0.9, 0.9).toBuffer())
      .flop()
      .jpeg()
      .toBuffer(),
  }
}
