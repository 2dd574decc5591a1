/** Every scene by its name. */
import type { Scene, SceneName } from '../repertoire.ts'
import { paintAurora } from './aurora.ts'
import { paintDunes } from './dunes.ts'
import { paintColonnade } from './colonnade.ts'
import { paintStairs } from './stairs.ts'
import { paintStillLife } from './still-life.ts'
import { paintForest } from './forest.ts'
import { paintLake } from './lake.ts'
import { paintRidges } from './ridges.ts'
import { paintSea } from './sea.ts'

export const scenes: { readonly [Name in SceneName]: Scene<Name> } = {
  ridges: paintRidges,
  lake: paintLake,
  sea: paintSea,
  forest: paintForest,
  aurora: paintAurora,
  stairs: paintStairs,
  colonnade: paintColonnade,
  stilllife: paintStillLife,
  dunes: paintDunes,
}
