/** The address of the way in that leads back to the page one is on. */
import { useLocation, useSearch } from 'wouter'

export function useSignInAddress(): string {
  const [path] = useLocation()
  const search = useSearch()
  const here = search === '' ? path : `${path}?${search}`
  return `/login?redirect=${encodeURIComponent(here)}`
}
