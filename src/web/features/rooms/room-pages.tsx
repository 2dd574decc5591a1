/** The pages of rooms that have nothing around them: screens, and the phone that leads. */
import { Route, Switch } from 'wouter'
import { RemotePage } from './remote-page.tsx'
import { GuestPage, TvScreenPage } from './screen-page.tsx'
import { TvPage } from './tv-page.tsx'

export function RoomPages() {
  return (
    <Switch>
      <Route path="/tv" component={TvPage} />
      <Route path="/tv/:code" component={TvScreenPage} />
      <Route path="/rooms/:code" component={GuestPage} />
      <Route path="/remote/:code" component={RemotePage} />
    </Switch>
  )
}
