/** The kinds of requests whose costs are measured. */
import type { Person } from './costs-person.ts'
import { publishedSessions, slides } from './costs-person.ts'

const photographs = 12

export type Kind = {
  readonly name: string
  /** The number of requests for a costly kind. Kinds without it are also compared on two nodes. */
  readonly requests?: number
  /** True if a job continues after the answer. Its cost is included. */
  readonly leavesWork?: boolean
  readonly atOnce?: number
  readonly send: (person: Person, url: string, number: number) => Promise<Response>
}

export const kinds: readonly Kind[] = [
  { name: 'who am I', send: (person, url) => person.get(url, '/api/auth/user') },
  { name: 'list of 50 sessions', send: (person, url) => person.get(url, '/api/sessions?limit=50') },
  {
    name: `a session of ${slides} slides`,
    send: (person, url) => person.get(url, `/api/sessions/${person.sessionId}`),
  },
  {
    name: `the community, ${publishedSessions} sessions`,
    send: (person, url) => person.get(url, '/api/community'),
  },
  {
    name: 'preview of a share',
    send: (person, url) => person.get(url, `/api/shared/${person.shareCode}/preview`),
  },
  {
    name: 'a session played: begun, and five of its slides seen',
    leavesWork: true,
    send: (person, url) => person.play(url),
  },
  {
    name: 'a session made of a file',
    leavesWork: true,
    send: (person, url, number) =>
      person.post(url, '/api/sessions/manual', {
        title: `Number ${number}`,
        slides: [{ mediaId: person.fileId }],
      }),
  },
  {
    name: 'a picture as a screen shows it, 1280 wide, sent',
    send: (person, url) => person.get(url, person.screenUrl),
  },
  {
    name: 'a photograph as it is, sent',
    requests: 100,
    send: (person, url) => person.get(url, person.pictureUrl),
  },
  {
    name: 'a photograph of 12 megapixels, taken in, with its sizes',
    requests: photographs,
    leavesWork: true,
    // An account may decode only a few pictures at a time.
    atOnce: 2,
    send: (person, url, number) => person.upload(url, number),
  },
]
