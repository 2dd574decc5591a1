/** The texts of connections to other services that fill sessions. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('connections', {
  connections: 'Connections',
  help: 'Sessions can be filled from your own pictures on Immich. They stay there and are shown from there.',
  loading: 'Loading connections',
  connect: 'Connect Immich',
  reconnect: 'Connect with another key',
  connectNow: 'Connect',
  connectedAt: 'Connected {time}',
  lastUsed: 'Last used {time}',
  neverUsed: 'Never used',
  key: 'API key',
  keyHelp:
    'Create it in your account settings on Immich. It needs album.read, asset.read, asset.view and memory.read, and is stored encrypted.',
  enterKey: 'Enter the key as Immich shows it.',
  trying: 'Testing the key with one album and one picture.',
  connected: 'Immich is connected.',
  end: 'Disconnect',
  endOf: 'Disconnect {name}',
  askEnd: 'Disconnect {name}?',
  endConsequence: 'The key is deleted. Slides with pictures from there stay empty.',
  ended: 'Immich is disconnected.',
  keep: 'Keep it',
  cancel: 'Cancel',
})
