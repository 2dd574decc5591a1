/** The packages and tiers that can be bought, with prices (contract, section 9). */
import { type Tier, tiers } from '../../../contract/tiers.ts'
import { allocationOf } from '../credits/credits.ts'
import type { Settings } from '../settings/settings.ts'

export type PaidTier = Exclude<Tier, 'free'>

/** The item that a payment buys: a package or a tier. */
export type Offer = {
  readonly packageId: string | null
  readonly tier: PaidTier | null
  readonly name: string
  readonly credits: number
  readonly priceCents: number
}

const packages = [
  { id: 'starter', name: 'Starter', credits: 250, priceCents: 1499 },
  { id: 'pro', name: 'Pro', credits: 1000, priceCents: 4999 },
  { id: 'power_user', name: 'Power User', credits: 2500, priceCents: 9999 },
] as const

const tierPriceCents: Readonly<Record<Tier, number>> = {
  free: 0,
  joi_curious: 1999,
  full_access: 3999,
  vip: 6999,
}

export function listPackages() {
  return packages.map(({ priceCents, ...rest }) => ({ ...rest, priceUsd: priceCents / 100 }))
}

export function listTiers({ tierNames }: Settings) {
  return tiers.map((id) => ({
    id,
    name: tierNames[id],
    creditsPerMonth: allocationOf[id],
    priceUsd: tierPriceCents[id] / 100,
    canBuyExtra: mayBuyPackages(id),
  }))
}

export function mayBuyPackages(tier: Tier): boolean {
  return tier !== 'free'
}

export function offerOfPackage(packageId: string): Offer | null {
  const found = packages.find(({ id }) => id === packageId)
  if (!found) return null
  const { name, credits, priceCents } = found
  return { packageId, tier: null, name, credits, priceCents }
}

export function offerOfTier(tier: PaidTier, { tierNames }: Settings): Offer {
  return {
    packageId: null,
    tier,
    name: tierNames[tier],
    credits: allocationOf[tier],
    priceCents: tierPriceCents[tier],
  }
}
