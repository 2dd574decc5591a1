/** All scenes by name. */
import type { Scene, SceneName } from '../repertoire.ts'
import { paintAurora } from './aurora.ts'
import { paintBalloons } from './balloons.ts'
import { paintChromatrope } from './chromatrope.ts'
import { paintContours } from './contours.ts'
import { paintGalaxy } from './galaxy.ts'
import { paintJellyfish } from './jellyfish.ts'
import { paintLake } from './lake.ts'
import { paintLanterns } from './lanterns.ts'
import { paintMarbling } from './marbling.ts'
import { paintMoon } from './moon.ts'
import { paintPapercut } from './papercut.ts'
import { paintPlanets } from './planets.ts'
import { paintRidges } from './ridges.ts'
import { paintSea } from './sea.ts'
import { paintSkyline } from './skyline.ts'

export const scenes: { readonly [Name in SceneName]: Scene<Name> } = {
  ridges: paintRidges,
  lake: paintLake,
  sea: paintSea,
  aurora: paintAurora,
  moon: paintMoon,
  planets: paintPlanets,
  galaxy: paintGalaxy,
  skyline: paintSkyline,
  lanterns: paintLanterns,
  balloons: paintBalloons,
  jellyfish: paintJellyfish,
  chromatrope: paintChromatrope,
  papercut: paintPapercut,
  marbling: paintMarbling,
  contours: paintContours,
}
