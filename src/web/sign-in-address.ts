/** Returns the address of the sign-in page that redirects back to the current page. */
import { useLocation, useSearch } from 'wouter'

export function useSignInAddress(): string {
  const [path] = useLocation()
  const search = useSearch()
  const here = search === '' ? path : `${path}?${search}`
  return `/login?redirect=${encodeURIComponent(here)}`
}
