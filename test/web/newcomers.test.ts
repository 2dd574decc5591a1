/** Suggestions for new accounts from their answers, and the target of a report from a pasted address. */
import { describe, expect, test } from 'vitest'
import { likedTags, nextStepsFor } from '../../src/web/features/library/next-steps.ts'
import { reportTargetAt } from '../../src/web/features/moderation/form/report-address.ts'
import { describeLength } from '../../src/web/features/sessions/session-length.ts'

describe('ways on', () => {
  const hrefs = (interests: Record<string, unknown>) =>
    nextStepsFor(interests).map(({ href }) => href)

  test('fit the role, with the chosen features first, each once', () => {
    expect(hrefs({})).toEqual(['/community', '/sessions/new/feeds'])
    expect(hrefs({ contentRole: 'creator' })).toEqual([
      '/sessions/new/manual',
      '/import',
      '/sessions/new/feeds',
    ])
    const named = { contentRole: 'creator', preferredFeatures: ['search', 'sessions'] }
    expect(hrefs(named)).toEqual(['/sessions/new/feeds', '/sessions/new/manual', '/import'])
  })

  test('leave out what no page does, and what is no answer', () => {
    expect(hrefs({ preferredFeatures: ['animation', 7, 'vault'] })[0]).toBe('/import')
    expect(hrefs({ preferredFeatures: 'vault' })).toEqual(['/community', '/sessions/new/feeds'])
    expect(likedTags({ preferredTags: ['night', null] })).toEqual(['night'])
  })
})

describe('an address that is reported', () => {
  const code = '3F1C9A2E-7b54-4d0e-9c0d-1a2b3c4d5e6f'

  test('is recognised by its path, with any text around it', () => {
    const shareCode = code.toLowerCase()
    const session = { targetType: 'shared_session', shareCode }
    expect(reportTargetAt(` https://a.example/shared/${code}?r=ABCD1234 `)).toEqual(session)
    expect(reportTargetAt(`/shared/${code}/play`)).toEqual(session)
    expect(reportTargetAt(code)).toEqual(session)
    expect(reportTargetAt(`https://a.example/shared/media/${code}`)).toEqual({
      targetType: 'shared_media',
      shareCode,
    })
    expect(reportTargetAt('https://a.example/community/12/play')).toEqual({
      targetType: 'community_session',
      targetId: 12,
    })
    for (const path of ['rooms/abc234', 'rooms/ABC234/host', 'tv/ABC234'])
      expect(reportTargetAt(`https://a.example/${path}`)).toEqual({
        targetType: 'room',
        shareCode: 'ABC234',
      })
  })

  test('is of nothing otherwise', () => {
    for (const text of ['', 'https://a.example', '/community', '/community/012', '/shared/abc'])
      expect(reportTargetAt(text), text).toBeNull()
  })
})

describe('the length of a session', () => {
  const pace = { intervalMin: 4, intervalMax: 8, isManualMode: false }
  const still = { type: 'image', durationMs: null, lengthMs: null } as const

  test('adds what each slide has to itself to the usual pace', () => {
    expect(describeLength(pace, [still, still])).toBe('about 12 seconds')
    expect(describeLength(pace, [{ ...still, durationMs: 84_000 }, still])).toBe('about 2 minutes')
    const film = { type: 'video', durationMs: null, lengthMs: 54_000 } as const
    expect(describeLength(pace, [film, still])).toBe('about 1 minute')
  })

  test('is not shown if it is unknown', () => {
    expect(describeLength(pace, [])).toBeNull()
    expect(describeLength({ ...pace, isManualMode: true }, [still])).toBeNull()
  })
})
