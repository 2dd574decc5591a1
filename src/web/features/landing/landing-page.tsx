/**
 * The front page: a description, a show, and links to sign in, register or play the demo. Redirects a
 * signed-in user to the library.
 */
import { Captions, Images, MonitorPlay, Play, Rss } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, Redirect } from 'wouter'
import { PageLoading } from '../../frame/page-loading.tsx'
import { words as frameWords } from '../../frame/words.ts'
import { usePageTitle } from '../../page-title.ts'
import { useSite } from '../../site.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PlayPauseButton } from '../../ui/play-pause-button.tsx'
import { words as uiWords } from '../../ui/words.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { words as reportWords } from '../moderation/words.ts'
import { words } from './words.ts'

/** Users who prefer reduced motion see only the first one. */
const scenes = [
  { url: new URL('./evening-bay.svg', import.meta.url).href, title: words.scenes.bay },
  { url: new URL('./demo/lighthouse.svg', import.meta.url).href, title: words.scenes.lighthouse },
  { url: new URL('./demo/first-light.svg', import.meta.url).href, title: words.scenes.firstLight },
]

export function LandingPage() {
  usePageTitle(null)
  const { data: user } = useCurrentUser()
  if (user)
    return (
      <>
        <Redirect to="/library" replace />
        <PageLoading />
      </>
    )
  return (
    <>
      <div className="landing">
        <div className="landing-beam" aria-hidden="true" />
        <Scenes />
        <section className="landing-words">
          <h1 className="show-voice text-3xl leading-[1.14] font-[440] text-balance">
            {words.headline}
          </h1>
          <div className="mt-6 min-h-32 sm:mt-8">
            <Visitor />
          </div>
        </section>
      </div>
      <Abilities />
      <Ways />
    </>
  )
}

function Scenes() {
  const [isRunning, setIsRunning] = useState(true)
  return (
    <div className="landing-slide" data-paused={!isRunning}>
      {scenes.map(({ url, title }, index) => (
        <div key={url} className="landing-scene">
          <img src={url} alt={index === 0 ? words.sceneAlt : ''} width="600" height="600" />
          <p aria-hidden="true">{title}</p>
        </div>
      ))}
      <PlayPauseButton
        isRunning={isRunning}
        startLabel={words.movePictures}
        stopLabel={words.stopPictures}
        className="landing-pause"
        onClick={() => setIsRunning(!isRunning)}
      />
    </div>
  )
}

function Visitor() {
  const { data: user, isError, refetch } = useCurrentUser()
  const isOpen = useSite()?.registration === 'open'
  if (isError) {
    return (
      <div className="grid justify-items-start gap-3">
        <p role="alert">{words.unknownVisitor}</p>
        <Button look="line" size="big" onClick={() => void refetch()}>
          {words.askAgain}
        </Button>
      </div>
    )
  }
  if (user === undefined) return null
  return (
    <div className="grid max-w-[25rem] gap-3">
      <ButtonLink
        href="/demo"
        look="lit"
        size="big"
        icon={<Play size={18} aria-hidden="true" fill="currentColor" />}
      >
        {words.playDemo}
      </ButtonLink>
      <div className="grid gap-3 sm:flex">
        <ButtonLink href="/login" look="line" size="big" className="grow">
          {uiWords.signIn}
        </ButtonLink>
        {isOpen && (
          <ButtonLink href="/register" look="line" size="big" className="grow">
            {uiWords.createAccount}
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

function Abilities() {
  return (
    <section aria-labelledby="abilities" className="border-t border-hairline py-10 sm:py-14">
      <h2 id="abilities" className="sr-only">
        {words.whatItDoes}
      </h2>
      <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2 xl:grid-cols-4">
        <Ability icon={<Rss size={20} aria-hidden="true" />} title={words.fills}>
          {words.fillsText}
        </Ability>
        <Ability icon={<Images size={20} aria-hidden="true" />} title={words.takes}>
          {words.takesText}
        </Ability>
        <Ability icon={<Captions size={20} aria-hidden="true" />} title={words.captions}>
          {words.captionsText}
        </Ability>
        <Ability icon={<MonitorPlay size={20} aria-hidden="true" />} title={words.plays}>
          {words.playsText}
        </Ability>
      </ul>
    </section>
  )
}

function Ability({
  icon,
  title,
  children,
}: {
  icon: ReactNode
  title: string
  children: ReactNode
}) {
  return (
    <li className="grid content-start gap-2">
      <span className="text-ink-3">{icon}</span>
      <h3 className="text-lg font-semibold">{title}</h3>
      <p className="max-w-[36ch] text-pretty text-ink-2">{children}</p>
    </li>
  )
}

function Ways() {
  const site = useSite()
  return (
    <footer className="flex flex-wrap items-center gap-x-6 gap-y-1 border-t border-hairline pt-6 text-sm text-ink-2">
      <FootLink href="/community">{frameWords.community}</FootLink>
      <FootLink href="/report">{reportWords.reportSomething}</FootLink>
      <a href="/api/docs" className={footLook}>
        {words.interface}
      </a>
      {site?.sourceUrl != null && (
        <a href={site.sourceUrl} rel="noreferrer" className={footLook}>
          {words.source}
        </a>
      )}
      <p className="ms-auto text-xs text-ink-3">
        {words.licence({ version: site?.version ?? '' })}
      </p>
    </footer>
  )
}

function FootLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className={footLook}>
      {children}
    </Link>
  )
}

const footLook =
  'inline-flex min-h-11 items-center underline decoration-edge underline-offset-4 hover:text-ink'
