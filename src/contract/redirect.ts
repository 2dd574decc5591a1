/** Where a sign-in may lead to. Pages use it too, so it stands apart from the schemas. */

/** Where to go after signing in: a path of this site, else the front page. */
export function safeRedirect(target: string | undefined): string {
  if (target === undefined || !/^\/(?![/\\])/.test(target)) return '/'
  // Browsers drop tabs and line breaks inside a URL, which would turn '/\t/host' into '//host'.
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f]/.test(target) ? '/' : target
}
