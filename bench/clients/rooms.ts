/**
 * Rooms: how closely two browsers and a phone keep together on slow lines, and a thousand screens in
 * a hundred rooms on one node and on two, one of which is then killed. `--soak=20` lets those of two nodes
 * stay for so many minutes and tells what memory they took.
 */
import type { ClientBenchmark, GoalFinding } from '../harness/goals.ts'
import { measureBrowsers } from './room-browsers.ts'
import { measureCrowd } from './room-crowd.ts'

export const measure: ClientBenchmark = async ({ soakMinutes, progress }) => {
  const findings: GoalFinding[] = []
  findings.push(...(await measureBrowsers(progress)))
  findings.push(...(await measureCrowd({ nodes: 1, soakMinutes: 0, progress })))
  // Two nodes have all that one has, and what passes between them.
  findings.push(...(await measureCrowd({ nodes: 2, soakMinutes, progress })))
  return findings
}
