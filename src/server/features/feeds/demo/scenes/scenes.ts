/** Every scene by its name. */
import type { Scene, SceneName } from '../repertoire.ts'
import { paintAurora } from './aurora.ts'
import { paintDunes } from './dunes.ts'
import { paintColonnade } from './colonnade.ts'
import { paintStairs } from './stairs.ts'
import { paintStillLife } from './still-life.ts'
import { paintSkyline } from './skyline.ts'
import { paintLanterns } from './lanterns.ts'
import { paintPlanets } from './planets.ts'
import { paintMoon } from './moon.ts'
import { paintChromatrope } from './chromatrope.ts'
import { paintSnowfield } from './snowfield.ts'
import { paintMesas } from './mesas.ts'
import { paintMeadow } from './meadow.ts'
import { paintCloudSea } from './cloud-sea.ts'
import { paintPapercut } from './papercut.ts'
import { paintWoodblock } from './woodblock.ts'
import { paintFlowlines } from './flowlines.ts'
import { paintBotanical } from './botanical.ts'
import { paintStainedGlass } from './stained-glass.ts'
import { paintMarbling } from './marbling.ts'
import { paintGalaxy } from './galaxy.ts'
import { paintBokeh } from './bokeh.ts'
import { paintRainGlass } from './rain-glass.ts'
import { paintJellyfish } from './jellyfish.ts'
import { paintBalloons } from './balloons.ts'
import { paintContours } from './contours.ts'
import { paintBlossom } from './blossom.ts'
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
  blossom: paintBlossom,
  contours: paintContours,
  balloons: paintBalloons,
  jellyfish: paintJellyfish,
  rainglass: paintRainGlass,
  bokeh: paintBokeh,
  galaxy: paintGalaxy,
  marbling: paintMarbling,
  stainedglass: paintStainedGlass,
  botanical: paintBotanical,
  flowlines: paintFlowlines,
  woodblock: paintWoodblock,
  papercut: paintPapercut,
  cloudsea: paintCloudSea,
  meadow: paintMeadow,
  mesas: paintMesas,
  snowfield: paintSnowfield,
  chromatrope: paintChromatrope,
  moon: paintMoon,
  planets: paintPlanets,
  lanterns: paintLanterns,
  skyline: paintSkyline,
  stairs: paintStairs,
  colonnade: paintColonnade,
  stilllife: paintStillLife,
  dunes: paintDunes,
}
