/**
 * The keys of the query cache. A key has the type of its data, so `setQueryData` cannot write another type. A
 * key that is the prefix of others (`keys.sessions.all`) invalidates or removes all of them.
 */
import type { DataTag, InfiniteData } from '@tanstack/react-query'
import type { client, SignedInUser } from './api.ts'

/** Exported because the declarations of other modules name it. */
export interface Key<Data> extends Tagged<Data> {}
type Tagged<Data> = DataTag<readonly unknown[], Data>

type Answer<Call extends (...input: never[]) => Promise<unknown>> = Awaited<ReturnType<Call>>

export type SessionPages = InfiniteData<Answer<typeof client.sessions.list>>
export type VaultPages = InfiniteData<Answer<typeof client.vault.list>>

export const keys = {
  site: key<Answer<typeof client.site.read>>('site'),
  currentUser: key<SignedInUser | null>('current-user'),
  prices: key<Answer<typeof client.credits.pricing>>('prices'),
  tags: key<Answer<typeof client.classification.tags>>('tags'),
  categories: key<Answer<typeof client.classification.categories>>('categories'),
  sessions: {
    all: ['sessions'],
    lists: ['sessions', 'list'],
    list: (filter: object) => key<SessionPages>('sessions', 'list', filter),
    toChoose: key<Answer<typeof client.sessions.list>>('sessions', 'to-choose'),
  },
  session: {
    all: ['session'],
    opened: (id: number | string) =>
      key<Answer<typeof client.sessions.read>>('session', String(id)),
  },
  /** A copy that the cache does not refresh while it is being edited. */
  editedSession: (id: string) => key<Answer<typeof client.sessions.read>>('session-to-edit', id),
  playlist: (kind: 'session' | 'shared' | 'community', id: string) => ['playlist', kind, id],
  share: (sessionId: number) => ['share', sessionId],
  sharedSession: {
    all: ['shared'],
    opened: (code: string, password: string | null) => ['shared', code, password],
    slides: (code: string, password: string | null) => ['shared', code, password, 'slides'],
  },
  sharedMedia: { all: ['shared-media'], opened: (code: string) => ['shared-media', code] },
  subfeedSuggestions: (words: string) => ['subfeed-suggestions', words],
  feedSearch: (words: string) => ['feed-search', words],
  subfeed: (subfeed: string, sort: string) => ['subfeed', subfeed, sort],
  libraryImport: (id: string | null) => ['library-import', id],
  community: {
    all: ['community'],
    list: (filter: object) => ['community', 'list', filter],
    offers: (tags: readonly string[]) => ['community', 'offers', tags],
    published: ['community', 'published'],
  },
  communitySession: (id: number | string) => ['community-session', String(id)],
  vault: {
    all: ['vault'],
    lists: ['vault', 'list'],
    list: (filter: object) => key<VaultPages>('vault', 'list', filter),
    file: (id: number | string) =>
      key<Answer<typeof client.vault.read>>('vault', 'file', String(id)),
    named: (name: string) => key<Answer<typeof client.vault.list>>('vault', 'named', name),
    storage: key<Answer<typeof client.storage.read>>('vault', 'storage'),
    filesToAdd: ['vault', 'files-to-add'],
    filesToAddNamed: (name: string) => ['vault', 'files-to-add', name],
  },
  trash: ['trash'],
  studio: {
    results: ['studio-results'],
    picture: (url: string) => ['studio-picture', url],
    enhancements: ['enhancements'],
    enhancers: ['enhancers'],
    consent: ['enhancement-consent'],
  },
  frames: ['frames'],
  frame: (token: string) => ['frame', token],
  rooms: { all: ['rooms'], remotes: (code: string) => ['rooms', code, 'remotes'] },
  /** Sessions that are stored on this device for use without a network. */
  kept: { all: ['kept'], own: ['kept', 'own'] },
  notices: { all: ['notices'], unread: ['notices', 'unread'], list: ['notices', 'list'] },
  account: {
    all: ['account'],
    bonus: ['account', 'bonus'],
    connections: ['account', 'connections'],
    /** The figures that a charge or a refund changes. */
    credits: {
      all: ['account', 'credits'],
      balance: ['account', 'credits', 'balance'],
      spending: ['account', 'credits', 'spending'],
      stats: ['account', 'credits', 'stats'],
      transactions: ['account', 'credits', 'transactions'],
    },
    holdings: ['account', 'holdings'],
    keys: ['account', 'keys'],
    passkeys: ['account', 'passkeys'],
    payments: ['account', 'payments'],
    referrals: ['account', 'referrals'],
    secondFactor: (attempt: number) => ['account', 'second-factor', attempt],
    signIns: ['account', 'sign-ins'],
  },
  offers: ['offers'],
  payment: (id: number | string) => key<Answer<typeof client.payments.read>>('payment', String(id)),
  /** All data of the administration is invalidated together: one change affects several figures. */
  admin: {
    all: ['admin'],
    part: (...parts: readonly unknown[]) => ['admin', ...parts],
    settings: key<Answer<typeof client.admin.settings>>('admin', 'settings'),
  },
} as const

/** The type exists only for the compiler. */
function key<Data>(...parts: readonly unknown[]): Key<Data> {
  return parts as Tagged<Data>
}
