/** The onboarding: three questions about role, features and tags. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { client, codeOf, explain, type SignedInUser } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Ticks } from '../../ui/ticks.tsx'
import { type Answers, Question, questions, unanswered } from './interests.tsx'
import { words } from './words.ts'

/** The part of the answers that skipping a question resets. */
const skipped: readonly Partial<Answers>[] = [
  { contentRole: unanswered.contentRole },
  { preferredFeatures: [] },
  { preferredTags: [] },
]

export function Onboarding({ user, height }: { user: SignedInUser; height: string }) {
  const [step, setStep] = useState(0)
  const [answers, setAnswers] = useState(unanswered)
  const finish = useFinish(user)
  const isLast = step === questions.length - 1
  const heading = useRef<HTMLHeadingElement>(null)
  const goTo = (step: number) => {
    flushSync(() => setStep(step))
    heading.current?.focus()
  }
  return (
    <section
      aria-labelledby="welcome"
      className={`mb-6 grid content-start gap-4 rounded-mount bg-mount p-5 shadow-mount sm:p-6 ${height}`}
    >
      <div className="flex items-center justify-between gap-4">
        <p className="text-sm text-ink-2">{words.onboarding}</p>
        <Ticks
          label={words.onboardingProgress}
          done={step + 1}
          total={questions.length}
          className="w-20"
        />
      </div>
      <h2
        ref={heading}
        id="welcome"
        tabIndex={-1}
        className="show-voice text-xl font-[500] outline-none"
      >
        {questions[step]}
      </h2>
      <Failure text={finish.error && explain(finish.error)} />
      <div className="flex flex-col gap-4 sm:flex-row sm:items-end sm:justify-between">
        <Question
          step={step}
          answers={answers}
          onAnswer={(part) => setAnswers({ ...answers, ...part })}
        />
        <div className="flex shrink-0 gap-2">
          <Button
            isBusy={finish.isPending}
            onClick={() => (isLast ? finish.mutate(answers) : goTo(step + 1))}
          >
            {isLast ? words.done : words.next}
          </Button>
          {step > 0 && (
            <Button look="line" onClick={() => goTo(step - 1)}>
              {words.back}
            </Button>
          )}
          <Button look="bare" onClick={() => finish.mutate({ ...answers, ...skipped[step] })}>
            {words.skip}
          </Button>
        </div>
      </div>
    </section>
  )
}

function useFinish(user: SignedInUser) {
  const queryClient = useQueryClient()
  const leave = (interests = user.interests) => {
    const answered: SignedInUser = { ...user, interests, onboardingCompleted: true }
    queryClient.setQueryData(keys.currentUser, answered)
    // The questions disappear, so the main content takes the focus.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return useMutation({
    mutationFn: (body: Answers) => client.accounts.completeOnboarding({ body }),
    onSuccess: ({ interests }) => leave(interests),
    // ALREADY_EXISTS means answered in another tab.
    onError: (error) => {
      if (codeOf(error) === 'ALREADY_EXISTS') leave()
    },
  })
}
