/** The starts of a site that the HTTP suite needs, in order, and the scenes of each. */
import { unlimited } from '../service-process.ts'
import { accountScenes } from './accounts.ts'
import { bareScenes, bareSettings, productionScenes, productionSettings } from './bare.ts'
import { communityScenes } from './community.ts'
import { refusalScenes, limitScenes } from './refusals.ts'
import type { startFarSides } from './far-sides.ts'
import { libraryScenes } from './library.ts'
import { moneyScenes, priceScenes } from './money.ts'
import { ownerScenes } from './owners.ts'
import { pictureScenes } from './pictures.ts'
import { shareScenes } from './shares.ts'
import { siteScenes, wholeSiteScenes } from './site.ts'
import type { Scene } from './stage.ts'

export type Phase = {
  /** Added to the settings of the previous phase. */
  readonly settings: Record<string, string>
  /** Rounds run one after the other; the scenes of a round run in parallel. */
  readonly rounds: readonly {
    readonly scenes: Readonly<Record<string, Scene>>
    readonly atOnce: number
  }[]
}

const lanes = 3

export function phasesOf({
  settings,
  feed,
}: Pick<Awaited<ReturnType<typeof startFarSides>>, 'settings' | 'feed'>): [Phase, ...Phase[]] {
  const ofOne = Object.fromEntries(Object.keys(unlimited).map((name) => [name, '1/900']))
  const unset = Object.fromEntries(Object.keys(settings).map((name) => [name, '']))
  const own = { METRICS_TOKEN: 'figures', LINK_CHECKS: 'off' }
  const many = {
    ...accountScenes,
    ...siteScenes,
    ...communityScenes,
    ...shareScenes,
    ...libraryScenes,
    ...pictureScenes,
    ...ownerScenes,
    ...moneyScenes,
    ...refusalScenes,
  }
  return [
    {
      settings: { ...unlimited, ...settings, ...feed, ...own },
      rounds: [
        { scenes: many, atOnce: lanes },
        { scenes: { ...priceScenes, ...wholeSiteScenes }, atOnce: 1 },
      ],
    },
    { settings: ofOne, rounds: [{ scenes: limitScenes, atOnce: lanes }] },
    {
      settings: { ...unlimited, ...unset, ...bareSettings },
      rounds: [{ scenes: bareScenes, atOnce: lanes }],
    },
    { settings: productionSettings, rounds: [{ scenes: productionScenes, atOnce: lanes }] },
  ]
}
