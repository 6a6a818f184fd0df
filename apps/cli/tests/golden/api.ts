import { accessRoutes } from './access.ts'
import { chatRoutes } from './chat.ts'
import { mcpRoutes } from './mcp.ts'
import { triggerRoutes } from './triggers.ts'
import {
  changeRequest,
  crUuid,
  me,
  preview,
  project,
  projectId,
  session,
  sessionId,
  sessionRuntime,
  usage,
} from '../support/records.ts'
import { type Answer, refusal, type Route } from '../support/stub-api.ts'

const base = `/v1/projects/${projectId}`
const crs = `${base}/change-requests`
const one = `${base}/sessions/${sessionId}`
const otherSession = 'eeee1234-5555-4555-8555-555555555555'
const token = {
  token_id: '88888888-8888-4888-8888-888888888888',
  name: 'laptop',
  kind: 'user',
  prefix: 'svc_pat_abcd',
  project_id: null,
  expires_at: '2026-04-01T00:00:00.000Z',
  last_used_at: null,
  created_at: '2026-01-01T00:00:00Z',
}
const merge = { merge_commit_sha: 'c'.repeat(40), fast_forward: true }
const patch = `diff --git a/price.ts b/price.ts
--- a/price.ts
+++ b/price.ts
@@ -1 +1 @@
-Math.floor(cents)
+Math.round(cents)
`
const diff = {
  cr_id: crUuid,
  head_sha: 'a'.repeat(40),
  patch,
  patch_truncated: false,
  files_changed: 1,
  additions: 1,
  deletions: 1,
}
const secrets = {
  items: [{ name: 'API_KEY', updated_at: '2026-01-01T00:00:00Z' }],
  required: ['API_KEY', 'HOOK_SECRET'],
  optional: ['EXTRA'],
  missing: ['HOOK_SECRET'],
}

const access = {
  at: '2026-01-02T00:00:00Z',
  session_id: sessionId,
  agent_name: 'default',
  user_id: me.user_id,
  names: ['API_KEY'],
  personal_names: ['EDITOR'],
}

const ok = (body: unknown): Answer => ({ status: 200, body })
const created = (body: unknown): Answer => ({ status: 201, body })
const gone = (): Answer => ({ status: 204 })

/** A platform of one project, in which nothing ever changes but a conversation. */
export const goldenRoutes = (): Readonly<Record<string, Route>> => ({
  'GET /v1/health': () => ok({ status: 'ok', version: '1.2.3', commit: 'abc' }),
  'GET /v1/accounts/me': () => ok(me),
  'GET /v1/accounts/tokens': () => ok({ tokens: [token] }),
  'POST /v1/accounts/tokens': () => created({ ...token, token: 'svc_pat_the-secret' }),
  'GET /v1/projects': () => ok([project(), project({ slug: 'blog', name: 'Blog', project_id: crUuid })]),
  [`GET ${base}`]: () => ok({ ...project(), capabilities: [] }),
  [`GET ${base}/secrets`]: () => ok(secrets),
  [`GET ${base}/secret-accesses`]: () => ok({ accesses: [access], next_cursor: null }),
  [`PUT ${base}/secrets/API_KEY`]: () => ok({ name: 'API_KEY' }),
  [`DELETE ${base}/secrets/API_KEY`]: gone,
  [`GET ${base}/sessions`]: () =>
    ok([session(), session({ session_id: otherSession, name: 'Second', status: 'stopped' })]),
  [`POST ${base}/sessions`]: () => created(session({ status: 'provisioning' })),
  [`GET ${one}`]: () => ok(session()),
  [`GET ${one}/runtime`]: () => ok(sessionRuntime()),
  [`PATCH ${one}/runtime`]: () =>
    refusal(400, 'RUNTIME_OPTION_INVALID', 'The option mode has no value "odd"; it has default, plan'),
  [`POST ${one}/restart`]: () => ok(session()),
  [`DELETE ${one}`]: gone,
  [`GET ${crs}`]: () =>
    ok({ change_requests: [changeRequest(), changeRequest({ number: 2, title: 'Add tax' })] }),
  [`POST ${crs}`]: () => created(changeRequest()),
  [`GET ${crs}/3`]: () => ok({ change_request: changeRequest(), cost: usage }),
  [`GET ${crs}/${crUuid}/merge-preview`]: () => ok(preview()),
  [`GET ${crs}/3/diff`]: () => ok(diff),
  [`GET ${crs}/${crUuid}/diff`]: () => ok(diff),
  ...Object.fromEntries(
    [4, 5, 6].map((number) => [
      `GET ${crs}/${number}`,
      () =>
        ok({
          change_request: changeRequest({ number, cr_id: crUuid.replaceAll('3', `${number}`) }),
          cost: usage,
        }),
    ]),
  ),
  [`POST ${crs}/3/merge`]: () => ok({ change_request: changeRequest({ status: 'merged' }), merge }),
  [`POST ${crs}/4/merge`]: () => refusal(409, 'MERGE_CONFLICT', 'It conflicts', { conflicts: ['price.ts'] }),
  [`POST ${crs}/6/merge`]: () =>
    refusal(409, 'CR_STALE_HEAD', 'The head branch is elsewhere', { actual_sha: 'd'.repeat(40) }),
  [`POST ${crs}/5/merge`]: () =>
    refusal(403, 'CR_SELF_MERGE_REFUSED', 'A session may not merge its own work'),
  [`POST ${crs}/3/close`]: () => ok(changeRequest({ status: 'closed' })),
  [`POST ${crs}/3/reopen`]: () => ok(changeRequest()),
  ...accessRoutes,
  ...triggerRoutes,
  ...mcpRoutes,
  ...chatRoutes(),
})
