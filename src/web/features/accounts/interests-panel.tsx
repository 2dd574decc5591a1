/** The interests that the user chose during onboarding, editable. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, explain, type SignedInUser } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useCurrentUser, useRefreshUser } from './current-user.ts'
import { type Answers, answersOf, Question, questions } from './interests.tsx'
import { words } from './words.ts'

export function InterestsPanel() {
  const { data: user } = useCurrentUser()
  // The library asks users who have not answered yet.
  if (!user?.onboardingCompleted) return null
  return <InterestsForm user={user} />
}

function InterestsForm({ user }: { user: SignedInUser }) {
  const [answers, setAnswers] = useState<Answers>(() => answersOf(user.interests))
  const refreshUser = useRefreshUser()
  const save = useMutation({
    mutationFn: (body: Answers) => client.accounts.changeInterests({ body }),
    onSuccess: async () => {
      await refreshUser()
      showToast({ text: words.interestsSaved })
    },
  })
  return (
    <Panel title={words.interests}>
      <p className="text-sm text-ink-2">{words.interestsHelp}</p>
      {questions.map((question, step) => (
        <fieldset key={question} className="mt-4">
          <legend className="mb-2 text-sm font-[560]">{question}</legend>
          <Question
            step={step}
            answers={answers}
            onAnswer={(part) => setAnswers({ ...answers, ...part })}
          />
        </fieldset>
      ))}
      <Failure text={save.error && explain(save.error)} />
      <Button className="mt-4" isBusy={save.isPending} onClick={() => save.mutate(answers)}>
        {words.save}
      </Button>
    </Panel>
  )
}
