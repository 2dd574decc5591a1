/** A cookie jar like a browser's, sufficient for one site with one path. */
export type CookieJar = {
  header(): string
  get(name: string): string | undefined
  set(name: string, value: string): void
  keep(setCookieHeaders: readonly string[]): void
}

export function createCookieJar(): CookieJar {
  const cookies = new Map<string, string>()
  return {
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    get: (name) => cookies.get(name),
    set: (name, value) => void cookies.set(name, value),
    keep(headers) {
      for (const header of headers) {
        const [pair = '', ...attributes] = header.split(';')
        const [name = '', ...value] = pair.split('=')
        const isGone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))
        const isPast = attributes.some((attribute) => /expires=Thu, 01 Jan 1970/i.test(attribute))
        if (isGone || isPast) cookies.delete(name.trim())
        else cookies.set(name.trim(), value.join('='))
      }
    },
  }
}

/** Returns a fetch that sends and stores these cookies and does not follow redirects. */
export function fetchWithCookies(jar: CookieJar): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', jar.header())
    const response = await fetch(input, { redirect: 'manual', ...init, headers })
    jar.keep(response.headers.getSetCookie())
    return response
  }
}
