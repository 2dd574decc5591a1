/** Accounts, as a table of contents. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { verifyAge } from './age-gate.ts'
import { devSignIn } from './dev-accounts.ts'
import { signOutByLink, register, signIn, signOut } from './local-accounts.ts'
import { beginSignIn, finishSignIn } from './oidc-sign-in.ts'
import {
  changeInterests,
  completeOnboarding,
  listReferrals,
  readCurrentUser,
  resetOnboarding,
  updateProfile,
} from './profile.ts'
import { changeEmail, confirmEmail } from './security/email-change.ts'
import { changePassword, forgotPassword, resetPassword } from './security/password-changes.ts'
import { endOneSignIn, endOtherSignIns, listSignIns } from './security/sign-in-list.ts'

export const accountRoutes = [
  route(api.accounts.signIn, signIn),
  route(api.accounts.startSignIn, beginSignIn),
  route(api.accounts.finishSignIn, finishSignIn),
  route(api.accounts.devSignIn, devSignIn),
  route(api.accounts.register, register),
  route(api.accounts.signOutByLink, signOutByLink),
  route(api.accounts.signOut, signOut),
  route(api.accounts.currentUser, readCurrentUser),
  route(api.accounts.updateProfile, updateProfile),
  route(api.accounts.verifyAge, verifyAge),
  route(api.accounts.completeOnboarding, completeOnboarding),
  route(api.accounts.changeInterests, changeInterests),
  route(api.accounts.resetOnboarding, resetOnboarding),
  route(api.accounts.referrals, listReferrals),
  route(api.security.changePassword, changePassword),
  route(api.security.forgotPassword, forgotPassword),
  route(api.security.resetPassword, resetPassword),
  route(api.security.changeEmail, changeEmail),
  route(api.security.confirmEmail, confirmEmail),
  route(api.security.listSignIns, listSignIns),
  route(api.security.endSignIn, endOneSignIn),
  route(api.security.endOtherSignIns, endOtherSignIns),
]
