/**
 * Addresses of files that stand in rows, signed anew after the site's secret was changed. Until then
 * the one before has to verify them; afterwards it can be forgotten.
 */
import type { Context } from '../../context.ts'
import { anyOwnPlace, renewMediaUrl } from '../../http/media/media-url.ts'
import { findStoredAddresses, replaceStoredAddress, storedAddresses } from './address-queries.ts'

/** How many rows were written; others may be made and changed meanwhile. */
export async function renewStoredAddresses(ctx: Context): Promise<number> {
  let renewed = 0
  for (const column of storedAddresses)
    for await (const { place, text } of findStoredAddresses(ctx, column)) {
      const after = renewedText(ctx, text)
      // One row at a time: it waits for nobody while it holds another.
      if (after !== text && (await replaceStoredAddress(ctx, column, place, { text, after })))
        renewed += 1
    }
  return renewed
}

const mediaUrl = new RegExp(
  `/media/(?:general|${anyOwnPlace})/[\\w./-]+\\?(?:g=[a-z]+\\.\\d+&)?s=[\\w-]{24}`,
  'g',
)

/** What no secret of ours has signed stays as it is. */
function renewedText(ctx: Context, text: string): string {
  return text.replaceAll(
    mediaUrl,
    (address) => renewMediaUrl(ctx.config.sessionSecrets, address) ?? address,
  )
}
