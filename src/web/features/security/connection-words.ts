/** The texts of connections to other services that fill sessions. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('connections', {
  connections: 'Connections',
  help: 'Sessions can be filled from your own pictures on Immich. They stay there and are shown from there.',
  loading: 'Looking for your connections',
  connect: 'Connect Immich',
  connectAnew: 'Connect with another key',
  connectNow: 'Connect',
  connectedAt: 'Connected {time}',
  lastUsed: 'Last used {time}',
  neverUsed: 'Never used',
  key: 'API key',
  keyHelp:
    'Made on Immich, in your account settings. It needs album.read, asset.read, asset.view and memory.read, and is kept encrypted.',
  enterKey: 'Enter the key as Immich shows it.',
  trying: 'Trying the key on one album and one picture.',
  connected: 'Immich is connected.',
  end: 'End',
  endOf: 'End the connection with {name}',
  askEnd: 'End the connection with {name}?',
  endConsequence: 'The key is forgotten. Slides that show pictures from there stay empty.',
  ended: 'The connection is ended.',
  keep: 'Keep it',
  cancel: 'Cancel',
})
