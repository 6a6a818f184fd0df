import { describe, expect, it } from 'vitest'
import { SandboxError } from '../sandbox-error.ts'
import { isAway, toEngineError } from './engine-errors.ts'

const refused = (statusCode: number, words: string) =>
  Object.assign(new Error(`(HTTP code ${statusCode}) unexpected - ${words}`), { statusCode })
const failed = (code: string) => Object.assign(new Error(`connect ${code}`), { code })

describe('toEngineError', () => {
  it.each([
    ['no such container', refused(404, 'No such container: x'), 'gone', false],
    ['an image that is not there', refused(404, 'No such image: x:latest'), 'image', false],
    [
      'an image without what it starts',
      refused(400, 'exec: "/x": stat /x: no such file or directory: unknown'),
      'image',
      false,
    ],
    ['a full disk', refused(500, 'write /x: no space left on device'), 'quota', false],
    ['a full machine', refused(500, 'fork/exec: cannot allocate memory'), 'capacity', true],
    ['a defect of the engine', refused(500, 'something else'), 'internal', true],
    ['a wrong request', refused(400, 'invalid hostname'), 'internal', false],
    ['a socket that is not there', failed('ENOENT'), 'network', true],
    ['an engine that is down', failed('ECONNREFUSED'), 'network', true],
    ['an engine that hangs', Object.assign(new Error('aborted'), { name: 'TimeoutError' }), 'network', true],
  ])('%s', (_name, error, kind, retryable) => {
    expect(toEngineError(error, 'Creating a sandbox')).toMatchObject({ kind, retryable })
  })

  it('says what was done, in the engine’s words', () => {
    const error = toEngineError(refused(400, 'invalid hostname - at all'), 'Creating a sandbox')
    expect(error.message).toBe('Creating a sandbox: invalid hostname - at all')
  })

  it('keeps what is already typed', () => {
    const error = new SandboxError('quota', 'full')
    expect(toEngineError(error, 'x')).toBe(error)
  })
})

it('an answer of the engine is no absence', () => {
  expect(isAway(refused(404, 'No such container: x'))).toBe(false)
  expect(isAway(failed('ECONNREFUSED'))).toBe(true)
})
