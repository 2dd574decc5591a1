/**
 * Behind an upright picture on a wide screen, or a wide one on an upright screen: the same picture, dim
 * and out of focus, so that there are no bare bars beside it. It is drawn once from the decoded picture and costs no request.
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
