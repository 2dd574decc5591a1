/**
 * The password of a share link, from the page that asks for it to the player, for as long as the
 * tab is open.
 */

const keyOf = (code: string) => `lanternist:share-password:${code.toLowerCase()}`

export function readSharePassword(code: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(code))
  } catch {
    return null
  }
}

export function keepSharePassword(code: string, password: string): void {
  try {
    sessionStorage.setItem(keyOf(code), password)
  } catch {
    // Storage can be switched off; then the password is asked for on every page.
  }
}
