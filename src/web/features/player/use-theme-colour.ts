/** Sets the colour of the browser bars around the page: dark during a show, black during a blackout. */
import { useEffect } from 'react'

const dark = '#050403'
const black = '#000000'

export function useThemeColour(isBlackedOut: boolean): void {
  useEffect(() => {
    const tags = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
    const before = tags.map(({ content }) => content)
    for (const tag of tags) tag.content = isBlackedOut ? black : dark
    return () => tags.forEach((tag, at) => (tag.content = before[at] ?? ''))
  }, [isBlackedOut])
}
