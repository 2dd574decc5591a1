/** Where a sign-in may lead to. Pages use it too, so it stands apart from the schemas. */

// It travels in a cookie, of which browsers keep no more than 4 KB.
const longestBytes = 2000

/** Where to go after signing in: a path of this site that is not too long, else the front page. */
export function safeRedirect(target: string | undefined): string {
  if (target === undefined || !/^\/(?![/\\])/.test(target)) return '/'
  if (new TextEncoder().encode(target).length > longestBytes) return '/'
  // Browsers drop tabs and line breaks inside a URL, which would turn '/\t/host' into '//host'.
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f]/.test(target) ? '/' : target
}
