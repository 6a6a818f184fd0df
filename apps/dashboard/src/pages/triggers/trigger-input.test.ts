import { expect, test } from 'vitest'
import { createInput, noFields, updateInput } from './trigger-input.ts'

test('a new entry holds what its type has, and no empty field', () => {
  const fields = { ...noFields, slug: 'nightly', cron: '0 9 * * *', secret_env: 'LEFT_OVER', prompt: 'Go' }
  expect(createInput(fields)).toEqual({ slug: 'nightly', type: 'cron', prompt: 'Go', cron: '0 9 * * *' })
  expect(createInput({ ...fields, type: 'webhook' })).toMatchObject({ secret_env: 'LEFT_OVER' })
})

test('an edit sends what differs, and takes away what was emptied', () => {
  const before = { ...noFields, slug: 'a', name: 'A', cron: '0 9 * * *', prompt: 'Go' }
  expect(updateInput(before, { ...before, name: '', prompt: 'Go on' })).toEqual({
    name: null,
    prompt: 'Go on',
  })
  expect(updateInput(before, before)).toBeNull()
})
