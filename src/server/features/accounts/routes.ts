/** All routes of accounts. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { verifyAge } from './age-gate.ts'
import { devSignIn } from './dev-accounts.ts'
import { createKey, listKeys, removeKey } from './keys/keys.ts'
import { signOutByLink, register, signIn, signOut } from './local-accounts.ts'
import { passkeySignIn, passkeySignInOptions } from './passkeys/passkey-sign-in.ts'
import {
  addPasskey,
  listPasskeys,
  passkeyOptions,
  removePasskey,
  renamePasskey,
} from './passkeys/passkeys.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
} from './second-factor/second-factor.ts'
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
  route(api.keys.list, listKeys),
  route(api.keys.create, createKey),
  route(api.keys.remove, removeKey),
  route(api.secondFactor.begin, beginSecondFactor),
  route(api.secondFactor.confirm, confirmSecondFactor),
  route(api.secondFactor.remove, removeSecondFactor),
  route(api.passkeys.list, listPasskeys),
  route(api.passkeys.registrationOptions, passkeyOptions),
  route(api.passkeys.add, addPasskey),
  route(api.passkeys.rename, renamePasskey),
  route(api.passkeys.remove, removePasskey),
  route(api.passkeys.signInOptions, passkeySignInOptions),
  route(api.passkeys.signIn, passkeySignIn),
]
