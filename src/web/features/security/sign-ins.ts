/** Lists the signed-in browsers and names them. API keys have their own list. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { words } from './words.ts'

export type SignIn = Awaited<ReturnType<typeof client.security.listSignIns>>[number]

export function useSignIns() {
  return useQuery({
    queryKey: keys.account.signIns,
    queryFn: async () => {
      const all = await client.security.listSignIns()
      return all.filter(({ kind }) => kind === 'browser')
    },
    staleTime: 0,
  })
}

// The order matters: most browsers also contain the names of others.
const browsers = [
  [/\bEdg/, 'edge'],
  [/\bOPR\//, 'opera'],
  [/Firefox\/|FxiOS\//, 'firefox'],
  [/Chrome\/|CriOS\//, 'chrome'],
  [/Safari\//, 'safari'],
] as const

const systems = [
  [/Android/, 'android'],
  [/iPhone/, 'iphone'],
  [/iPad/, 'ipad'],
  [/Windows/, 'windows'],
  [/Mac OS X|Macintosh/, 'mac'],
  [/Linux|X11/, 'linux'],
] as const

/** Returns a name such as 'Firefox on Linux', from the user agent. */
export function nameOfSignIn({ userAgent }: SignIn): string {
  const browser = browsers.find(([mark]) => mark.test(userAgent ?? ''))?.[1]
  const system = systems.find(([mark]) => mark.test(userAgent ?? ''))?.[1]
  if (browser === undefined) return words.unknownBrowser
  const name = words.browsers[browser]
  return system === undefined
    ? name
    : words.browserOn({ browser: name, system: words.systems[system] })
}
