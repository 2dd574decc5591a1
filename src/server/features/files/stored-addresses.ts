/**
 * Signs stored addresses again after the site's secret has changed. Until it has finished, the old
 * secret must still verify them.
 */
import type { Context } from '../../context.ts'
import { anyOwnedBucket, renewMediaUrl } from '../../http/media/media-url.ts'
import { findStoredAddresses, replaceStoredAddress, storedAddresses } from './address-queries.ts'

/** Returns the number of changed rows. Other processes may write rows meanwhile. */
export async function renewStoredAddresses(ctx: Context): Promise<number> {
  let renewed = 0
  for (const column of storedAddresses)
    for await (const { rowKey, text } of findStoredAddresses(ctx, column)) {
      const after = renewedText(ctx, text)
      // Update one row at a time, so that it never waits while it holds another row.
      if (after !== text && (await replaceStoredAddress(ctx, column, rowKey, { text, after })))
        renewed += 1
    }
  return renewed
}

const mediaUrl = new RegExp(
  `/media/(?:general|${anyOwnedBucket})/[\\w./-]+\\?(?:g=[a-z]+\\.\\d+&)?s=[\\w-]{24}`,
  'g',
)

/** Leaves addresses that no known secret has signed. */
function renewedText(ctx: Context, text: string): string {
  return text.replaceAll(
    mediaUrl,
    (address) => renewMediaUrl(ctx.config.sessionSecrets, address) ?? address,
  )
}
