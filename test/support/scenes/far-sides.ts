/** Starts the remote servers of the suite, and returns the settings of a site that uses them. */
import type { AddressInfo } from 'node:net'
import { openImmichServer } from '../immich-server.ts'
import { startMailServer } from '../mail-server.ts'
import { startNowpayments } from '../nowpayments-server.ts'
import { startOidcServer } from '../oidc-server.ts'
import { startLemmy } from '../outage-stage.ts'
import { startTelegram } from '../telegram-server.ts'

export type FarSides = Awaited<ReturnType<typeof startFarSides>>['far']

export async function startFarSides(site: string) {
  const [mail, gateway, telegram] = [
    await startMailServer(),
    await startNowpayments(),
    await startTelegram(),
  ]
  const [oidc, immich] = [await startOidcServer({ sites: [site] }), await openImmichServer()]
  const lemmy = await startLemmy()
  const { port } = lemmy.address() as AddressInfo
  const settings = {
    ...mail.settings,
    ...gateway.settings,
    ...telegram.settings,
    ...oidc.settings,
    ...immich.settings,
    OIDC_ROLE_CLAIM: 'role',
  }
  return {
    far: { mail, gateway, telegram, oidc },
    settings,
    feed: {
      FEED: 'lemmy',
      LEMMY_URL: `http://127.0.0.1:${port}`,
      FETCH_ALLOW: `127.0.0.1:${port}`,
    },
    async close() {
      lemmy.closeAllConnections()
      lemmy.close()
      immich.close()
      await Promise.all([mail.close(), gateway.close(), telegram.close(), oidc.stop()])
    },
  }
}
