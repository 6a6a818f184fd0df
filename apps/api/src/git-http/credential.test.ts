import { expect, test } from 'vitest'
import { gitCredential } from './credential.ts'

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

test.each([
  [basic('x-access-token:svc_pat_1'), 'svc_pat_1'],
  [basic('anybody:a:b'), 'a:b'],
  [basic(':only'), 'only'],
  ['Bearer svc_pat_2', 'svc_pat_2'],
  [basic('svc_pat_1:'), null],
  [basic('no colon'), null],
  ['Basic !!!', null],
  ['Digest x', null],
  [undefined, null],
])('%s', (header, token) => expect(gitCredential(header)).toBe(token))
