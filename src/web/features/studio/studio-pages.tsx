/** The pages of the studio, each loaded on demand. */
import type { ComponentType } from 'react'
import { Route, Switch } from 'wouter'
import { lazyPart } from '../../parts.ts'

const tools = [
  tool('/studio', async () => (await import('./studio-page.tsx')).StudioPage),
  tool('/studio/compose', async () => (await import('./compose-page.tsx')).ComposePage),
  tool('/studio/animate', async () => (await import('./animate-page.tsx')).AnimatePage),
  tool('/studio/censor', async () => (await import('./censor-page.tsx')).CensorPage),
  tool('/studio/enhance', async () => (await import('./enhance-page.tsx')).EnhancePage),
  tool('*', async () => (await import('../../not-found-page.tsx')).NotFoundPage),
]

export function StudioPages() {
  return (
    <Switch>
      {tools.map(({ path, Tool }) => (
        <Route key={path} path={path} component={Tool} />
      ))}
    </Switch>
  )
}

function tool(path: string, load: () => Promise<ComponentType>) {
  return { path, Tool: lazyPart(load) }
}
