/**
 * The conventional stack, set up as in its manuals: Express, express-session in PostgreSQL through
 * connect-pg-simple, Drizzle for queries, and objects mapped in JavaScript.
 */
import connectPgSimple from 'connect-pg-simple'
import { drizzle } from 'drizzle-orm/node-postgres'
import express from 'express'
import session from 'express-session'
import { Pool } from 'pg'
import { accountRouter } from './express/accounts.ts'
import { imageRouter } from './express/images.ts'
import { ledgerRouter } from './express/ledger.ts'
import { sessionRouter } from './express/sessions.ts'
import { uploadRouter } from './express/uploads.ts'
import { vaultRouter } from './express/vault.ts'

declare module 'express-session' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface SessionData {
    userId: string
  }
}

const poolSize = 12
const sessionLifetimeMs = 7 * 24 * 3600 * 1000

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: poolSize })
const SessionStore = connectPgSimple(session)

const app = express()
app.use(express.json())
app.use(
  session({
    // Another name than our cookie, so that one request works for all contenders.
    name: 'express.sid',
    secret: process.env['SESSION_SECRET'] ?? '',
    store: new SessionStore({ pool }),
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: sessionLifetimeMs, secure: true },
  }),
)
const db = drizzle(pool)
app.use(accountRouter(db))
app.use(imageRouter(db))
app.use(ledgerRouter(db))
app.use(sessionRouter(db))
app.use(uploadRouter(db))
app.use(vaultRouter(db))
app.listen(Number(process.env['PORT']), process.env['HOST'] ?? '127.0.0.1')
