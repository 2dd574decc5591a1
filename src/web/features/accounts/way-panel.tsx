/** On the page of the account: the way to a page of its own, which is loaded only there. */
import { ButtonLink } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'

export function WayPanel({
  title,
  help,
  href,
  label,
}: {
  title: string
  help: string
  href: string
  label: string
}) {
  return (
    <Panel title={title}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-2">{help}</p>
        <ButtonLink look="line" href={href}>
          {label}
        </ButtonLink>
      </div>
    </Panel>
  )
}
