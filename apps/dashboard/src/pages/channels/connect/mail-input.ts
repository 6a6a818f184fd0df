/** The part of the form that is about mail. */
export interface MailFields {
  readonly way: 'lmtp' | 'imap'
  /** Of the address that the deployment's mail server takes. */
  readonly local: string
  readonly authserv_id: string
  readonly host: string
  readonly port: string
  readonly user: string
  readonly password: string
  /** Of the mailbox, where its user is none. */
  readonly address: string
}

export const noMailFields: MailFields = {
  ...{ way: 'lmtp', local: '', authserv_id: '' },
  ...{ host: '', port: '993', user: '', password: '', address: '' },
}

/** The paths of its fields, as the issues of a refusal name them. */
export const mailPaths = [
  ...['settings.local', 'settings.authserv_id', 'settings.address', 'credentials.imap.host'],
  ...['credentials.imap.port', 'credentials.imap.user', 'credentials.imap.password'],
] as const

/** True while something is missing that a mailbox needs. */
export function isMailIncomplete({ way, host, port, user, password }: MailFields): boolean {
  if (way === 'lmtp') return false
  return host.trim() === '' || user.trim() === '' || password === '' || !/^\d{1,5}$/.test(port.trim())
}

/** Its credentials and settings; an empty field is left out. */
export function mailInput(fields: MailFields) {
  const [local, authserv_id, address] = [fields.local, fields.authserv_id, fields.address].map((one) =>
    one.trim(),
  )
  const own = authserv_id ? { authserv_id } : {}
  if (fields.way === 'lmtp') return { credentials: {}, settings: { ...own, ...(local ? { local } : {}) } }
  const [host, user] = [fields.host.trim(), fields.user.trim()]
  return {
    credentials: { imap: { host, port: Number(fields.port), user, password: fields.password } },
    settings: { ...own, ...(address ? { address } : {}) },
  }
}
