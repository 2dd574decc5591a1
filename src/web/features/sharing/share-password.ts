/**
 * Passes the password of a share link from the page that asks for it to the player, while the tab is open.
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
    // If storage is blocked, every page asks for the password.
  }
}
