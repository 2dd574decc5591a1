/** Scrolls the current link of a scrolling row (`scroll-row`) into view. Pass it as the link's `ref`. */
export function bringInSight(link: HTMLElement | null) {
  link?.scrollIntoView({ inline: 'center', block: 'nearest' })
}
