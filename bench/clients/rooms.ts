/**
 * Rooms: how closely two browsers and a phone keep together on slow lines, and a thousand screens in
 * a hundred rooms on one node and on two, one of which is then killed. `--soak=20` lets those of two nodes
 * stay for so many minutes and tells what memory they took.
 */
import type { ClientPart } from '../harness/goals.ts'
import { measureBrowsers } from './room-browsers.ts'
import { measureCrowd } from './room-crowd.ts'

export const parts: readonly ClientPart[] = [
  measureBrowsers,
  (options) => measureCrowd({ ...options, nodes: 1, soakMinutes: 0 }),
  // Two nodes have all that one has, and what passes between them.
  (options) => measureCrowd({ ...options, nodes: 2 }),
]
