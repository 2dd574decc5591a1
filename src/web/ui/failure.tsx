/** Shows a failure as text: beside the control that caused it, or in place of content that failed to load. */
import { CircleAlert } from 'lucide-react'
import { explainReading, isSignedOut, statusOf } from '../api.ts'
import { words as requestWords } from '../requests/words.ts'
import { useSignInAddress } from '../sign-in-address.ts'
import { Button } from './button.tsx'
import { words } from './words.ts'

/** The region is always in the page, so that screen readers announce text that is added to it. */
export function Failure({ text }: { text: string | null | undefined }) {
  return (
    <p
      role="alert"
      className="rounded-control bg-danger-tint px-3 py-2.5 font-[560] text-danger empty:hidden"
    >
      {text}
      {text?.startsWith(requestWords.signedOut) && <SignInBeside />}
    </p>
  )
}

/** Replaces a page, or a part of one, whose content failed to load. */
export function CannotShow({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="m-auto grid max-w-[26rem] justify-items-center gap-3 py-16 text-center">
      <CircleAlert size={28} strokeWidth={1.5} aria-hidden="true" className="text-ink-3" />
      <p role="alert" className="text-balance text-ink-2">
        {explainReading(error)}
      </p>
      {isSignedOut(error) && <SignInInstead />}
      {mayPass(error) && <Button onClick={onRetry}>{words.tryAgain}</Button>}
    </div>
  )
}

/** Opens a new tab, so that typed input stays here. The other tab announces the sign-in to this one. */
function SignInBeside() {
  return (
    <>
      {' '}
      <a href="/login" target="_blank" rel="noopener" className="underline underline-offset-2">
        {words.signInInNewTab}
      </a>
    </>
  )
}

/** Links with a full page load: this page still treats the visitor as signed in. */
function SignInInstead() {
  return (
    <a href={useSignInAddress()} className="button button-plain button-normal">
      {words.signIn}
    </a>
  )
}

/** A retry helps after a network failure, a rate limit or a server error. Other refusals would repeat. */
function mayPass(error: unknown): boolean {
  const status = statusOf(error)
  return status === null || status === 429 || status >= 500
}

/** Says that a list shows the previous results, because there is no network to load the new ones. */
export function EarlierResults({
  list,
}: {
  list: { readonly isPlaceholderData: boolean; readonly isPaused: boolean }
}) {
  return (
    <output className="block text-sm text-ink-2">
      {list.isPlaceholderData && list.isPaused && words.earlierResults}
    </output>
  )
}
