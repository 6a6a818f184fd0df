import type { ConnectorAction } from '@svc/connector'
import { z } from 'zod'
import { maxActions } from '../../limits.ts'
import { UpstreamRefusal, type Wire } from '../../shapes.ts'
import type { Aggregator } from './aggregator.ts'
import { unlessGone } from './composio.ts'
import type { PipedreamConfig } from './config.ts'
import { actionOf, component } from './pipedream-action.ts'
import { pipedreamToken } from './pipedream-token.ts'
import { AggregatorRefusal, ask, type JsonRequest, run, wordsIn } from './request.ts'

const components = z.looseObject({
  data: z.array(component),
  page_info: z.looseObject({ end_cursor: z.string().nullish(), count: z.number().nullish() }).nullish(),
})
const token = z.looseObject({ token: z.string(), connect_link_url: z.url() })
const account = z.looseObject({
  id: z.string(),
  healthy: z.boolean().nullish(),
  dead: z.boolean().nullish(),
  created_at: z.string(),
  updated_at: z.string().nullish(),
})
const accounts = z.looseObject({ data: z.array(account) })
const ran = z.looseObject({
  os: z.unknown().optional(),
  ret: z.unknown().optional(),
  exports: z.unknown().optional(),
  error: z.unknown().optional(),
})
const errorEntry = z.looseObject({ k: z.literal('error') })

/**
 * Pipedream Connect. A name of an account here is `<user>/<app>/<id there>`; until it is connected it has no id,
 * and `@<unix ms>` stands there: an account that was connected before that moment is another connection's.
 */
export function pipedream(config: PipedreamConfig, wire: Wire): Aggregator {
  const base = config.base_url.replace(/\/$/, '')
  const tokens = pipedreamToken(config, wire)

  async function request(
    method: JsonRequest['method'],
    path: string,
    signal: AbortSignal,
    body?: unknown,
  ): Promise<JsonRequest> {
    const headers = {
      authorization: `Bearer ${await tokens.get(signal)}`,
      'x-pd-environment': config.environment,
    }
    const url = new URL(`${base}/v1/connect/${encodeURIComponent(config.project_id)}${path}`)
    return { method, url, headers, ...(body === undefined ? {} : { body }) }
  }

  async function asked<S extends z.ZodType>(
    make: () => Promise<JsonRequest>,
    shape: S,
    signal: AbortSignal,
  ): Promise<z.output<S>> {
    try {
      return await ask(wire, await make(), shape, signal)
    } catch (error) {
      if (!(error instanceof AggregatorRefusal) || error.status !== 401) throw error
      tokens.drop()
      return ask(wire, await make(), shape, signal)
    }
  }

  return {
    async listActions(app, signal) {
      const actions: ConnectorAction[] = []
      let after: string | null | undefined
      for (;;) {
        const query = new URLSearchParams({ app, limit: '100', ...(after ? { after } : {}) })
        const page = await asked(() => request('GET', `/actions?${query}`, signal), components, signal)
        actions.push(...page.data.map(actionOf))
        if (actions.length > maxActions)
          throw new UpstreamRefusal(
            'connector_unusable',
            `${app} has more than ${maxActions} actions at the aggregator`,
          )
        const next = page.page_info?.end_cursor
        if (page.data.length === 0 || !next || next === after) return actions
        after = next
      }
    },

    async begin({ app, user, callback }, signal) {
      const body = { external_user_id: user, success_redirect_uri: callback, error_redirect_uri: callback }
      const since = Date.now()
      const { connect_link_url } = await asked(() => request('POST', '/tokens', signal, body), token, signal)
      const url = new URL(connect_link_url)
      url.searchParams.set('app', app)
      return { ref: `${user}/${app}/@${since}`, url: url.href }
    },

    async find(ref, signal) {
      const { user, app, id, since } = partsOf(ref)
      const query = new URLSearchParams({ external_user_id: user, app })
      const { data } = await asked(() => request('GET', `/accounts?${query}`, signal), accounts, signal)
      const moment = ({ created_at, updated_at }: z.output<typeof account>) =>
        Date.parse(updated_at ?? created_at)
      const found =
        since === null
          ? data.find((one) => one.id === id)
          : data.filter((one) => moment(one) >= since).sort((one, other) => moment(other) - moment(one))[0]
      if (found === undefined) return { status: since === null ? 'expired' : 'pending', ref }
      const works = found.dead !== true && found.healthy !== false
      return { status: works ? 'active' : 'expired', ref: `${user}/${app}/${found.id}` }
    },

    async forget(ref, signal) {
      const { id, since } = partsOf(ref)
      if (since !== null) return
      const path = `/accounts/${encodeURIComponent(id)}`
      await asked(() => request('DELETE', path, signal), z.unknown(), signal).catch(unlessGone)
    },

    async run({ action: { action, binding }, args, ref, ...options }) {
      const { user, id } = partsOf(ref)
      const { version, app_prop } = binding
      const own = typeof app_prop === 'string' ? { [app_prop]: { authProvisionId: id } } : {}
      const body = {
        id: action,
        external_user_id: user,
        ...(typeof version === 'string' ? { version } : {}),
        // The account is the connection's, whatever the arguments say.
        configured_props: { ...args, ...own },
      }
      const make = () => request('POST', '/actions/run', options.signal, body)
      const renew = () => {
        tokens.drop()
        return make()
      }
      try {
        return await run(wire, await make(), options, resultOf, renew)
      } catch (error) {
        if (!(error instanceof UpstreamRefusal)) throw error
        const { reason, message } = error
        return { ok: false, reason, message, sent: false, upstream_status: null, bytes_in: 0, bytes_out: 0 }
      }
    },
  }
}

function resultOf(json: unknown) {
  const { success, data } = ran.safeParse(json)
  if (!success) return { ok: false, message: wordsIn(json), data: json } as const
  const entries = Array.isArray(data.os) ? data.os : []
  const failed = data.error ?? entries.find((entry) => errorEntry.safeParse(entry).success)
  if (failed === undefined || failed === null)
    return { ok: true, data: { ret: data.ret ?? null, exports: data.exports ?? null } } as const
  const inner = typeof failed === 'object' && 'err' in failed ? failed.err : failed
  return { ok: false, message: wordsIn(inner), data: inner } as const
}

function partsOf(ref: string) {
  const [user = '', app = '', id = ''] = ref.split('/')
  return { user, app, id, since: id.startsWith('@') ? Number(id.slice(1)) : null }
}
