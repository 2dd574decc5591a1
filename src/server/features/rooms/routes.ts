/** The routes of rooms. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { commandRoom } from './commands.ts'
import { followRoom, react } from './events.ts'
import { openRoom, readRoom, readTime } from './opening.ts'
import { addRemote, listRemotes, removeRemote } from './remotes.ts'
import { admitHost, admitLeader, admitToRoom } from './room-access.ts'

export const roomRoutes = [
  route(api.rooms.time, readTime),
  route(api.rooms.open, openRoom),
  route(api.rooms.read, readRoom, { admitByPath: admitToRoom }),
  route(api.rooms.events, followRoom, { admitByPath: admitToRoom }),
  route(api.rooms.command, commandRoom, { admitByPath: admitLeader }),
  route(api.rooms.addRemote, addRemote, { admitByPath: admitHost }),
  route(api.rooms.listRemotes, listRemotes, { admitByPath: admitHost }),
  route(api.rooms.removeRemote, removeRemote, { admitByPath: admitHost }),
  route(api.rooms.react, react, { admitByPath: admitToRoom }),
]
