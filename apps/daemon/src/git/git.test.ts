import { expect, test } from 'vitest'
import { GitError, isTransient } from './git.ts'

test.each([
  ["fatal: unable to access 'http://x/': Could not resolve host: x", true],
  ["fatal: unable to access 'http://x/': Failed to connect to x port 80: Connection refused", true],
  ["fatal: unable to access 'http://x/': The requested URL returned error: 503", true],
  ["fatal: could not read Username for 'http://x': terminal prompts disabled", true],
  ["fatal: Authentication failed for 'http://x/'", false],
  ["fatal: unable to access 'http://x/': The requested URL returned error: 403", false],
  ["fatal: repository 'http://x/' not found", false],
  ['error: The following untracked working tree files would be overwritten by checkout', false],
])('%s: worth another try: %s', (stderr, transient) => {
  expect(isTransient(stderr)).toBe(transient)
})

test('the error carries the last words of git, without its hints', () => {
  const error = new GitError('Cloning', 'remote: hello\nhint: try this\nfatal: no\n')
  expect(error.message).toBe('Cloning: remote: hello\nfatal: no')
})
