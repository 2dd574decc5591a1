/** A failure in words: beside what caused it, or in place of what could not be shown. */
import { CircleAlert } from 'lucide-react'
import { explainReading, isSignedOut, statusOf } from '../api.ts'
import { words as requestWords } from '../requests/words.ts'
import { useSignInAddress } from '../sign-in-address.ts'
import { Button } from './button.tsx'
import { words } from './words.ts'

/** The region is always there, so that screen readers notice when words come into it. */
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

/** In place of a page, or a part of one, whose content did not come. */
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

/** In a tab of its own: what was typed beside the failure stays, and the other tab tells this one. */
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

/** A full load: this page still takes whoever was signed in for being so. */
function SignInInstead() {
  return (
    <a href={useSignInAddress()} className="button button-plain button-normal">
      {words.signIn}
    </a>
  )
}

/** What the server refuses, it refuses again. */
function mayPass(error: unknown): boolean {
  const status = statusOf(error)
  return status === null || status === 429 || status >= 500
}

/** Above a list that shows the results before, because there is no network for the new ones. */
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
