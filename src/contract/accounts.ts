/** Accounts: signing in and out, the profile, the age gate, onboarding, referrals (contract 4.1). */
import { z } from 'zod'
import { archiveProblems } from './archives.ts'
import { creditSummary } from './credits.ts'
import { endpoint, json, redirect, stream } from './endpoint.ts'
import { failure, sentence } from './failure.ts'
import { problems } from './problems.ts'
import { securityProblems } from './security-problems.ts'
import { secondFactorProblems } from './second-factor-problems.ts'
import {
  currentPassword,
  emailAddress,
  newPassword,
  pictureUrl,
  spokenMessage,
  timestamp,
} from './values.ts'

export const roles = ['user', 'admin', 'super_admin'] as const
const contentRoles = ['creator', 'consumer'] as const
const features = [
  'sessions',
  'captions',
  'vault',
  'community',
  'composition',
  'animation',
  'enhancement',
  'search',
] as const

export const user = z
  .object({
    id: z.string(),
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    profileImageUrl: z.string().nullable(),
    role: z.enum(roles),
    isActive: z.boolean(),
    ageVerified: z.boolean(),
    birthDate: z.iso.date().nullable(),
    referralCode: z.string().regex(/^[A-Z0-9]{8}$/),
    referredBy: z.string().nullable(),
    onboardingCompleted: z.boolean(),
    interests: z.record(z.string(), z.unknown()),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'User' })

const personName = z.string().trim().min(1).max(100)

const redirectQuery = z.object({ redirect: z.string().optional() })

const interests = z.object({
  contentRole: z.enum(contentRoles),
  preferredFeatures: z.array(z.enum(features)).max(2).default([]),
  preferredTags: z.array(z.string()).max(5).default([]),
})

export const accountProblems = {
  invalidCredentials: sentence(401, 'Invalid credentials'),
  registrationClosed: sentence(403, 'Registration is closed'),
  signInFailed: sentence(400, 'Sign-in could not be completed'),
  providerUnreachable: sentence(503, 'The sign-in provider cannot be reached'),
  userNotFound: sentence(404, 'User not found'),
  lastSuperAdmin: sentence(409, 'The last super_admin cannot be lost'),
  notConfirmed: sentence(400, 'Confirm with the e-mail of the account'),
  underAge: failure(403, { code: 'UNDER_AGE' }, { message: z.string() }),
}

/** Failures of endpoints that need the password or a recent sign-in. */
export const reauthenticationProblems = [
  accountProblems.invalidCredentials,
  securityProblems.reauthenticationRequired,
] as const

export const accounts = {
  signIn: endpoint({
    method: 'POST',
    path: '/api/login',
    summary: 'Sign in with e-mail and password, as JSON or as a form.',
    who: 'anyone',
    limit: { policy: 'auth' },
    query: redirectQuery,
    // Input that cannot belong to an account is a failed sign-in like any other.
    body: z.object({
      email: z.string().trim().toLowerCase().default(''),
      password: z.string().default(''),
      /** A code of the authenticator app, or a recovery code. */
      code: z.string().optional(),
    }),
    acceptsForm: true,
    answer: redirect,
    failures: [
      accountProblems.invalidCredentials,
      problems.accountDisabled,
      secondFactorProblems.secondFactorRequired,
      secondFactorProblems.wrongSecondFactor,
    ],
    uncounted: [secondFactorProblems.secondFactorRequired],
  }),
  startSignIn: endpoint({
    method: 'GET',
    path: '/api/login',
    summary: 'Start a sign-in: the provider, the sign-in page, or the first development account.',
    who: 'anyone',
    limit: { policy: 'auth' },
    query: redirectQuery,
    answer: redirect,
    failures: [accountProblems.providerUnreachable],
  }),
  finishSignIn: endpoint({
    method: 'GET',
    path: '/api/callback',
    summary: 'The callback of the OIDC provider.',
    who: 'anyone',
    query: z.record(z.string(), z.string()),
    answer: redirect,
    failures: [
      accountProblems.signInFailed,
      accountProblems.providerUnreachable,
      problems.accountDisabled,
      problems.notFound,
    ],
  }),
  devSignIn: endpoint({
    method: 'GET',
    path: '/api/dev-login',
    summary: 'Sign in as a development account. Does not exist in production.',
    who: 'anyone',
    query: z.object({ account: z.string().default('1') }),
    answer: redirect,
    failures: [problems.notFound],
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/auth/register',
    summary: 'Create a local account and sign in to it.',
    who: 'anyone',
    limit: { policy: 'auth', bucket: 'register' },
    body: z.object({
      email: emailAddress,
      password: newPassword,
      firstName: personName.optional(),
    }),
    answer: json(201, user),
    failures: [
      accountProblems.registrationClosed,
      securityProblems.weakPassword,
      problems.alreadyExists,
    ],
  }),
  signOutByLink: endpoint({
    method: 'GET',
    path: '/api/logout',
    summary: 'Sign out and go to the front page.',
    who: 'anyone',
    changesState: true,
    answer: redirect,
    failures: [],
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out.',
    who: 'anyone',
    answer: json(200, spokenMessage),
    failures: [],
  }),
  currentUser: endpoint({
    method: 'GET',
    path: '/api/auth/user',
    summary: 'The signed-in user with the credit balance.',
    who: 'user',
    answer: json(
      200,
      user.extend({
        credits: creditSummary,
        hasPassword: z.boolean(),
        /** True if address and password are set by the environment and cannot be changed. */
        isFromEnvironment: z.boolean(),
        hasSecondFactor: z.boolean(),
      }),
    ),
    failures: [accountProblems.userNotFound],
  }),
  updateProfile: endpoint({
    method: 'PATCH',
    path: '/api/auth/user',
    summary: 'Change names and picture.',
    who: 'user',
    body: z.object({
      firstName: personName.nullish(),
      lastName: personName.nullish(),
      profileImageUrl: pictureUrl.nullish(),
    }),
    answer: json(200, user),
    failures: [],
  }),
  exportAccount: endpoint({
    method: 'GET',
    path: '/api/auth/export',
    summary: 'Export everything in the account as a zip.',
    who: 'user',
    answer: stream('application/zip'),
    failures: [accountProblems.userNotFound, archiveProblems.exportRunning],
  }),
  holdings: endpoint({
    method: 'GET',
    path: '/api/auth/user/holdings',
    summary: 'Count what deleting the account would delete.',
    who: 'user',
    answer: json(
      200,
      z.object({
        sessions: z.int(),
        files: z.int(),
        fileBytes: z.int(),
        published: z.int(),
        links: z.int(),
        credits: z.int(),
      }),
    ),
    failures: [],
  }),
  deleteAccount: endpoint({
    method: 'DELETE',
    path: '/api/auth/user',
    summary:
      'Delete the account and all that it holds, confirmed by its e-mail and a recent sign-in or the password.',
    who: 'user',
    body: z.object({ confirm: z.string().max(254), currentPassword }),
    answer: json(200, spokenMessage),
    failures: [
      ...reauthenticationProblems,
      accountProblems.notConfirmed,
      accountProblems.lastSuperAdmin,
      problems.storageUnreachable,
    ],
  }),
  verifyAge: endpoint({
    method: 'POST',
    path: '/api/auth/verify-age',
    summary: 'Verify the age by date of birth, or withdraw the verification.',
    who: 'user',
    body: z
      .object({ birthDate: z.iso.date().optional(), ageVerified: z.boolean() })
      .refine((body) => body.birthDate !== undefined || !body.ageVerified, {
        path: ['birthDate'],
        error: 'is required',
      }),
    answer: json(200, spokenMessage.extend({ user })),
    failures: [accountProblems.underAge],
  }),
  completeOnboarding: endpoint({
    method: 'POST',
    path: '/api/user/onboarding',
    summary: 'Complete the onboarding. Works once.',
    who: 'user',
    body: interests,
    answer: json(200, user),
    failures: [problems.alreadyExists],
  }),
  changeInterests: endpoint({
    method: 'PUT',
    path: '/api/user/interests',
    summary: 'Change the onboarding answers.',
    who: 'user',
    body: interests,
    answer: json(200, user),
    failures: [],
  }),
  resetOnboarding: endpoint({
    method: 'POST',
    path: '/api/user/onboarding/reset',
    summary: 'Reset the onboarding. For administrators, and for everyone outside production.',
    who: 'user',
    answer: json(200, user),
    failures: [problems.forbidden],
  }),
  referrals: endpoint({
    method: 'GET',
    path: '/api/user/referrals',
    summary: 'The caller’s referral code and its referrals.',
    who: 'user',
    answer: json(
      200,
      z.object({
        referralCode: z.string(),
        referralUrl: z.string(),
        total: z.int(),
        creditsEarned: z.int(),
        recent: z.array(z.object({ firstName: z.string().nullable(), joinedAt: timestamp })),
      }),
    ),
    failures: [],
  }),
}
