/** The routes of the picture tools. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { animate } from './animation.ts'
import { censor } from './censoring.ts'
import { compose, remix, uploadPicture } from './composition.ts'
import { saveResult } from './results.ts'
import { discardResult, readResults } from './unsaved-results.ts'

export const pictureToolRoutes = [
  route(api.images.compose, compose),
  route(api.images.uploadFirst, uploadPicture),
  route(api.images.uploadSecond, uploadPicture),
  route(api.images.remix, remix),
  route(api.images.save, saveResult),
  route(api.images.results, readResults),
  route(api.images.discard, discardResult),
  route(api.images.animate, animate),
  route(api.images.censor, censor),
]
