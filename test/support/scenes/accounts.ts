/** Scenes of accounts, sign-in methods, and account security. */
import { shownCode } from '../authenticator-app.ts'
import { createAuthenticator } from '../authenticator.ts'
import { tokenIn } from '../mail-server.ts'
import type { Claims } from '../oidc-server.ts'
import type { Person } from '../world.ts'
import { password, refused } from '../world.ts'
import type { Scene, Stage } from './stage.ts'
import { call, nobodys, nobodysUuid, until } from './stage.ts'

const newPassword = 'quite another password'
const interests = { contentRole: 'creator' as const, preferredTags: [] }

const account: Scene = async ({ as, visitor, admin }) => {
  const ana = await as('ana')
  const again = { email: ana.email, password }
  await refused(visitor().accounts.register({ body: again }))
  await refused(
    visitor().accounts.register({ body: { email: `w${ana.email}`, password: 'Qwertyuiop' } }),
  )
  await refused(visitor().accounts.signIn({ body: { email: ana.email, password: 'wrong' } }))
  await visitor().accounts.signIn({ body: again })
  await ana.accounts.updateProfile({ body: { firstName: 'Anna' } })
  await refused(ana.accounts.verifyAge({ body: { birthDate: '2020-01-01', ageVerified: true } }))
  await ana.accounts.completeOnboarding({ body: interests })
  await refused(ana.accounts.completeOnboarding({ body: interests }))
  await ana.accounts.changeInterests({ body: interests })
  await call(ana, 'accounts.resetOnboarding')
  await call(await admin(), 'accounts.resetOnboarding')
  await ana.accounts.referrals()
  await ana.accounts.holdings()
  await call(ana, 'accounts.exportAccount')
  await refused(ana.accounts.deleteAccount({ body: { confirm: 'no' } }))
  const gone = visitor()
  await gone.accounts.signIn({ body: again })
  await gone.accounts.signOut()
  const link = visitor()
  await link.accounts.signIn({ body: again })
  await link.accounts.signOutByLink()
  await refused(visitor().accounts.devSignIn({ query: { account: '9' } }))
  await ana.accounts.deleteAccount({ body: { confirm: ana.email } })
}

const disabled: Scene = async ({ as, visitor, admin, url }) => {
  const ida = await as('ida')
  const { id } = await ida.accounts.currentUser()
  const device = createAuthenticator({ rpId: 'localhost', origin: url })
  const options = await ida.passkeys.registrationOptions()
  await ida.passkeys.add({ body: { name: 'Phone', response: device.register(options) } })
  await (await admin()).admin.changeUser({ params: { id }, body: { isActive: false } })
  await refused(visitor().accounts.signIn({ body: { email: ida.email, password } }))
  const browser = visitor()
  const asked = await browser.passkeys.signInOptions()
  await refused(browser.passkeys.signIn({ body: { response: device.sign(asked) } }))
}

const passwords: Scene = async ({ as, visitor, mail, admin }) => {
  const ana = await as('ana')
  const change = (currentPassword: string, wanted: string) =>
    ana.security.changePassword({ body: { currentPassword, newPassword: wanted } })
  await refused(change('wrong', newPassword))
  await refused(change(password, 'Qwertyuiop'))
  await change(password, newPassword)
  const dev = await admin()
  await refused(dev.security.changePassword({ body: { newPassword } }))
  await refused(
    dev.security.changeEmail({ body: { email: 'x@example.test', currentPassword: 'x' } }),
  )
  await visitor().security.forgotPassword({ body: { email: ana.email } })
  const [sent] = await until(
    async () => mail.to(ana.email).filter(({ text }) => text.includes('token=')),
    ({ length }) => length > 0,
  )
  const reset = (token: string, wanted: string) =>
    visitor().security.resetPassword({ body: { token, newPassword: wanted } })
  await refused(reset('nothing', newPassword))
  await refused(reset(tokenIn(sent), 'Qwertyuiop'))
  await reset(tokenIn(sent), password)
  const developer = 'dev1@example.test'
  await visitor().security.forgotPassword({ body: { email: developer } })
  const fixed = await until(
    async () => mail.to(developer).filter(({ text }) => text.includes('token=')),
    ({ length }) => length > 0,
  )
  await refused(reset(tokenIn(fixed.at(-1)), newPassword))
  const back = visitor()
  await back.accounts.signIn({ body: { email: ana.email, password } })
  const email = `new-${ana.email}`
  await refused(back.security.changeEmail({ body: { email, currentPassword: 'wrong' } }))
  await back.security.changeEmail({ body: { email, currentPassword: password } })
  const [confirm] = await until(
    async () => mail.to(email),
    ({ length }) => length > 0,
  )
  await refused(visitor().security.confirmEmail({ body: { token: 'nothing' } }))
  await visitor().security.confirmEmail({ body: { token: tokenIn(confirm) } })
}

const signIns: Scene = async ({ as, visitor }) => {
  const ana = await as('ana')
  const other = visitor()
  await other.accounts.signIn({ body: { email: ana.email, password } })
  const list = await ana.security.listSignIns()
  const id = list.find(({ isCurrent }) => !isCurrent)?.id ?? ''
  await ana.security.endSignIn({ params: { id } })
  await refused(ana.security.endSignIn({ params: { id } }))
  await ana.security.endOtherSignIns()
}

const secondFactor: Scene = async ({ as, visitor }) => {
  const ana = await as('ana')
  const { secret } = await ana.secondFactor.begin()
  await refused(ana.secondFactor.confirm({ body: { code: '000000' } }))
  await ana.secondFactor.confirm({ body: { code: shownCode(secret, new Date()) } })
  await refused(ana.secondFactor.begin())
  const again = { email: ana.email, password }
  await refused(visitor().accounts.signIn({ body: again }))
  await refused(visitor().accounts.signIn({ body: { ...again, code: '000000' } }))
  await refused(ana.secondFactor.remove({ body: { currentPassword: 'wrong' } }))
  await ana.secondFactor.remove({ body: { currentPassword: password } })
}

const passkeys: Scene = async ({ as, visitor, url }) => {
  const ana = await as('ana')
  const device = createAuthenticator({ rpId: 'localhost', origin: url })
  const options = await ana.passkeys.registrationOptions()
  const response = device.register(options)
  const { id } = await ana.passkeys.add({ body: { name: 'Phone', response } })
  await refused(ana.passkeys.add({ body: { name: 'Phone', response } }))
  await ana.passkeys.list()
  await ana.passkeys.rename({ params: { id }, body: { name: 'Old phone' } })
  await call(ana, 'passkeys.rename', { params: { id }, json: { name: '' } })
  const nothing = { params: { id: nobodysUuid } }
  await refused(ana.passkeys.rename({ ...nothing, body: { name: 'x' } }))
  await refused(ana.passkeys.remove(nothing))
  const browser = visitor()
  const asked = await browser.passkeys.signInOptions()
  await browser.passkeys.signIn({ body: { response: device.sign(asked) } })
  await refused(browser.passkeys.signIn({ body: { response: device.sign(asked) } }))
  await ana.passkeys.remove({ params: { id } })
}

const singleSignOn: Scene = async (stage) => {
  const { visitor, admin } = stage
  const subject = `uma-${Math.round(performance.now())}`
  const uma = visitor()
  await enterBy(stage, uma, subject)
  const { id } = await uma.accounts.currentUser()
  await refused(uma.secondFactor.begin())
  await call(uma, 'security.changePassword', { json: { newPassword } })
  await call(uma, 'security.changeEmail', { json: { email: `${subject}@example.test` } })
  await call(visitor(), 'accounts.finishSignIn', { query: '?code=x&state=y' })
  await (await admin()).admin.changeUser({ params: { id }, body: { isActive: false } })
  await enterBy(stage, visitor(), subject)
}

/** The super administrator, whose role comes from the provider; the site has no other. */
const superAdmin: Scene = async (stage) => {
  const root = stage.visitor()
  await enterBy(stage, root, 'root-of-all', { role: 'super_admin' })
  const { id, email } = await root.accounts.currentUser()
  await call(root, 'admin.changeUser', { params: { id }, json: { isActive: false } })
  await call(root, 'accounts.deleteAccount', { json: { confirm: email } })
}

/** Prepares a user without a password, for a start of the site without the provider. */
const guarded: Scene = async (stage) => {
  const una = stage.visitor()
  await enterBy(stage, una, `una-${Math.round(performance.now())}`)
  const device = createAuthenticator({ rpId: 'localhost', origin: stage.url })
  const options = await una.passkeys.registrationOptions()
  await una.passkeys.add({ body: { name: 'Phone', response: device.register(options) } })
  stage.kept.guarded = una
}

/** Signs in with the provider. */
async function enterBy(
  { oidc, url }: Stage,
  person: Person,
  subject: string,
  claims: Claims = {},
): Promise<void> {
  oidc.person(subject, { email: `${subject}@example.test`, email_verified: true, ...claims })
  const begun = await person.fetch('/api/login')
  const { search } = await oidc.authorize(begun.headers.get('location') ?? url, subject)
  await call(person, 'accounts.finishSignIn', { query: search })
}

const keys: Scene = async ({ as }) => {
  const ana = await as('ana')
  const { id } = await ana.keys.create({ body: { name: 'A program', scopes: ['rooms'] } })
  await ana.keys.list()
  await ana.keys.remove({ params: { id } })
  await refused(ana.keys.remove({ params: { id } }))
  await call(ana, 'keys.remove', { param: nobodys })
}

export const accountScenes = {
  account,
  disabled,
  passwords,
  signIns,
  secondFactor,
  passkeys,
  singleSignOn,
  superAdmin,
  guarded,
  keys,
} satisfies Record<string, Scene>
