/** The routes of rooms: screens, the remote, and the host's page, which only hosts load. */
import { Route, Switch } from 'wouter'
import { lazyPart } from '../../parts.ts'
import { RemotePage } from './remote-page.tsx'
import { GuestPage, TvScreenPage } from './screen-page.tsx'
import { TvPage } from './tv-page.tsx'

const HostPage = lazyPart(async () => (await import('./host-page.tsx')).HostPage)

export function RoomPages() {
  return (
    <Switch>
      <Route path="/tv" component={TvPage} />
      <Route path="/tv/:code" component={TvScreenPage} />
      <Route path="/rooms/:code" component={GuestPage} />
      <Route path="/rooms/:code/host" component={HostPage} />
      <Route path="/remote/:code" component={RemotePage} />
    </Switch>
  )
}
