/** What only frames call, and the dialog that makes them. */
import { createClient } from '../../../client/client.ts'
import { framesApi } from '../../../contract/frames-api.ts'

export const framesClient = createClient(framesApi)

export type Frame = Awaited<ReturnType<typeof framesClient.frames.list>>[number]
export type NewFrame = Parameters<typeof framesClient.frames.create>[0]['body']
export type FramePlaylist = Awaited<ReturnType<typeof framesClient.frames.playlist>>
export type FrameSettings = FramePlaylist['settings']
export type FrameSlide = FramePlaylist['media'][number]
