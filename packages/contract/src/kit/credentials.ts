import { type AccessRule, humanOnly } from '@svc/access'

/** Every kind of credential that a route of the contract takes, with the identity that it acts as. */
export const credentialKinds = {
  personalToken: 'A personal access key, `svc_pat_…`: acts as its person, with their roles',
  signIn: 'The access token of a sign-in, which holds for an hour: acts as the person who signed in',
  oauthToken:
    'The access token of an app, `svc_oat_…`, from `/v1/oauth/token`: acts as the person who approved it. Without the scope `svc` it reaches only who that is.',
  serviceAccountKey:
    'A key of a service account, `svc_sa_…`: reaches the projects on which the account has a role, and no account routes',
  projectToken: 'A token of one project, `svc_pat_…`: reaches that project and nothing else',
  sessionToken:
    'What the agent of one session holds, as `SVC_CLI_TOKEN`: its launcher’s role, narrowed to the grant of the agent',
  sandboxKey: 'The service key of one sandbox, which only its own daemon holds',
} as const

export type CredentialKind = keyof typeof credentialKinds

const people: readonly CredentialKind[] = ['personalToken', 'signIn', 'oauthToken']
const actors: readonly CredentialKind[] = [...people, 'serviceAccountKey', 'projectToken', 'sessionToken']

/** The kinds that may reach a route of this rule; each is enough by itself. */
export function credentialsFor(rule: AccessRule): readonly CredentialKind[] {
  if ('public' in rule) return []
  if ('sandbox_key' in rule) return ['sandboxKey']
  if ('any_actor' in rule) return actors
  if ('capability' in rule) return humanOnly.has(rule.capability) ? people : actors
  return people
}
