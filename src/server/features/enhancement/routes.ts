/** All routes of image enhancement. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { giveConsent, readConsent, requireConsent } from './consent.ts'
import { generate } from './generate.ts'
import { clearStuck, downloadResult, readStatus, saveResult } from './results.ts'
import { readRecent } from './usage.ts'

export const enhancementRoutes = [
  route(api.enhancement.generate, generate, { admit: requireConsent }),
  route(api.enhancement.giveConsent, giveConsent),
  route(api.enhancement.consentStatus, readConsent),
  route(api.enhancement.status, readStatus),
  route(api.enhancement.recent, readRecent),
  route(api.enhancement.download, downloadResult),
  route(api.enhancement.saveResult, saveResult),
  route(api.enhancement.clearStuck, clearStuck),
]
