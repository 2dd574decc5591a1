/** The properties of a file, as a list of names and values. */
import { Panel } from '../../ui/panel.tsx'
import { formatMoment, formatSize, formatTenths } from '../../words/figures.ts'
import type { OpenedFile } from './file-data.ts'
import { words } from './file-words.ts'
import { words as vaultWords } from './words.ts'

export function FileFacts({ opened: { file, caption } }: { opened: OpenedFile }) {
  const { width, height, durationMs, subfeed, characterName } = file
  const facts: readonly (readonly [name: string, value: string | null])[] = [
    [words.kind, words.types[file.type]],
    [words.size, formatSize(file.size)],
    [words.dimensions, width > 0 ? words.pixels({ width, height }) : null],
    [
      words.length,
      durationMs === null ? null : words.seconds({ seconds: formatTenths(durationMs / 1000) }),
    ],
    [words.added, formatMoment(new Date(file.created_at))],
    [words.category, vaultWords.kinds[file.category]],
    [words.caption, caption],
    [words.subfeed, subfeed],
    [words.character, characterName],
    [words.lookedAt, file.enrichedAt === null ? null : formatMoment(new Date(file.enrichedAt))],
  ]
  const isExamined = file.enrichmentStatus === 'completed'
  return (
    <Panel title={words.details}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-2 text-sm">
        {facts.map(
          ([name, value]) =>
            value !== null &&
            value !== '' && (
              <div key={name} className="contents">
                <dt className="text-ink-3">{name}</dt>
                <dd className="break-words">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <output className="mt-3 block text-xs text-ink-3 empty:hidden">
        {!isExamined && words.states[file.enrichmentStatus]}
      </output>
    </Panel>
  )
}
