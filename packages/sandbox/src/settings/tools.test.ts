import { runtimePrograms } from '@svc/facts'
import { expect, test } from 'vitest'
import { sandboxTools, programOf } from './tools.ts'

const elsewhere = '/nonexistent/app'

test('an operator names the binary of the runtime that the variable is for, and of no other', () => {
  const settings = { SVC_RUNTIME_BINARY: '/opt/runtime' }
  expect(programOf(elsewhere, runtimePrograms.agentrt, settings)).toEqual({ binary: '/opt/runtime' })
  const other = { npm_package: 'other', binary: 'bin/other', binary_variable: 'SVC_OTHER_BINARY' }
  expect(programOf(elsewhere, other, settings)).toEqual({ binary: expect.stringContaining('/other-') })
  expect(programOf(elsewhere, other, { SVC_OTHER_BINARY: '/opt/other' })).toEqual({ binary: '/opt/other' })
})

test('every runtime has its program, or null where it was not built', () => {
  expect(Object.keys(sandboxTools(elsewhere).runtimes)).toEqual(Object.keys(runtimePrograms))
})
