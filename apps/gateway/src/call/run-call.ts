import { keptOutBy, type ModelName, modelText, parseBody } from '@svc/models'
import { notAllowed } from '@svc/spend'
import { allowlistsOf } from '../config/config.ts'
import { refusalOf } from '../door/refusal.ts'
import type { GatewayCore } from '../gateway-core.ts'
import { hubOf } from '../translate/translated.ts'
import { reads } from '../upstream/send.ts'
import { candidatesOf } from './candidates.ts'
import { chooseModel } from './choose-model.ts'
import { measureCall, modelSpan } from './measure-call.ts'

import type { Asked } from './asked.ts'
import { CallRun } from './call-run.ts'
import { noCandidate } from './no-candidate.ts'

/** The one way of every call: named, admitted, tried at its candidates, answered, settled. */
export async function runCall(core: GatewayCore, asked: Asked): Promise<Response> {
  const { caller, dialect, signal } = asked
  const [now, began_at] = [core.now(), performance.now()]
  const body = parseBody(asked.text)
  const request = dialect.read(body)
  const config = await core.config(caller)
  const name = chooseModel(config, request.model, caller, core.default_model)
  const lists = allowlistsOf(config, core.offered_models, caller)
  const by = keptOutBy(lists, name)
  if (by !== null) throw notAllowed(name, by)
  const isAllowed = (other: ModelName) => keptOutBy(lists, other) === null
  const found = candidatesOf(config, name, caller, { now, isAllowed })
  const usable = found.usable.filter(
    (candidate) => reads(candidate.provider, dialect.name) || hubOf(dialect) !== null,
  )
  const [first] = usable
  if (first === undefined) throw noCandidate(found.usable[0], found.probe_at, now)
  const label = modelText(name)
  const parent = asked.traceparent ?? caller.traceparent ?? undefined
  const measure = measureCall(core.metrics, label, began_at, (end) =>
    core.tracing?.begin({ ...modelSpan(label, caller, parent), began_at: now }).end(end),
  )
  const run = new CallRun(core, asked, { body, request, config, name, measure, skipped: found.skipped })
  try {
    return await run.answer(usable)
  } catch (error) {
    if (asked.presumed?.isConfirmed === false) throw error
    const outcome = signal.aborted ? 'left' : outcomeOf(error)
    measure.end(outcome)
    const code = refusalOf(error)?.code
    if (outcome === 'refused' && code !== undefined) core.metrics.count('svc_model_refusals_total', { code })
    throw error
  }
}

function outcomeOf(error: unknown) {
  const refusal = refusalOf(error)
  return refusal !== null && refusal.status < 500 && refusal.status !== 429 ? 'refused' : 'failed'
}
