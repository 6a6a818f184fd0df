import { webhooks } from '@svc/contract'
import { expect, test } from 'vitest'
import { webhookAddress } from './address.ts'

const id = '4f6cf35d-2c5b-4a6e-9b1f-0d5c7a3e8b21'
const at = (project_id: string, slug: string) => `/v1/webhooks/projects/${project_id}/${slug}`

test('the usual writing of an address is taken, as the contract would take it', () => {
  for (const slug of ['a', 'push-2_x', '0', 'a'.repeat(128)]) {
    expect(webhookAddress(at(id, slug))).toEqual({ project_id: id, slug })
    expect(webhooks.receiveWebhook.request.params.parse({ project_id: id, slug })).toEqual({
      project_id: id,
      slug,
    })
  }
})

test.each([
  at(id, ''),
  at(id, 'A'),
  at(id, '-a'),
  at(id, 'a'.repeat(129)),
  at(id, 'a/b'),
  at(id, 'a/'),
  at(id, '%61'),
  at(id, 'a\n'),
  at(id.toUpperCase(), 'a'),
  at('00000000-0000-0000-0000-000000000000', 'a'),
  at('x', 'a'),
  `//v1/webhooks/projects/${id}/a`,
  `http://h${at(id, 'a')}`,
])('%j is left to the framework', (path) => expect(webhookAddress(path)).toBeNull())
