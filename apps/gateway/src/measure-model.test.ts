import { createMetrics, type Span } from '@svc/boot'
import { expect, test } from 'vitest'
import { measureModel, modelSpan } from './measure-model.ts'
import { refuse } from './refusal.ts'

type End = Parameters<Span['end']>[0]

function measured() {
  const ends: End[] = []
  const span: Span = { trace_id: '', traceparent: '', end: (how) => void ends.push(how) }
  const metrics = createMetrics('gateway')
  return { ends, metrics, ask: measureModel(metrics, 'vendor/x', span) }
}
const { signal } = new AbortController()

test('an answer is measured to its end, with the tokens that it reports', async () => {
  const { ends, metrics, ask } = measured()
  const body = '{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7}}'
  const answer = await ask.answered(async () => new Response(body, { status: 200 }), signal)
  expect(ends).toEqual([])
  expect(await answer.text()).toBe(body)
  const text = await metrics.render()
  expect(text).toContain('svc_model_tokens_total{model="vendor/x",kind="input",service="gateway"} 5')
  expect(text).toContain('svc_model_tokens_total{model="vendor/x",kind="output",service="gateway"} 7')
  expect(ends).toEqual([
    { failed: false, attributes: { 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.output_tokens': 7 } },
  ])
})

test.each([
  [refuse(404, 'model_not_found', 'x'), 'other', 'refused'],
  [refuse(400, 'invalid_request', 'x'), 'vendor/x', 'refused'],
  [refuse(429, 'rate_limited', 'x'), 'vendor/x', 'failed'],
  [refuse(502, 'unreachable', 'x'), 'vendor/x', 'failed'],
  [new Error('a defect'), 'vendor/x', 'failed'],
])('%s counts for %s as %s', async (error, model, outcome) => {
  const { ends, metrics, ask } = measured()
  await expect(ask.answered(() => Promise.reject(error), signal)).rejects.toBe(error)
  expect(await metrics.render()).toMatch(
    new RegExp(`svc_model_request_duration_seconds_count\\{.*model="${model}",outcome="${outcome}"\\} 1`),
  )
  expect(ends).toMatchObject([{ failed: outcome === 'failed' }])
})

test('a span names the session and the model, and nothing that was said', () => {
  const { attributes } = modelSpan('vendor/x', { project_id: 'p', session_id: 's' }, undefined)
  expect(attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'vendor/x',
    'gen_ai.conversation.id': 's',
    'svc.project_id': 'p',
    'svc.session_id': 's',
  })
})
