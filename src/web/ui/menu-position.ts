/** Positions an open menu: below its button, above it if there is no room, and within the window. */

const gapPx = 6
const edgePx = 10

export function positionMenu(button: HTMLElement, menu: HTMLElement, align: 'start' | 'end'): void {
  const anchor = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const alignsLeft = (align === 'start') === !button.matches(':dir(rtl)')
  const left = alignsLeft ? anchor.left : anchor.right - width
  const below = anchor.bottom + gapPx
  const top = below + height <= innerHeight - edgePx ? below : anchor.top - gapPx - height
  menu.style.left = `${within(left, document.documentElement.clientWidth - width)}px`
  menu.style.top = `${within(top, innerHeight - height)}px`
}

function within(offset: number, max: number): number {
  return Math.max(edgePx, Math.min(offset, max - edgePx))
}
