/**
 * Rooms: how closely two browsers and a phone stay in step on slow networks, and a thousand screens in a
 * hundred rooms on one node and on two, one of which is then killed. `--soak=20` keeps the screens on two
 * nodes for that many minutes and measures memory growth.
 */
import type { ClientPart } from '../harness/goals.ts'
import { measureBrowsers } from './room-browsers.ts'
import { measureCrowd } from './room-crowd.ts'

export const parts: readonly ClientPart[] = [
  measureBrowsers,
  (options) => measureCrowd({ ...options, nodes: 1, soakMinutes: 0 }),
  // Two nodes include everything that one has, plus the traffic between them.
  (options) => measureCrowd({ ...options, nodes: 2 }),
]
