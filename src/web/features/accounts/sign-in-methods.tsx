/** The sign-in methods besides a local account: single sign-on and development accounts. */
import { useSearch } from 'wouter'
import { useSite } from '../../site.ts'
import { sentence } from '../../words/sentence.ts'
import { words } from './words.ts'

/** Plain links, because the server answers them with a redirect. */
export function OtherSignInMethods() {
  const ways = useSite()?.signIn ?? []
  const search = useSearch()
  if (!ways.includes('oidc') && !ways.includes('development')) return null
  return (
    <ul className="mt-5 grid gap-1 text-ink-2">
      {ways.includes('oidc') && (
        <li>
          <a className="text-link" href={search === '' ? '/api/login' : `/api/login?${search}`}>
            {words.continueWithProvider}
          </a>
        </li>
      )}
      {ways.includes('development') && (
        <li>
          {sentence(words.developmentSite, {
            accounts: [1, 2, 3].map((number) => (
              <a
                key={number}
                className="text-link me-2 whitespace-nowrap"
                href={`/api/dev-login?account=${number}`}
              >
                {words.developmentAccount({ number })}
              </a>
            )),
          })}
        </li>
      )}
    </ul>
  )
}
