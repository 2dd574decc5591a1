/** The owner's marks of a file: favourite and tags. Sessions can be filled by both. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client, explain } from '../../api.ts'
import { TagChips } from '../../classification/tag-chips.tsx'
import { keys } from '../../query-keys.ts'
import { Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { OpenedFile } from './file-data.ts'
import { words } from './file-words.ts'

const maxTags = 20

export function FileMarks({ file }: { file: OpenedFile['file'] }) {
  const queryClient = useQueryClient()
  const params = { id: String(file.id) }
  const mark = useMutation({
    mutationFn: (body: { tags?: string[]; isFavorite?: boolean }) =>
      client.vault.mark({ params, body }),
    // Requests run in order, so that the last choice wins.
    scope: { id: `marks-${file.id}` },
    onMutate: (body) =>
      queryClient.setQueryData<OpenedFile>(
        keys.vault.file(file.id),
        (opened) => opened && { ...opened, file: { ...opened.file, ...body } },
      ),
    onError: () => queryClient.invalidateQueries({ queryKey: keys.vault.file(file.id) }),
  })
  return (
    <Panel title={words.marks}>
      <p className="text-sm text-ink-2">{words.marksHelp}</p>
      <Switch
        label={words.favorite}
        isOn={file.isFavorite}
        onSwitch={(isFavorite) => mark.mutate({ isFavorite })}
      />
      <TagChips
        chosen={file.tags}
        onChange={(tags) => mark.mutate({ tags })}
        max={maxTags}
        className="flex flex-wrap gap-2"
      />
      <Failure text={mark.error && explain(mark.error)} />
    </Panel>
  )
}
