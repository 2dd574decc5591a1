/**
 * Fills the bars beside a portrait picture on a landscape screen, or above and below a landscape picture
 * on a portrait screen, with the same picture, dim and blurred. It is drawn once from the decoded picture
 * and needs no request.
 */

const widthPx = 64

export async function addBackdrop(
  frame: HTMLElement,
  picture: HTMLImageElement,
  isWideScreen: boolean,
): Promise<void> {
  const { naturalWidth, naturalHeight } = picture
  const isOfScreen = isWideScreen ? naturalWidth >= naturalHeight : naturalHeight >= naturalWidth
  if (isOfScreen) return
  const bitmap = await createImageBitmap(picture, { resizeWidth: widthPx, resizeQuality: 'medium' })
  const canvas = document.createElement('canvas')
  canvas.className = 'player-backdrop'
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  frame.append(canvas)
}
