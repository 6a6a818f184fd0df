import { describe, expect, test } from 'vitest'
import { InstallError, lacksFiles, maxOutputTail, npmFailure, toInstallError } from './install-error.ts'
import type { Lock } from './lock.ts'

const lock: Lock = {
  packages: [
    {
      path: 'node_modules/a',
      name: 'a',
      package_name: 'a',
      version: '1.0.0',
      integrity: 'sha512-AAAA==',
      spdx: 'MIT',
      entry: {},
    },
  ],
}

describe('a failure of npm', () => {
  test.each([
    ['npm error code EINTEGRITY\nnpm error checksum failed: wanted sha512-AAAA== but got x', 'integrity'],
    ['npm error code ENOSPC', 'disk_full'],
    ['npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device', 'disk_full'],
    ['npm error code ECONNREFUSED', 'registry'],
    ['npm error code E404', 'registry'],
    ['npm error code E503', 'registry'],
    ['npm error code EAI_AGAIN', 'registry'],
    ['npm error code ETIMEDOUT', 'registry'],
    ['npm ERR! code SELF_SIGNED_CERT_IN_CHAIN', 'registry'],
    ['npm error code UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'registry'],
    ['npm error code EUSAGE', 'other'],
    ['', 'other'],
  ])('%j is %s', (output, kind) => {
    expect(npmFailure(output, lock)).toMatchObject({ name: 'InstallError', kind })
  })

  test('of integrity names the package, where the lock file has it', () => {
    const output = (wanted: string) =>
      `npm error code EINTEGRITY\nnpm error wanted ${wanted} but got sha512-B`
    expect(npmFailure(output('sha512-AAAA=='), lock).package_name).toBe('a@1.0.0')
    expect(npmFailure(output('sha512-CCCC=='), lock).package_name).toBeNull()
  })

  test('of files that it only warned of is said', () => {
    const output = 'npm warn tar TAR_ENTRY_ERROR EACCES: permission denied\nadded 2 packages in 1s'
    expect(lacksFiles(output)).toBe(true)
    expect(npmFailure(output, lock).message).toBe('The install failed: npm could not write all files.')
    expect(lacksFiles('added 2 packages in 1s')).toBe(false)
  })

  test('does not name the log, which is gone', () => {
    const output = 'npm error code E500\nnpm error A complete log of this run can be found in: /x/y.log\n'
    expect(npmFailure(output, lock).output_tail).toBe('npm error code E500')
  })

  test('keeps the last words only', () => {
    const words = npmFailure(`npm error code E500\n${'x'.repeat(5000)}end`, lock).output_tail
    expect(words).toHaveLength(maxOutputTail)
    expect(words.endsWith('end')).toBe(true)
  })
})

test('a refusal of the operating system is named, and a typed one passes', () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  expect(toInstallError(full)).toMatchObject({ kind: 'disk_full', cause: full })
  expect(toInstallError(new Error('odd'))).toMatchObject({
    kind: 'other',
    message: 'The install failed: odd',
  })
  const typed = new InstallError('registry', 'x')
  expect(toInstallError(typed)).toBe(typed)
})
