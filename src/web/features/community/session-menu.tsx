/**
 * The menu on the card of a published session: save a copy, with its price, or report it. Saving asks guests to
 * sign in.
 */
import { Bookmark, Ellipsis, Flag } from 'lucide-react'
import { words as frameWords } from '../../frame/words.ts'
import { useSignInAddress } from '../../sign-in-address.ts'
import { Menu } from '../../ui/menu.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { usePrice } from '../accounts/prices.ts'
import { useReport } from '../moderation/report-button.tsx'
import { words as moderationWords } from '../moderation/words.ts'
import { words as sessionWords } from '../sessions/words.ts'
import { useSave } from './save-session.ts'
import { words } from './words.ts'

export function SessionMenu({ id, title }: { id: number; title: string }) {
  const { data: user } = useCurrentUser()
  const price = usePrice('session_create')
  const save = useSave(id)
  const signInAddress = useSignInAddress()
  const report = useReport({ targetType: 'community_session', targetId: id })
  const saving =
    price === undefined
      ? words.saveCopy
      : words.saveCopyFor({ price: sessionWords.price({ count: price }) })
  return (
    <>
      <Menu
        label={words.moreOf({ title })}
        trigger={<Ellipsis size={18} aria-hidden="true" />}
        heading={
          price !== undefined &&
          user && (
            <p className="px-2.5 pt-2 pb-1.5 text-xs text-ink-3">
              {words.youHave({ credits: frameWords.creditsLeft({ count: user.credits.balance }) })}
            </p>
          )
        }
        entries={[
          user
            ? {
                kind: 'action',
                label: saving,
                icon: <Bookmark size={18} />,
                onSelect: () => save.mutate(undefined, { onError: showFailure }),
              }
            : {
                kind: 'link',
                label: saving,
                icon: <Bookmark size={18} />,
                href: signInAddress,
              },
          {
            kind: 'action',
            label: moderationWords.report,
            icon: <Flag size={18} />,
            onSelect: report.open,
          },
        ]}
      />
      {report.dialog}
    </>
  )
}
