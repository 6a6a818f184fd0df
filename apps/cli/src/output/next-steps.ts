import type { ApiError } from '@svc/sdk'
import type { Target } from '../config/target.ts'
import { isObject, strings } from '../json-values.ts'

const byCode: Readonly<Record<string, string>> = {
  session_token_revoked:
    'this credential never works again; in a sandbox, restart the session for a fresh one',
  CR_HEAD_NOT_AHEAD:
    'commit on the head branch and push it, with `git push` or in a linked folder with `svc ship`; then try again',
  CR_SAME_REF: 'choose another branch with --head or --base',
  CR_REF_NOT_FOUND: 'check the name with `git branch -r`, and push the branch',
  CR_NOT_OPEN: '`svc cr show <cr>` tells what became of it',
  CR_NOT_CLOSED:
    '`svc cr show <cr>` tells what became of it; further commits go into another one: `svc cr open`',
  CR_STALE_BASE: 'the branches moved: look at `svc cr show <cr>` again',
  CR_SELF_MERGE_REFUSED: 'hand it to a person: merging is their decision',
  MERGE_CONFLICT:
    'on the head branch merge the base branch, resolve, commit and push; `svc cr show <cr>` says when it is clean',
  MANIFEST_INVALID: 'correct svc.yaml on the head branch; `svc validate` judges it the same way',
  session_limit_reached: 'stop or remove a session: `svc sessions ls`',
  project_archived: '`svc projects ls` shows the projects that you reach',
  APPROVAL_STALE: 'look again with `svc approvals show <call>`, and decide on what it says now',
  APPROVAL_NOT_PENDING: '`svc approvals show <call>` tells what became of it',
  CATALOGUE_STALE: 'the actions changed again: `svc connectors show <slug>`, then accept once more',
  CALL_NOT_CANCELLABLE: '`svc connectors result <call>` tells how it stands',
  second_person_required: 'hand it to another person with the permission',
  HARNESS_UNKNOWN: '`svc harnesses ls` shows the names',
  HARNESS_UNAVAILABLE: '`svc harnesses ls` says what stands in the way of each',
  HARNESS_LICENCE_CHANGED: 'read it again with `svc harnesses accept <name>`',
  RUNTIME_OPTION_INVALID: '`svc sessions options <id>` lists the options with their choices',
  expiry_required: 'give it an end: --expires 90d',
  expiry_too_far: 'give it an earlier end: --expires 30d',
  channel_not_declared:
    'declare a connector with provider channel, this slug and this platform in svc.yaml, or leave --slug out',
  delivery_not_failed: '`svc channels deliveries <slug>` tells what became of it',
  conversation_not_in_project: 'list it first: `svc channels set <slug> --conversation <id>=`',
  link_not_found: 'write to the bot again: it sends a new link, which works once, for ten minutes',
  already_linked: 'the person whose link it is, or a manager, ends it with `svc channels unlink`',
  repository_push_rejected: 'the git host refused the push: read its branch protection rules',
}

const ownKey = 'svc gateway providers add <slug> --kind <kind> --url <url> --api-key -'

/** Of a channel that cannot be used, by its reason. */
const channels: Readonly<Record<string, string>> = {
  credential_refused:
    'take a credential that the platform has not ended: docs/channels tells where each is found',
  missing_scope: 'add the scopes to the app, install it again, and take its new token',
  private_address:
    'ask the operator to open the address with SVC_OUTBOUND_ADDRESSES, or use a public one by https',
  unreachable: 'look at the address, and at the way to it from the machine of the platform',
  no_mail_route:
    'give --authserv, or ask the operator for SVC_CHANNEL_MAIL_DOMAIN and SVC_CHANNEL_MAIL_AUTHSERV',
}

/** The help for a refused payment. */
const payments: Readonly<Record<string, string>> = {
  budget_exceeded:
    '`svc gateway budgets ls` shows what is left; a person who may raises it with `svc gateway budgets set`',
  subscription_required: `ask the operator for another plan, or add a key of your own: \`${ownKey}\``,
  no_account: `ask the operator for credit, or add a key of your own: \`${ownKey}\``,
  insufficient_credits: `add credit, or a key of your own: \`${ownKey}\``,
  entitlement_required: "the account's owner asks the operator for another plan",
}

const byStatus: Readonly<Record<number, string>> = {
  403: 'ask for the permission, or use another token',
  404: 'check the id and the project; what you may not see is also "not found"',
  500: 'this is a defect of the service: report it with the request id',
}

/** The next step after a refusal. */
export function nextStep(error: ApiError, target: Target | null): string | null {
  const { status, code, details } = error
  if (code === 'CR_ALREADY_OPEN')
    return `it is change request #${String(details['number'])}: \`svc cr show ${String(details['number'])}\``
  if (status === 401 && code !== 'session_token_revoked') return loginStep(target)
  if (status === 401 && target?.token_source === 'config file') return loginStep(target)
  if (code === 'fresh_sign_in_required') return `sign in again, then repeat it: ${loginCommand(target)}`
  if (code === 'connector_not_connected') return connectStep(error)
  if (code === 'person_required')
    return `decide in the dashboard, or sign in as yourself with the browser: ${loginCommand(target)}`
  if (code === 'channel_not_usable') return channels[String(details['reason'])] ?? null
  if (code !== null && byCode[code] !== undefined) return byCode[code]
  if (code === 'maintenance')
    return `the operator has closed the platform for a while: try again in ${error.retry_after ?? 60} s`
  if (error.retry_after !== null) return `try again in ${error.retry_after} s`
  const paid = code === null ? undefined : payments[code]
  if (paid !== undefined) return paid + pageOf(error, target)
  if (status === 502 || status === 503 || status === 504) return 'a temporary failure: try again in a moment'
  return byStatus[status] ?? null
}

/** The page of the dashboard that helps, at the platform that was asked. */
function pageOf({ details: { help_path } }: ApiError, target: Target | null): string {
  if (typeof help_path !== 'string' || target === null) return ''
  return `; in the browser: ${new URL(help_path, target.api_url).href}`
}

/** The first connector that a person can connect; one without a page is not declared, or not the agent's to use. */
function connectStep({ details }: ApiError): string {
  const listed: readonly unknown[] = Array.isArray(details['connectors']) ? details['connectors'] : []
  const one = listed.find((each) => isObject(each) && typeof each['connect_url'] === 'string')
  if (!isObject(one)) return 'correct svc.yaml on the default branch: `svc validate` judges it'
  const { slug, connect_url } = one
  return `\`svc connectors connect ${String(slug)}\`, or in the browser: ${String(connect_url)}`
}

/** Without a target, it is the login itself that was refused. */
function loginStep(target: Target | null): string {
  if (target === null) return 'copy the whole token, or leave --token out to log in with the browser'
  if (target.token_source === null || target.token_source === 'config file')
    return `log in: ${loginCommand(target)}`
  return `the token in ${target.token_source} was refused: set a valid one, or unset it and run \`svc login\``
}

function loginCommand(target: Target | null): string {
  return target === null ? 'svc login' : `svc login --host ${target.host}`
}

/** Lines that a refusal brings along: fields, paths in conflict, manifest issues, sessions in the way. */
export function particulars(error: ApiError): string[] {
  const reason = error.code === 'channel_not_usable' ? [`reason: ${String(error.details['reason'])}`] : []
  const issues = error.issues
    .map((issue) => {
      const line = typeof issue['line'] === 'number' ? ` (line ${issue['line']})` : ''
      return `${issue.path}: ${issue.message}${line}`
    })
    // One that is the whole message was said already.
    .filter((line) => line !== error.message)
  const conflicts = strings(error.details['conflicts']).map((path) => `conflict: ${path}`)
  const sessions = strings(error.details['sessions']).map((id) => `session: ${id}`)
  const failure = error.details['failure']
  const cause = isObject(failure) && typeof failure['message'] === 'string' ? [failure['message']] : []
  return [...reason, ...issues, ...conflicts, ...sessions, ...cause]
}
