/** Returns the address of the sign-in or registration page that redirects back to the current page. */
import { useLocation, useSearch } from 'wouter'

export function useSignInAddress(page: '/login' | '/register' = '/login'): string {
  const [path] = useLocation()
  const search = useSearch()
  const here = search === '' ? path : `${path}?${search}`
  return `${page}?redirect=${encodeURIComponent(here)}`
}
