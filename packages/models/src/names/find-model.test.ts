import { ServiceError } from '@svc/errors'
import { describe, expect, test } from 'vitest'
import { findModel, type ModelOffer } from './find-model.ts'

const offers: readonly ModelOffer[] = [
  { provider: 'svc', models: ['demo', 'vendor/own-model'] },
  { provider: 'acme', models: ['gpt-5', 'sonnet-4', 'family/large'] },
  { provider: 'other', models: ['gpt-5', 'demo'] },
  { provider: 'open', models: null },
]

const refusal = (name: string) => {
  try {
    return findModel(name, offers)
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, ...error.details }
    throw error
  }
}

test.each([
  ['acme/gpt-5', 'acme', 'gpt-5'],
  ['svc/acme/gpt-5', 'acme', 'gpt-5'],
  ['acme/family/large', 'acme', 'family/large'],
  ['sonnet-4', 'acme', 'sonnet-4'],
  ['svc/sonnet-4', 'acme', 'sonnet-4'],
  ['svc/demo', 'svc', 'demo'],
  ['vendor/own-model', 'svc', 'vendor/own-model'],
  ['svc/vendor/own-model', 'svc', 'vendor/own-model'],
  ['open/whatever/it/has', 'open', 'whatever/it/has'],
])('%s is %s and %s', (name, provider, id) => expect(findModel(name, offers)).toEqual({ provider, id }))

test('a bare id of several providers is ambiguous, and each candidate is not', () => {
  expect(refusal('gpt-5')).toEqual({ code: 'model_ambiguous', candidates: ['acme/gpt-5', 'other/gpt-5'] })
  expect(refusal('demo')).toEqual({ code: 'model_ambiguous', candidates: ['svc/demo', 'other/demo'] })
  for (const name of ['acme/gpt-5', 'svc/demo', 'other/demo']) expect(findModel(name, offers)).toBeTruthy()
})

describe('what is not offered is refused', () => {
  test('with up to three near names', () => {
    expect(refusal('acme/sonet-4')).toEqual({ code: 'model_not_found', near: ['acme/sonnet-4'] })
    expect(refusal('gpt5-mini')).toMatchObject({ near: ['acme/gpt-5', 'other/gpt-5'] })
  })

  test.each(['acme/', '/gpt-5', '', 'zzz', 'nobody/gpt-5', 'family/large'])('%j', (name) =>
    expect(refusal(name)).toMatchObject({ code: 'model_not_found' }),
  )
})
