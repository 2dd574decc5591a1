/** The middleware that loads the session's user for every later route. */
import { eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { RequestHandler } from 'express'
import { users } from './tables.ts'

export type User = typeof users.$inferSelect

declare module 'express-serve-static-core' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface Locals {
    user: User
  }
}

export function requireUser(db: NodePgDatabase): RequestHandler {
  return async (request, response, next) => {
    const { userId } = request.session
    const [user] = userId ? await db.select().from(users).where(eq(users.id, userId)) : []
    if (!user?.isActive) {
      response.status(401).json({ message: 'Unauthorized' })
      return
    }
    response.locals.user = user
    next()
  }
}
