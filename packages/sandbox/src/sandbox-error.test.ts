import { describe, expect, it } from 'vitest'
import { errorCode, SandboxError, toSandboxError } from './sandbox-error.ts'

const system = (code: string) => Object.assign(new Error(`${code}: refused`), { code })

describe('toSandboxError', () => {
  it.each([
    ['EAGAIN', 'capacity', true],
    ['EMFILE', 'capacity', true],
    ['ENOSPC', 'quota', false],
    ['EACCES', 'internal', false],
  ] as const)('%s is %s', (code, kind, retryable) => {
    expect(toSandboxError(system(code), 'starting')).toMatchObject({
      kind,
      retryable,
      message: `starting: ${code}: refused`,
    })
  })

  it('keeps an error that is already typed', () => {
    const gone = new SandboxError('gone', 'no such sandbox')
    expect(toSandboxError(gone, 'starting')).toBe(gone)
  })

  it('takes anything that was thrown', () => {
    expect(toSandboxError('odd', 'starting')).toMatchObject({ kind: 'internal', message: 'starting: odd' })
    expect(errorCode('odd')).toBeUndefined()
  })
})
