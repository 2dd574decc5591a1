/** What the tiers are called. */
import type { SignedInUser } from '../../api.ts'

export const tierNames: Record<SignedInUser['credits']['tier'], string> = {
  free: 'Free',
  joi_curious: 'JOI-Curious',
  full_access: 'Full Access',
  vip: 'VIP',
}
