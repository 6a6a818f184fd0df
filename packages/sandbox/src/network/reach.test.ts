import { expect, it } from 'vitest'
import { destinationsOf, reachOf } from './reach.ts'

const platform = 'http://127.0.0.1:7700'

it.each([
  [
    'a platform on loopback with a repository of its own',
    {
      SVC_API_URL: `${platform}/v1`,
      SVC_LLM_BASE_URL: `${platform}/v1/llm`,
      SVC_REPO_URL: `${platform}/git/x.git`,
    },
    [{ host: '127.0.0.1', port: 7700 }],
    { platform: new Set(['127.0.0.1:7700']), repository: '127.0.0.1:7700' },
  ],
  [
    'a repository elsewhere',
    { SVC_API_URL: `${platform}/v1`, SVC_REPO_URL: 'https://git.example.org/a/b.git' },
    [
      { host: '127.0.0.1', port: 7700 },
      { host: 'git.example.org', port: 443 },
    ],
    { platform: new Set(['127.0.0.1:7700']), repository: 'git.example.org:443' },
  ],
  [
    'what is no address',
    { SVC_API_URL: 'no url', SVC_REPO_URL: 'file:///x', OTHER_URL: platform },
    [],
    { platform: new Set(), repository: null },
  ],
])('%s', (_, environment, destinations, reach) => {
  expect(destinationsOf(environment)).toEqual(destinations)
  expect(reachOf(environment)).toEqual(reach)
})
