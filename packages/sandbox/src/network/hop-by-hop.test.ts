import { expect, test } from 'vitest'
import { withoutHopByHop } from './hop-by-hop.ts'

test('passes on what belongs to the request, and nothing of its connection', () => {
  const kept = { host: 'a.example', 'transfer-encoding': 'chunked', authorization: 'Bearer x' }
  const ofConnection = {
    connection: 'close, X-Mine, transfer-encoding',
    'x-mine': '1',
    'keep-alive': 'timeout=5',
    'proxy-authorization': 'Basic x',
    'proxy-connection': 'keep-alive',
    te: 'trailers',
    trailer: 'x-end',
    upgrade: 'h2c',
  }
  expect(withoutHopByHop({ ...kept, ...ofConnection })).toEqual(kept)
})
