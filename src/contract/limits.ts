/**
 * The names of the rate limits, so that an endpoint can say which one it falls under. The numbers
 * are settings, and the rules of counting live on the server.
 */

export const limitPolicies = [
  'public',
  'captions',
  'feed',
  'auth',
  'import',
  'callback',
  'payment',
  'webhook',
  'admin',
  'report',
  'upload',
  'share_password',
  'mail',
  'room',
] as const

export type PolicyName = (typeof limitPolicies)[number]

/**
 * 'below 400': a request that ended in an error is free. 'failures': only what failed counts, and
 * the handler says so, since a failed sign-in from a browser's form answers 302 like a good one.
 */
export type Counting = 'all' | 'below 400' | 'failures'

export type EndpointLimit = {
  readonly policy: PolicyName
  /** With a name the endpoint draws on tokens of its own, under the same numbers. */
  readonly bucket?: string | undefined
  /** Where the endpoint counts by address though the policy counts by user. */
  readonly key?: 'ip' | undefined
  /** Where the endpoint counts otherwise than the rest of the policy, on the same tokens. */
  readonly counts?: Counting | undefined
}
