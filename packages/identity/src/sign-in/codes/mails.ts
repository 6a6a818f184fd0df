import type { Mail } from '@svc/mail'
import type { SentCode } from './codes.ts'
import type { SignInContext } from '../context.ts'

const subjects = {
  signup: 'Confirm your address',
  magic_link: 'Sign in',
  recovery: 'Set a new password',
} as const

const leaveAlone = 'If you did not ask for this, leave it alone: nothing happens without the code.'

/** The person who signed up chose the password: confirming a stranger's sign-up would let the stranger in. */
const warnings = {
  signup:
    'Go on only if it was you who signed up here just now. The person who signed up chose a password, and could sign in as you with it.',
  magic_link: leaveAlone,
  recovery: leaveAlone,
} as const

/** The token of a link stands behind `#`, which no server and no log of one ever sees. */
export function codeMail(
  { settings }: Pick<SignInContext, 'settings'>,
  purpose: keyof typeof subjects,
  to: string,
  { code, link_token }: SentCode,
): Mail {
  // The page of the platform itself keeps no sign-in: only what needs none leads there.
  const page = settings.sign_in_url ?? (purpose === 'magic_link' ? null : `${settings.api_url}/auth/link`)
  const text = [
    `Your code is ${code.slice(0, 4)} ${code.slice(4)}. It holds for 10 minutes and works once.`,
    ...(page === null ? [] : [`Or open this link:\n${page}#type=${purpose}&token=${link_token}`]),
    warnings[purpose],
  ]
  return { to, subject: subjects[purpose], text: `${text.join('\n\n')}\n` }
}

/** For a sign-up with an address that has a person already. The answer says nothing of it; the mailbox may know. */
export function knownMail(to: string): Mail {
  const text = [
    'A sign-up was made with this address, perhaps by you. You have an account here already.',
    'Sign in as before, or ask for a new password where you sign in.',
  ]
  return { to, subject: 'You have signed up already', text: `${text.join('\n\n')}\n` }
}

export function passwordChangedMail(to: string): Mail {
  const text = [
    'The password of your sign-in was changed, and your other sign-ins have ended.',
    'If that was not you, set a new password at once where you sign in.',
  ]
  return { to, subject: 'Your password was changed', text: `${text.join('\n\n')}\n` }
}

/** After the answer, which is the same whether there is anything to send. */
export function sendLater({ mail, log }: Pick<SignInContext, 'mail' | 'log'>, message: Mail): void {
  if (!mail) {
    log.warn({ subject: message.subject }, 'A mail was not sent: SVC_MAIL_URL is not set')
    return
  }
  void mail
    .send(message)
    .catch((error: unknown) => log.error({ err: error, subject: message.subject }, 'A mail was not sent'))
}
