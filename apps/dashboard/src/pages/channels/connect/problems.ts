import { isApiError } from '@svc/sdk'

/** The refusal of a form: the words for each of its fields by their paths, and the error that is of none of them. */
export interface Problems {
  readonly at: Readonly<Record<string, string>>
  readonly rest: unknown
}

export interface ChannelForm {
  /** The paths of its fields, as the issues of a refusal name them. */
  readonly fields: readonly string[]
  /** The field that a conflict is about. */
  readonly conflict?: string
}

/** The fields that a reason may be about; a form has those of one platform. Slack itself, unreached, is no field. */
const reasonFields: Readonly<Record<string, readonly string[]>> = {
  credential_refused: ['credentials.bot_token', 'credentials.access_token', 'credentials.imap.password'],
  missing_scope: ['credentials.bot_token'],
  private_address: ['settings.api_url', 'settings.homeserver_url', 'credentials.imap.host'],
  unreachable: ['settings.homeserver_url', 'credentials.imap.host'],
}

/** The refusal of a channel, field by field. One that names no field of the form stands for itself. */
export function problemsOf(error: unknown, { fields, conflict }: ChannelForm): Problems {
  const none = { at: {}, rest: error }
  if (!isApiError(error)) return none
  const at = (field: string | undefined, message = error.message): Problems =>
    field !== undefined && fields.includes(field) ? { at: { [field]: message }, rest: null } : none
  if (isApiError(error, 'channel_not_usable'))
    return at(reasonFields[error.details.reason]?.find((field) => fields.includes(field)))
  if (isApiError(error, 'channel_not_declared')) return at('slug')
  if (error.status === 409) return at(conflict)
  if (error.issues.length === 0 || !error.issues.every(({ path }) => fields.includes(path))) return none
  return { at: Object.fromEntries(error.issues.map(({ path, message }) => [path, message])), rest: null }
}
