/** Plays scenes in parallel. A scene that lost a request on a killed node is restarted with other users. */
import { LostInFlight } from '../cluster-wire.ts'
import type { Scene, Stage } from './stage.ts'

const maxTries = 25

export type Played = { scenes: number; repeats: number; readonly broken: string[] }

export async function playScenes(
  stage: Stage,
  scenes: Readonly<Record<string, Scene>>,
  {
    atOnce,
    played,
    say,
    isOver,
  }: {
    readonly atOnce: number
    readonly played: Played
    readonly say: (line: string) => void
    /** Returns true when no more scenes may begin. */
    readonly isOver: () => boolean
  },
): Promise<void> {
  const queue = Object.entries(scenes)
  const lane = async () => {
    for (let next = queue.shift(); next && !isOver(); next = queue.shift()) {
      const [name, scene] = next
      const beganMs = performance.now()
      const { tries, fault } = await playOne(stage, scene)
      played.scenes += 1
      played.repeats += tries - 1
      if (fault !== null) played.broken.push(`${name}: ${fault}`)
      const seconds = ((performance.now() - beganMs) / 1000).toFixed(1)
      say(`${name}: ${seconds} s${tries > 1 ? `, ${tries} tries` : ''}${fault ? `, ${fault}` : ''}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

async function playOne(
  stage: Stage,
  scene: Scene,
): Promise<{ tries: number; fault: string | null }> {
  for (let tries = 1; ; tries += 1) {
    try {
      await scene(stage)
      return { tries, fault: null }
    } catch (error) {
      if (error instanceof LostInFlight && tries < maxTries) continue
      return {
        tries,
        fault: (error instanceof Error ? error.message : String(error)).slice(0, 900),
      }
    }
  }
}
