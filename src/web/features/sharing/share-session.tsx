/** Sharing. */
import type { Session } from '../sessions/session-data.ts'
export function ShareSession({ session, onClose }: { session: Session; onClose: () => void }) {
  return <button onClick={onClose}>{session.title}</button>
}
