/**
 * Whether this page stands in a frame on another site. There it acts for nobody who is signed in, and
 * every way on opens a page of its own: in the frame the other site decides what lies over it.
 */

/** The server has marked the page. */
export function isEmbedded(): boolean {
  return document.documentElement.dataset['embed'] !== undefined
}
