/** The fields of the current and the new password. */
import { Field } from '../../ui/field.tsx'
import { words } from './words.ts'

export function CurrentPasswordField() {
  return (
    <Field
      label={words.currentPassword}
      name="currentPassword"
      type="password"
      autoComplete="current-password"
      required
      complaint={words.enterCurrentPassword}
    />
  )
}

export function NewPasswordField() {
  return (
    <Field
      label={words.newPassword}
      name="newPassword"
      type="password"
      autoComplete="new-password"
      required
      minLength={10}
      maxLength={200}
      help={words.newPasswordHelp}
      complaint={words.chooseNewPassword}
    />
  )
}
