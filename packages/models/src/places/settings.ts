import { ServiceError } from '@svc/errors'
import { findModel, type ModelOffer } from '../names/find-model.ts'
import type { Allowlist } from '../names/globs.ts'
import type { ModelName } from '../names/model-name.ts'
import type { ModelPlace } from './nearest.ts'

export interface ModelSettings {
  readonly default_model: string | null
  readonly models: readonly string[] | null
  readonly agents: Readonly<Record<string, { readonly models: readonly string[] | null }>>
}

/** The decisions of three places; a place without any is absent. */
export type SettingsOfPlaces = Readonly<Partial<Record<ModelPlace, ModelSettings>>>

/** The rows of places by their place. */
export function settingsByPlace<Row extends { readonly scope: ModelPlace }>(
  rows: readonly Row[],
): Readonly<Partial<Record<ModelPlace, Row>>> {
  return Object.fromEntries(rows.map((row) => [row.scope, row]))
}

/** The lists that all must let a model through, the farthest place first. */
export function allowlists(
  settings: SettingsOfPlaces,
  {
    operator_models,
    agent_name,
    key_models,
  }: {
    /** The list of the operator's environment. */
    readonly operator_models: readonly string[] | null
    readonly agent_name: string | null
    readonly key_models: readonly string[] | null
  },
): readonly Allowlist[] {
  const agents = [settings.account, settings.project].flatMap((place) => {
    const models = agent_name === null ? undefined : place?.agents[agent_name]?.models
    return models ? [{ by: 'agent', models }] : []
  })
  return [
    { by: 'operator', models: operator_models },
    { by: 'operator', models: settings.operator?.models ?? null },
    { by: 'account', models: settings.account?.models ?? null },
    { by: 'project', models: settings.project?.models ?? null },
    ...agents,
    { by: 'key', models: key_models },
  ]
}

export interface NamedDefaults {
  readonly session: string | null
  readonly project: string | null
  readonly account: string | null
  /** The one of the operator's environment. */
  readonly operator: string | null
}

/**
 * The models that a call without a name may mean, those that are offered, in the order in which they are asked for; what
 * the gateway was told goes before. Others are left out: a session may be asked of the project's own secret for them.
 */
export function offeredDefaults(
  settings: SettingsOfPlaces,
  named: NamedDefaults,
  offers: readonly ModelOffer[],
): readonly ModelName[] {
  const defaults = [
    named.session,
    settings.project?.default_model ?? named.project,
    settings.account?.default_model ?? named.account,
    settings.operator?.default_model ?? named.operator,
  ]
  return defaults.flatMap((name) => (name === null || name === 'auto' ? [] : foundIn(name, offers)))
}

function foundIn(name: string, offers: readonly ModelOffer[]): readonly ModelName[] {
  try {
    return [findModel(name, offers)]
  } catch (error) {
    if (error instanceof ServiceError) return []
    throw error
  }
}
