/**
 * The names of the rate limits, so that an endpoint can name its own. The numbers are settings, and the
 * counting rules are on the server.
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
 * The requests that a limit counts. 'below 400': an error costs nothing. 'failures': only failures count.
 * The handler reports them, because a failed sign-in from a browser form also answers 302.
 */
export type Counting = 'all' | 'below 400' | 'failures'

export type EndpointLimit = {
  readonly policy: PolicyName
  /** A named bucket has its own tokens, with the same numbers. */
  readonly bucket?: string | undefined
  /** Set if the endpoint counts by address although the policy counts by user. */
  readonly key?: 'ip' | undefined
  /** Set if the endpoint counts other outcomes than the policy, with the same tokens. */
  readonly counts?: Counting | undefined
}
