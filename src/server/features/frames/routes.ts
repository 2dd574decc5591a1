/** All routes of frames. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { changeFrame, createFrame, listFrames, removeFrame, renewFrame } from './frames.ts'
import { readPlaylist } from './playlist.ts'

export const frameRoutes = [
  route(api.frames.list, listFrames),
  route(api.frames.create, createFrame),
  route(api.frames.update, changeFrame),
  route(api.frames.remove, removeFrame),
  route(api.frames.renew, renewFrame),
  route(api.frames.playlist, readPlaylist),
]
