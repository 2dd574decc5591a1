/** The other ways in, as far as this site has them: a provider, and the development accounts. */
import { useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { client } from '../../api.ts'

export function useSignInMethods() {
  return useQuery({ queryKey: ['sign-in-ways'], queryFn: () => client.accounts.signInMethods() })
}

/** These are links, not client-side ones: the server answers them with a redirect. */
export function OtherSignInMethods() {
  const { data: ways } = useSignInMethods()
  const search = useSearch()
  if (!ways?.oidc && !ways?.development) return null
  return (
    <ul className="mt-5 grid gap-1 text-ink-2">
      {ways.oidc && (
        <li>
          <a className="text-link" href={search === '' ? '/api/login' : `/api/login?${search}`}>
            Continue with single sign-on
          </a>
        </li>
      )}
      {ways.development && (
        <li>
          This is a development site. Sign in as{' '}
          {[1, 2, 3].map((account) => (
            <a
              key={account}
              className="text-link mr-2 whitespace-nowrap"
              href={`/api/dev-login?account=${account}`}
            >
              dev {account}
            </a>
          ))}
        </li>
      )}
    </ul>
  )
}
