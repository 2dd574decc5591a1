import { expect, test } from 'vitest'
import { loggablePath } from '../../src/server/platform/log.ts'

test.each([
  ['/api/sessions/12/media/3', '/api/sessions/12/media/3'],
  ['/api/auth/sign-ins?x=1', '/api/auth/sign-ins'],
  ['/api/openapi.json', '/api/openapi.json'],
  ['/api/shared/3f1c9a2e-7b54-4d0e-9c0d-1a2b3c4d5e6f/preview', '/api/shared/*/preview'],
  ['/rooms/K7Q2MX/host', '/rooms/*/host'],
  [
    '/media/user-media/users/abc-1/General/general-1700-x.png?s=abc',
    '/media/user-media/users/*/*/*',
  ],
  ['/api/frames/dG9rZW5zLWFyZS1sb25nLWFuZC1yYW5kb20/playlist', '/api/frames/*/playlist'],
  ['/', '/'],
])('of %s the log says %s', (url, said) => {
  expect(loggablePath(url)).toBe(said)
})
