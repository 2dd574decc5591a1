/** Given as `ref` to the current link of a row that is longer than a phone's screen (`scroll-row`). */
export function bringInSight(link: HTMLElement | null) {
  link?.scrollIntoView({ inline: 'center', block: 'nearest' })
}
