/** The target after a sign-in. Pages use this file too, so it is separate from the schemas. */

// The target is stored in a cookie, which browsers limit to 4 KB.
const longestBytes = 2000

/** Returns the page to open after signing in: a path of this site that is not too long, or the front page. */
export function safeRedirect(target: string | undefined): string {
  if (target === undefined || !/^\/(?![/\\])/.test(target)) return '/'
  if (new TextEncoder().encode(target).length > longestBytes) return '/'
  // Browsers remove tabs and line breaks in a URL, which would turn '/\t/host' into '//host'.
  // oxlint-disable-next-line no-control-regex -- the characters to refuse
  return /[\u0000-\u001f\u007f]/.test(target) ? '/' : target
}
