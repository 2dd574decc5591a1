/** A panel of the account page that links to a separate page, loaded only there. */
import { ButtonLink } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'

export function LinkPanel({
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
