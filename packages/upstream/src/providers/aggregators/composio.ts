import type { ConnectorAction } from '@svc/connector'
import { z } from 'zod'
import { maxActions } from '../../limits.ts'
import { UpstreamRefusal, type Wire } from '../../shapes.ts'
import type { Aggregator, AggregatorAccount } from './aggregator.ts'
import type { ComposioConfig } from './config.ts'
import { AggregatorRefusal, ask, type JsonRequest, run, wordsIn } from './request.ts'

const tools = z.looseObject({
  items: z.array(
    z.looseObject({
      slug: z.string().min(1),
      name: z.string().nullish(),
      description: z.string().nullish(),
      tags: z.array(z.string()).nullish(),
      version: z.string().nullish(),
      input_parameters: z.record(z.string(), z.unknown()).nullish(),
    }),
  ),
  next_cursor: z.string().nullish(),
})
const link = z.looseObject({ redirect_url: z.url(), connected_account_id: z.string().min(1) })
const account = z.looseObject({ id: z.string(), status: z.string(), user_id: z.string() })
const executed = z.looseObject({
  successful: z.boolean(),
  data: z.unknown().optional(),
  error: z.string().nullish(),
})

const statuses: Readonly<Record<string, AggregatorAccount['status']>> = {
  ACTIVE: 'active',
  INITIALIZING: 'pending',
  INITIATED: 'pending',
}

/** Composio, by version 3 of its API. A name of an account here is `<user>/<id there>`: a run names both. */
export function composio({ base_url, api_key, auth_configs }: ComposioConfig, wire: Wire): Aggregator {
  const request = (method: JsonRequest['method'], path: string, body?: unknown): JsonRequest => ({
    method,
    url: new URL(`${base_url.replace(/\/$/, '')}${path}`),
    headers: { 'x-api-key': api_key },
    ...(body === undefined ? {} : { body }),
  })
  return {
    async listActions(app, signal) {
      const actions: ConnectorAction[] = []
      let cursor: string | null | undefined
      do {
        const query = new URLSearchParams({ toolkit_slug: app, toolkit_versions: 'latest', limit: '500' })
        if (cursor) query.set('cursor', cursor)
        const before = cursor
        const page = await ask(wire, request('GET', `/tools?${query}`), tools, signal)
        actions.push(...page.items.map(actionOf))
        cursor = page.next_cursor
        if (actions.length > maxActions || (cursor && cursor === before))
          throw new UpstreamRefusal(
            'connector_unusable',
            `${app} has more than ${maxActions} actions at the aggregator`,
          )
      } while (cursor)
      return actions
    },

    async begin({ app, user, callback }, signal) {
      const auth_config_id = auth_configs[app]
      if (auth_config_id === undefined)
        throw new UpstreamRefusal(
          'aggregator_not_configured',
          `There is no auth config for ${app}; the operator adds it to \`auth_configs\` in SVC_AGGREGATORS_FILE`,
        )
      const body = { auth_config_id, user_id: user, callback_url: callback }
      const begun = await ask(wire, request('POST', '/connected_accounts/link', body), link, signal)
      return { ref: `${user}/${begun.connected_account_id}`, url: begun.redirect_url }
    },

    async find(ref, signal) {
      const { user, id } = partsOf(ref)
      const found = await ask(
        wire,
        request('GET', `/connected_accounts/${encodeURIComponent(id)}`),
        account,
        signal,
      ).catch(unlessGone)
      // An account of another user is not this connection's, whatever it is named.
      if (found === undefined || found.user_id !== user) return { status: 'expired', ref }
      return { status: statuses[found.status] ?? 'expired', ref }
    },

    async forget(ref, signal) {
      const { id } = partsOf(ref)
      await ask(
        wire,
        request('DELETE', `/connected_accounts/${encodeURIComponent(id)}`),
        z.unknown(),
        signal,
      ).catch(unlessGone)
    },

    run({ action: { action, binding }, args, ref, ...options }) {
      const { user, id } = partsOf(ref)
      const { version } = binding
      const body = {
        connected_account_id: id,
        user_id: user,
        arguments: args,
        ...(typeof version === 'string' ? { version } : {}),
      }
      return run(
        wire,
        request('POST', `/tools/execute/${encodeURIComponent(action)}`, body),
        options,
        (json) => {
          const { success, data } = executed.safeParse(json)
          if (!success)
            return {
              ok: false,
              message: 'The aggregator answered in a shape that its documents do not have',
              data: json,
            }
          return data.successful
            ? { ok: true, data: data.data }
            : { ok: false, message: data.error ?? wordsIn(data.data), data: data.data }
        },
      )
    },
  }
}

function actionOf({
  slug,
  name,
  description,
  tags,
  version,
  input_parameters,
}: z.output<typeof tools>['items'][number]): ConnectorAction {
  const risk = tags?.includes('readOnlyHint')
    ? 'read'
    : tags?.includes('destructiveHint')
      ? 'destructive'
      : 'write'
  return {
    action: slug,
    title: name ?? null,
    description: description ?? '',
    risk,
    input_schema: { type: 'object', ...input_parameters },
    binding: version ? { version } : {},
  }
}

function partsOf(ref: string): { readonly user: string; readonly id: string } {
  const slash = ref.indexOf('/')
  return { user: ref.slice(0, slash), id: ref.slice(slash + 1) }
}

export function unlessGone(error: unknown): undefined {
  if (error instanceof AggregatorRefusal && (error.status === 404 || error.status === 410)) return undefined
  throw error
}
