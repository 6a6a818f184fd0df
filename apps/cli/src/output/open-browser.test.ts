import { expect, test } from 'vitest'
import { mayOpenBrowser } from './open-browser.ts'

test.each([
  [{ DISPLAY: ':0' }, 'linux', true],
  [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
  [{ BROWSER: 'firefox' }, 'linux', true],
  [{}, 'linux', false],
  [{}, 'darwin', true],
  [{ SSH_CONNECTION: 'a b' }, 'darwin', false],
  [{ SSH_TTY: '/dev/pts/1', DISPLAY: ':10' }, 'linux', false],
  [{ CI: 'true', BROWSER: 'firefox' }, 'linux', false],
] as const)('with %j on %s the browser of this machine opens: %s', (env, platform, expected) =>
  expect(mayOpenBrowser({ env }, platform)).toBe(expected),
)
