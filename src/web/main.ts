/** The entry of the web client. If the application cannot be loaded, the page reloads when the network is back. */
import { listenForEarlyDrop } from './uploads/early-drop.ts'

listenForEarlyDrop()
import('./draw-app.tsx')
  .then(({ drawApp }) => drawApp())
  .catch(() => (window.ononline = () => window.location.reload()))
