/** The types of frames from the API. */
import type { client } from '../../api.ts'

export type Frame = Awaited<ReturnType<typeof client.frames.list>>[number]
export type NewFrame = Parameters<typeof client.frames.create>[0]['body']
export type FramePlaylist = Awaited<ReturnType<typeof client.frames.playlist>>
export type FrameSettings = FramePlaylist['settings']
