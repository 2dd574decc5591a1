/**
 * Detects a page in a frame on another site. There it never acts for a signed-in user, and every link opens a
 * new tab, because the other site could cover the frame with its own content.
 */

/** Returns true when the server has marked the page as embedded. */
export function isEmbedded(): boolean {
  return document.documentElement.dataset['embed'] !== undefined
}
