/** Describes this site and its offers, from the settings and the configuration. */
import { api } from '../../../contract/api.ts'
import { homepage, version } from '../../config/version.ts'
import type { Context } from '../../context.ts'
import type { SignedInUser, Visitor } from '../../http/caller.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import { findSignedInUser, registrationOf, signInMethodsFor } from '../accounts/accounts.ts'
import { sourcesFor, sourceWords } from '../feeds/feeds.ts'
import { paymentMethodsOf } from '../payments/payments.ts'
import { readSettings } from '../settings/settings.ts'

export type { Chunks } from './languages.ts'
export { readChunks, readLanguages } from './languages.ts'

export type Site = Awaited<ReturnType<typeof describeSite>>

/** Describes the site for this visitor. */
export async function describeSite(ctx: Context, visitor: Visitor) {
  const settings = await readSettings(ctx)
  return {
    name: settings.siteName,
    version,
    registration: registrationOf(ctx, settings),
    signIn: signInMethodsFor(ctx, visitor),
    credits: settings.credits,
    tierNames: settings.tierNames,
    publicCommunity: settings.publicCommunity,
    mail: ctx.mail !== null,
    feeds: feedsOf(ctx, await roleOf(ctx, visitor)),
    captions: ctx.captions.name !== 'off',
    paymentMethods: paymentMethodsOf(ctx, settings),
    uploadLimitMb: settings.uploadLimitMb,
    sourceUrl: homepage,
    languages: [...ctx.languages],
  }
}

/**
 * Returns the offered feeds. Without a first source the list is empty: other sources are used only by
 * name.
 */
function feedsOf(ctx: Context, role: SignedInUser['role'] | null) {
  if (ctx.sources.first.name === 'off') return []
  return sourcesFor(ctx, role).flatMap(({ name: id, connection }) =>
    id === 'off' ? [] : [{ id, ...sourceWords[id], needsConnection: connection !== undefined }],
  )
}

/**
 * Returns the visitor's role. It is looked up only with configured folders, which may be limited to
 * some roles.
 */
async function roleOf(ctx: Context, { cookies }: Visitor): Promise<SignedInUser['role'] | null> {
  if (ctx.config.folders === null) return null
  return (await findSignedInUser(ctx, cookies))?.role ?? null
}

function readSite(ctx: Context, { visitor }: Call<typeof api.site.read>) {
  return describeSite(ctx, visitor)
}

export const siteRoutes = [route(api.site.read, readSite, { isPublicRead: true })]
