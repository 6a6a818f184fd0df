import { expect, test } from 'vitest'
import { detectHost } from './detect-host.ts'

test.each([
  ['https://github.com/owner/name.git', 'github'],
  ['https://GitHub.com./owner/name', 'github'],
  ['https://github.example.com/owner/name', 'github'],
  ['https://acme.ghe.com/owner/name', 'github'],
  ['https://gitlab.com/group/sub/name.git', 'gitlab'],
  ['http://gitlab.example.com:8080/group/name', 'gitlab'],
  ['https://codeberg.org/owner/name', 'gitea'],
  ['https://gitea.example.com/owner/name', 'gitea'],
  ['https://forgejo.example.com/owner/name', 'gitea'],
  ['https://example.com/github.com/name', 'generic'],
  ['https://notgithub.com/owner/name', 'generic'],
  ['https://github.com.evil.example/owner/name', 'github'],
  ['ssh://git@github.com/owner/name', 'generic'],
  ['file:///srv/github.com/name', 'generic'],
  ['nonsense', 'generic'],
])('%s is at %s', (url, host) => {
  expect(detectHost(url)).toBe(host)
})
